import { createHash } from 'node:crypto';
import type { Express } from 'express';
import { publishedAgeSeconds } from '../auth/tokenKeyRing.ts';
import type { TokenKeys } from '../auth/tokenKeys.ts';
import { encodedFor, isKnownToClient } from '../http/encoded.ts';
import type { Exchange } from '../http/served.ts';
import { documentsOf, type ServedDocument } from './documents.ts';
import {
  readerBundle,
  readerPath,
  referencePage,
  referencePolicy,
  settingsPath,
  settingsScript,
  startPath,
  startScript,
} from './reference.ts';

/** Time during which a page may be cached: it changes with the program alone. */
const pageAgeSeconds = 300;
const bundleAgeSeconds = 86_400;

/** Pages are text with a style of their own; nothing is fetched and nothing runs. */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Sources of the pages outside the interface. */
export interface PageSource {
  readonly publicOrigin: () => string;
  readonly tokenKeys: Pick<TokenKeys, 'published'>;
}

interface BuiltDocument extends ServedDocument {
  readonly bytes: Buffer;
  readonly etag: string;
}

/**
 * Serve the documents: home, OpenAPI, reference, a page per error code, `llms.txt` and the public token keys. They are
 * built once, need no credential and are not throttled.
 */
export function servePages(app: Express, source: PageSource): void {
  let built: { readonly origin: string; readonly documents: ReadonlyMap<string, BuiltDocument> } | null = null;
  const documentsNow = (): ReadonlyMap<string, BuiltDocument> => {
    const origin = source.publicOrigin();
    // The origin is known once the service listens.
    if (built?.origin !== origin) built = { origin, documents: withTags(documentsOf(origin)) };
    return built.documents;
  };
  for (const path of ['/', '/openapi.json', '/llms.txt', '/errors', '/errors.md']) {
    app.get(path, (request, response) => send({ request, response }, documentsNow().get(path)));
  }
  app.get('/errors/:page', async (request, response, next) => {
    const document = documentsNow().get(`/errors/${request.params.page}`);
    if (document === undefined) next();
    else await send({ request, response }, document);
  });
  app.get('/.well-known/jwks.json', (_request, response) => {
    response.set('Cache-Control', `public, max-age=${publishedAgeSeconds}`).json({ keys: source.tokenKeys.published });
  });
  serveReference(app);
}

function serveReference(app: Express): void {
  app.get('/reference', (_request, response) => {
    response.set('Content-Security-Policy', referencePolicy);
    response.set('Cache-Control', `public, max-age=${pageAgeSeconds}`).type('html').send(referencePage);
  });
  for (const [path, script] of [
    [settingsPath, settingsScript],
    [startPath, startScript],
  ] as const) {
    app.get(path, (_request, response) => {
      response.set('Cache-Control', `public, max-age=${pageAgeSeconds}`).type('text/javascript').send(script);
    });
  }
  app.get(readerPath, (_request, response) => {
    response.set({ 'Cache-Control': `public, max-age=${bundleAgeSeconds}`, 'Content-Encoding': 'gzip' });
    response.type('text/javascript').send(readerBundle());
  });
}

function withTags(documents: ReadonlyMap<string, ServedDocument>): ReadonlyMap<string, BuiltDocument> {
  const tagOf = (body: string): string => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return new Map(
    [...documents].map(([path, document]) => {
      const { body } = document;
      return [path, { ...document, bytes: Buffer.from(body), etag: tagOf(body) }];
    }),
  );
}

async function send(exchange: Exchange, document: BuiltDocument | undefined): Promise<void> {
  if (document === undefined) throw new Error('a page that is registered was not built');
  const { response } = exchange;
  response.set({
    ETag: document.etag,
    'Cache-Control': `public, max-age=${pageAgeSeconds}`,
    'Content-Security-Policy': pagePolicy,
  });
  if (isKnownToClient(exchange, document.etag)) {
    response.vary('Accept-Encoding').status(304).end();
    return;
  }
  const { bytes, etag } = await encodedFor(exchange, document);
  response.set('ETag', etag).setHeader('Content-Type', document.contentType).end(bytes);
}

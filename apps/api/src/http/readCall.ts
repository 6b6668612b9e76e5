import type { IncomingMessage } from 'node:http';
import type { RouteDefinition } from '@core/wire';
import type { z } from 'zod';
import { invalidBody, invalidRequest, type Refusal } from './call.ts';

/** Largest request body, in bytes; every documented body is far smaller. */
const maxBodyBytes = 65_536;

/** Reads the whole body as bytes. One that is too large is not read on. */
export async function readBody(request: IncomingMessage): Promise<Buffer | Refusal> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return invalidRequest('Content-Encoding', 'must be absent');
  const declaredBytes = Number(request.headers['content-length'] ?? 0);
  if (declaredBytes > maxBodyBytes) return invalidBody('is too large');
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= maxBodyBytes) return;
      request.pause();
      resolve(invalidBody('is too large'));
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(new Error('the client went away while its body was read'));
    });
  });
}

/** The three parsed parts of a request. */
export interface ParsedCall {
  readonly kind: 'parsed';
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Parses path, query and body of a request by the schemas of its route: wire → quantities, here and nowhere else. */
export function parseCall(
  route: RouteDefinition,
  raw: { readonly params: unknown; readonly query: unknown; readonly body: Buffer },
): ParsedCall | Refusal {
  const params = parseNamed(route.params, raw.params);
  if (!params.success) return refusalOf(params.error);
  const query = parseNamed(route.query, raw.query);
  if (!query.success) return refusalOf(query.error);
  if (route.body === null) return { kind: 'parsed', params: params.data, query: query.data, body: null };
  const json = readJson(raw.body);
  if (json.kind === 'malformed') return invalidBody('must be JSON');
  if (json.kind === 'repeated') return invalidRequest(json.name, 'must not be given twice');
  const body = route.body.safeParse(json.value);
  if (!body.success) return refusalOf(body.error);
  return { kind: 'parsed', params: params.data, query: query.data, body: body.data };
}

type Parsed = z.ZodSafeParseResult<unknown>;

/** What each schema makes of nothing at all: most requests have no query, and many no name in their path. */
const ofNothing = new WeakMap<z.ZodType, Parsed>();

function parseNamed(schema: z.ZodType, named: unknown): Parsed {
  if (Object.keys(Object(named)).length > 0) return schema.safeParse(storable(named));
  const parsed = ofNothing.get(schema) ?? schema.safeParse({});
  ofNothing.set(schema, parsed);
  return parsed;
}

/** PostgreSQL holds no NUL: a name with one is as unknown as the same name with the sign for what is unreadable. */
function storable(named: unknown): unknown {
  return Object.fromEntries(
    Object.entries(Object(named)).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\u0000', '\ufffd') : value,
    ]),
  );
}

type BodyJson = { kind: 'json'; value: unknown } | { kind: 'malformed' } | { kind: 'repeated'; name: string };

function readJson(bytes: Buffer): BodyJson {
  const text = bytes.toString('utf8').trim();
  if (text === '') return { kind: 'json', value: undefined };
  try {
    // The same for a body, as the only way JSON has to write it.
    const value: unknown = JSON.parse(text.replaceAll('\\u0000', '\\ufffd'));
    const name = repeatedNameIn(text);
    return name === null ? { kind: 'json', value } : { kind: 'repeated', name };
  } catch (cause) {
    if (cause instanceof SyntaxError) return { kind: 'malformed' };
    throw cause;
  }
}

/** The strings of a JSON text; those that a colon follows are names. */
const jsonStrings = /("(?:[^"\\]|\\.)*")\s*(:?)/g;

/**
 * A name that a body gives twice: parsers disagree which one counts, so neither does. Bodies are flat, and a name may
 * stand once in all of the text.
 */
function repeatedNameIn(text: string): string | null {
  const seen = new Set<string>();
  for (const [, string = '', colon] of text.matchAll(jsonStrings)) {
    if (colon !== ':') continue;
    const name = string.includes('\\') ? String(JSON.parse(string)) : string.slice(1, -1);
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

/** Longest name of a field that is repeated to the caller. */
const maxShownLength = 100;

/** "leverage_bps: must be a multiple of 2500": the first issue, by path and rule. */
function refusalOf(error: z.ZodError): Refusal {
  const [issue] = error.issues;
  if (issue === undefined) return invalidBody('is malformed');
  const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const path = [...issue.path, ...(unknown === undefined ? [] : [unknown])].map(String).join('.');
  const rule = unknown === undefined ? issue.message.slice(0, 300) : 'is not a field of this request';
  return path === '' ? invalidBody(rule) : invalidRequest(path.slice(0, maxShownLength), rule);
}

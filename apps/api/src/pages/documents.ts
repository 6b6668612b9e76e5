import { errorCodes, errorPageOf, errorTable, statusesOf } from '@core/errors';
import {
  apiDescription,
  basePath,
  buildOpenApi,
  gateways,
  type RouteDefinition,
  routes,
  socketBasePath,
} from '@core/wire';
import { htmlOfMarkdown, htmlPageOf } from './html.ts';

/** One document outside the interface: its bytes, their type, and its cache time. */
export interface ServedDocument {
  readonly contentType: string;
  readonly body: string;
}

const title = 'Leveraged prediction-market trading service';
const summary =
  'Lists binary prediction markets, prices leveraged positions, signs quotes for a vault contract on an EVM chain, ' +
  'and reports positions, fees and limits.';

/** Pages beside the interface, each with one sentence. */
const links: ReadonlyArray<readonly [path: string, sentence: string]> = [
  ['/reference', 'the interface, route by route, with an example of each request and answer'],
  ['/openapi.json', 'the same as an OpenAPI 3.1 document, for programs'],
  ['/asyncapi.json', 'events over WebSocket as an AsyncAPI 3 document, for programs'],
  ['/errors', 'every error code: what it means, whether to retry, what to change'],
  ['/llms.txt', 'all of this in one text'],
  ['/.well-known/jwks.json', 'the public keys of user tokens'],
  ['/healthz', 'whether the process runs'],
  ['/readyz', 'whether it can quote, and what is missing'],
];

const definitions: readonly RouteDefinition[] = Object.values(routes);
const html = (page: { title: string; body: string }): ServedDocument => ({
  contentType: 'text/html; charset=utf-8',
  body: htmlPageOf(page),
});
const markdown = (body: string): ServedDocument => ({ contentType: 'text/markdown; charset=utf-8', body });

/** Every document of a service known under this origin, by path. */
export function documentsOf(origin: string): ReadonlyMap<string, ServedDocument> {
  const index = errorIndexOf();
  return new Map([
    ['/', html({ title, body: htmlOfMarkdown(homeOf(origin)) })],
    [
      '/openapi.json',
      { contentType: 'application/json; charset=utf-8', body: `${JSON.stringify(buildOpenApi(origin))}\n` },
    ],
    ['/llms.txt', { contentType: 'text/plain; charset=utf-8', body: llmsTextOf(origin) }],
    ['/errors', html({ title: 'Error codes', body: htmlOfMarkdown(index) })],
    ['/errors.md', markdown(index)],
    ...errorCodes.flatMap((code) => {
      const page = errorPageOf(code);
      const body = `<p><a href="/errors">Error codes</a></p>\n${htmlOfMarkdown(page)}`;
      return [
        [`/errors/${code}`, html({ title: code, body })] as const,
        [`/errors/${code}.md`, markdown(page)] as const,
      ];
    }),
  ]);
}

function homeOf(origin: string): string {
  return [
    `# ${title}`,
    '',
    summary,
    '',
    `Every path of the interface starts with \`${origin}${basePath}\`, every socket with \`${socketBaseOf(origin)}\`.`,
    '',
    ...links.map(([path, sentence]) => `- [${path}](${path}): ${sentence}`),
    '',
  ].join('\n');
}

/** `http:` becomes `ws:`, `https:` becomes `wss:`. */
function socketBaseOf(origin: string): string {
  return `${origin.replace(/^http/, 'ws')}${socketBasePath}`;
}

function errorIndexOf(): string {
  return [
    '# Error codes',
    '',
    'Programs dispatch on `error.code`; the message is for display.',
    '',
    ...errorCodes.map((code) => `- [${code}](/errors/${code}): ${errorTable[code].message}`),
    '',
  ].join('\n');
}

/** Required caller of a route, as text. */
const callers: Record<RouteDefinition['auth'], string> = {
  partner: 'API key',
  user: 'user token',
  user_or_partner: 'user token or API key',
  public: 'no credential',
};

function llmsTextOf(origin: string): string {
  return [
    `# ${title}`,
    '',
    `> ${summary}`,
    '',
    `Base URL: ${origin}${basePath}`,
    '',
    apiDescription,
    '- **Credentials**: `Authorization: Api-Key <API_KEY>` for partners, `Authorization: Bearer <ACCESS_TOKEN>` for users.',
    '',
    '## Open a position',
    '',
    '1. `POST /tokens` with the API key and `{ "wallet_address": "0x…" }` gives a token for that wallet.',
    '2. `GET /markets?accepting_new_positions=true` lists what can be opened now.',
    '3. `POST /draft-quotes` shows the numbers; `POST /promoted-quotes/{id}?expand=transaction` signs them.',
    '4. Give the allowances in `transaction.approvals`, then send `transaction` from the wallet before `expires_at`.',
    '5. `GET /positions` follows the position; its `on_chain_position_key` is that of the quote.',
    '',
    '## Documents',
    '',
    ...links.map(([path, sentence]) => `- [${path}](${origin}${path}): ${sentence}`),
    '',
    '## Routes',
    '',
    ...definitions.flatMap(({ method, path, aliases, summary: what, auth, deprecated }) =>
      [path, ...aliases].map(
        (each) => `- \`${method} ${each}\`: ${what} (${callers[auth]}${deprecated ? ', deprecated' : ''})`,
      ),
    ),
    '',
    '## Sockets',
    '',
    ...Object.values(gateways).map(
      ({ path, auth, summary: what }) => `- \`${socketBaseOf(origin)}${path}\`: ${what} (${callers[auth]})`,
    ),
    '',
    '## Error codes',
    '',
    ...errorCodes.map(
      (code) =>
        `- [${code}](${origin}/errors/${code}.md): ${statusesOf(code).join(' or ')}, retry ${errorTable[code].retry}`,
    ),
    '',
  ].join('\n');
}

import { readFileSync } from 'node:fs';
import { errorCodes, exampleErrorOf } from '@core/errors';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { type RouteDefinition } from '../routes/route.ts';
import { routes } from '../routes.ts';
import { buildOpenApi, codesOf } from './buildOpenApi.ts';

const committed = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
const definitions: ReadonlyArray<readonly [string, RouteDefinition]> = Object.entries(routes);

/** Paths of the specification (Endpoints), repeated here so that none can vanish from the table. */
const specifiedPaths = [
  'POST /tokens',
  'GET /contract-info',
  'GET /fee-rates',
  'POST /fee-reports',
  'GET /partner-limits',
  'GET /user-limits',
  'GET /markets',
  'GET /markets/search',
  'GET /markets/{ticker}',
  'GET /markets/{ticker}/price-history',
  'GET /markets/{ticker}/order-book',
  'GET /market-statistics',
  'GET /events/{event_ticker}/markets',
  'GET /series/{series_ticker}/markets',
  'GET /positions',
  'GET /markets/{ticker}/positions',
  'GET /events/{event_ticker}/positions',
  'GET /series/{series_ticker}/positions',
  'GET /positions/{position_id}',
  'GET /positions/{position_id}/transactions',
  'GET /positions/{position_id}/partial-closes',
  'GET /positions/{position_id}/unwinds',
  'POST /quotes',
  'POST /offers',
  'POST /draft-quotes',
  'POST /draft-offers',
  'POST /promoted-quotes/{draft_quote_id}',
  'POST /promoted-offers/{draft_offer_id}',
  'POST /sample-events',
];

describe('buildOpenApi', () => {
  test('openapi.json is current (run `pnpm gen` when this fails)', () => {
    expect(committed).toBe(`${JSON.stringify(buildOpenApi(), null, 2)}\n`);
  });

  test('every reference resolves', () => {
    const document: unknown = JSON.parse(committed);
    const references = [...committed.matchAll(/"\$ref": "#([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(references.length).toBeGreaterThan(50);
    for (const reference of new Set(references)) {
      const target = reference
        .slice(1)
        .split('/')
        .reduce<unknown>(
          (node, key) => (node === null || typeof node !== 'object' ? undefined : Reflect.get(node, key)),
          document,
        );
      expect([reference, typeof target]).toEqual([reference, 'object']);
    }
  });

  test('money is documented as text, never as an integer', () => {
    expect(committed).not.toContain('"format": "int64"');
    expect(committed).not.toMatch(/_usd_pips": \{\s*"type": "(integer|number)"/);
  });

  test('a request schema has no defaults, which client generators treat as required', () => {
    const { components } = JSON.parse(committed) as { components: { schemas: Record<string, { properties: object }> } };
    const { properties } = components.schemas['QuoteRequest'] ?? { properties: {} };
    expect(Object.keys(properties)).toContain('allow_revision');
    for (const [name, property] of Object.entries(properties))
      expect([name, 'default' in property]).toEqual([name, false]);
    expect(JSON.stringify(properties)).toContain('Default: false');
  });

  test('every operation has a description, and every 401 names the accepted credentials in a header', () => {
    const { paths, components } = JSON.parse(committed) as {
      paths: Record<string, Record<string, { description?: string }>>;
      components: { responses: Record<string, { headers: object }> };
    };
    const described = Object.values(paths).flatMap((item) =>
      Object.values(item).map(({ description }) => description ?? ''),
    );
    expect(described).toHaveLength(specifiedPaths.length);
    for (const description of described) expect(description.length).toBeGreaterThan(30);
    expect(components.responses['Unauthorized']?.headers).toHaveProperty('WWW-Authenticate');
  });

  test('operation ids are unique', () => {
    const ids = [...committed.matchAll(/"operationId": "(\w+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(specifiedPaths.length);
  });
});

interface Media {
  readonly schema: unknown;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** Find every schema with an example, and the position of the schema as a JSON pointer. */
function* examplesIn(node: unknown, pointer = ''): Generator<{ pointer: string; name: string; example: unknown }> {
  if (node === null || typeof node !== 'object') return;
  const { schema, example, examples } = node as Partial<Media>;
  if (schema !== undefined && example !== undefined) yield { pointer: `${pointer}/schema`, name: 'example', example };
  for (const [name, { value }] of Object.entries(examples ?? {})) {
    yield { pointer: `${pointer}/schema`, name, example: value };
  }
  for (const [key, child] of Object.entries(node)) {
    yield* examplesIn(child, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

describe('examples', () => {
  const document: { paths: Record<string, Record<string, Record<string, unknown>>> } = JSON.parse(committed);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');

  test('every request, response and error code of every route has one', () => {
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
    );
    expect(operations).toHaveLength(specifiedPaths.length);
    const mediaOf = (holder: unknown): Media | undefined =>
      (holder as { content?: Record<string, Media> } | undefined)?.content?.['application/json'];
    const missing = operations.flatMap(({ name, operation }) => {
      const { requestBody, responses } = operation as { requestBody?: unknown; responses: Record<string, unknown> };
      const successes = Object.entries(responses).filter(([status]) => Number(status) < 400);
      const holders = [...(requestBody === undefined ? [] : [requestBody]), ...successes.map(([, answer]) => answer)];
      return holders.filter((holder) => mediaOf(holder)?.example === undefined).map(() => name);
    });
    expect(missing).toEqual([]);
    const codes = new Set([...committed.matchAll(/"const": "(\w+)",\s*"description"/g)].map((match) => match[1]));
    expect(errorCodes.filter((code) => !codes.has(code))).toEqual([]);
  });

  test('each fits its schema', () => {
    const examples = [...examplesIn(document)];
    expect(examples.length).toBeGreaterThan(250);
    const validators = new Map<string, ValidateFunction>();
    for (const { pointer, name, example } of examples) {
      const validate = validators.get(pointer) ?? ajv.compile({ $ref: `document#${encodeURI(pointer)}` });
      validators.set(pointer, validate);
      validate(example);
      expect([pointer, name, validate.errors ?? []]).toEqual([pointer, name, []]);
    }
  });

  test('a wrong example is detected', () => {
    const validate = ajv.compile({ $ref: 'document#/components/schemas/QuoteLeverageExceedsMaximumError' });
    const right = exampleErrorOf('quote_leverage_exceeds_maximum');
    expect(validate(right)).toBe(true);
    for (const wrong of [
      { ...right, code: 'unauthorized' },
      { ...right, params: {} },
      { ...right, more: 1 },
    ]) {
      expect(validate(wrong)).toBe(false);
    }
  });
});

test('servers, tags and both credentials are described', () => {
  expect(buildOpenApi('https://api.example')).toMatchObject({
    servers: [{ url: 'https://api.example' }],
    components: { securitySchemes: { apiKey: { in: 'header' }, userToken: { scheme: 'bearer' } } },
  });
  const { tags } = buildOpenApi() as { tags: { name: string }[] };
  expect(new Set(tags.map(({ name }) => name))).toEqual(new Set(definitions.map(([, { tag }]) => tag)));
});

describe('routes', () => {
  test('contains exactly the endpoints of the specification', () => {
    const paths = definitions.flatMap(([, route]) =>
      [route.path, ...route.aliases].map((path) => `${route.method} ${path}`),
    );
    expect(paths.toSorted()).toEqual(specifiedPaths.toSorted());
  });

  test('every code of the table belongs to at least one route', () => {
    const raised = new Set(definitions.flatMap(([, route]) => codesOf(route)));
    expect(errorCodes.filter((code) => !raised.has(code))).toEqual([]);
  });

  test.each(definitions)('%s: an alias has the same path parameters in the same order', (_name, route) => {
    const count = (path: string): number => path.split('{').length;
    for (const alias of route.aliases) expect(count(alias)).toBe(count(route.path));
  });
});

import { readFileSync } from 'node:fs';
import { errorCodes } from '@core/errors';
import { describe, expect, test } from 'vitest';
import { type RouteDefinition } from '../routes/route.ts';
import { routes } from '../routes.ts';
import { buildOpenApi, codesOf } from './buildOpenApi.ts';

const committed = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
const definitions: ReadonlyArray<readonly [string, RouteDefinition]> = Object.entries(routes);

/** Every path of the specification, Endpoints, written out once more so that none can vanish from the table. */
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

describe('the OpenAPI document', () => {
  test('openapi.json is current (run `pnpm gen` when this fails)', () => {
    expect(committed).toBe(`${JSON.stringify(buildOpenApi(), null, 2)}\n`);
  });

  test('every reference leads somewhere', () => {
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

  test('operation ids are unique', () => {
    const ids = [...committed.matchAll(/"operationId": "(\w+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(specifiedPaths.length);
  });
});

describe('the route table', () => {
  test('holds exactly the endpoints of the specification', () => {
    const paths = definitions.flatMap(([, route]) =>
      [route.path, ...route.aliases].map((path) => `${route.method} ${path}`),
    );
    expect(paths.toSorted()).toEqual(specifiedPaths.toSorted());
  });

  test('every code of the table belongs to at least one route', () => {
    const raised = new Set(definitions.flatMap(([, route]) => codesOf(route)));
    expect(errorCodes.filter((code) => !raised.has(code))).toEqual(['not_implemented']);
  });

  test.each(definitions)('%s: an alias has the same path parameters in the same order', (_name, route) => {
    const count = (path: string): number => path.split('{').length;
    for (const alias of route.aliases) expect(count(alias)).toBe(count(route.path));
  });
});

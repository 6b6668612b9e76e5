import type { RouteDefinition } from '@core/wire';
import type { z } from 'zod';
import { brokenRuleOf } from './brokenRule.ts';
import { invalidBody, invalidRequest, type Refusal } from './call.ts';

/** The three parsed parts of a request. */
export interface ParsedCall {
  readonly kind: 'parsed';
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Parse path, query and body of a request by the schemas of its route: wire → quantities, here and nowhere else. */
export function parseCall(
  route: RouteDefinition,
  raw: { readonly params: unknown; readonly query: unknown; readonly body: Buffer },
): ParsedCall | Refusal {
  const params = parseNamed(route.params, raw.params);
  if (!params.success) return refusalOf(params.error, route.params);
  const query = parseNamed(route.query, raw.query);
  if (!query.success) return refusalOf(query.error, route.query);
  if (route.body === null) return { kind: 'parsed', params: params.data, query: query.data, body: null };
  const json = readJson(raw.body);
  if (json.kind === 'malformed') return invalidBody('must be JSON');
  // Decision: packages/wire/DECISIONS.md#duplicate-json-keys-are-refused
  if (json.kind === 'repeated') return invalidRequest(json.name, 'must not be given twice');
  const body = route.body.safeParse(json.value, { reportInput: true });
  if (!body.success) return refusalOf(body.error, route.body);
  return { kind: 'parsed', params: params.data, query: query.data, body: body.data };
}

type Parsed = z.ZodSafeParseResult<unknown>;

/** Result of each schema for an empty input. Most requests have no query, and many have no path parameter. */
const ofNothing = new WeakMap<z.ZodType, Parsed>();

function parseNamed(schema: z.ZodType, named: unknown): Parsed {
  if (Object.keys(Object(named)).length > 0) return schema.safeParse(storable(named), { reportInput: true });
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
  const names = new Set<string>();
  for (const [, string = '', colon] of text.matchAll(jsonStrings)) {
    if (colon !== ':') continue;
    const name = string.includes('\\') ? String(JSON.parse(string)) : string.slice(1, -1);
    if (names.has(name)) return name;
    names.add(name);
  }
  return null;
}

/** Longest name of a field that is repeated to the caller. */
const maxShownLength = 100;

/** The refusal of a request by its first issue: "leverage_bps: must be a multiple of 2500, not 30001: send 30000 …". */
function refusalOf(error: z.ZodError, schema: z.ZodType): Refusal {
  const [issue] = error.issues;
  if (issue === undefined) return invalidBody('is malformed');
  const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const path = [...issue.path, ...(unknown === undefined ? [] : [unknown])].map(String).join('.');
  const rule = unknown === undefined ? brokenRuleOf(issue) : unknownFieldOf(schema);
  return path === '' ? invalidBody(rule) : invalidRequest(path.slice(0, maxShownLength), rule);
}

/** Rule that an unknown field breaks, with the known ones where the schema has names. */
function unknownFieldOf(schema: z.ZodType): string {
  const names = Object.keys(Object(Reflect.get(schema, 'shape')));
  return `is not a field of this request${names.length === 0 ? '' : `, which takes ${names.join(', ')}`}`;
}

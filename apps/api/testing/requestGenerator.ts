import * as fc from 'fast-check';
import { fieldOf } from './startTestApi.ts';

/** One request made from the description of the interface, and the operation it was made for. */
export interface GeneratedRequest {
  readonly operationId: string;
  /** Pointer to the operation in the document. */
  readonly pointer: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly caller: 'documented' | 'other' | 'none';
  /** Credentials that the operation documents. */
  readonly security: readonly string[];
  readonly idempotencyKey: string | null;
  readonly body: string | null;
}

/** Values that the service under test knows or accepts, by the name of the field they fill. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly { readonly name?: string; readonly in?: string; readonly schema?: unknown }[];
  readonly requestBody?: unknown;
}

/** Texts that parsers stumble over. */
const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    'null',
    'NaN',
    '__proto__',
    'constructor',
    '..',
    '%00',
    '\u0000',
    "'; --",
    '💥',
  ),
  fc.string({ unit: 'binary', maxLength: 24 }),
  fc.string({ minLength: 200, maxLength: 300 }),
);
const hostileValue = fc.oneof(hostileText, fc.jsonValue({ maxDepth: 2 }), fc.maxSafeInteger(), fc.double());

/** Requests for every operation of an OpenAPI document: most of them valid, the others nearly. */
export function requestsOf(document: unknown, known: KnownValues): fc.Arbitrary<GeneratedRequest> {
  const paths = Object.entries(fieldOf(document, 'paths') as Record<string, Record<string, Operation>>);
  const operations = paths.flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const arbitraries = operations.map(({ path, method, operation }) =>
    requestOf(document, known, { path, method, operation }),
  );
  return fc.oneof(...arbitraries);
}

function requestOf(
  document: unknown,
  known: KnownValues,
  { path, method, operation }: { readonly path: string; readonly method: string; readonly operation: Operation },
): fc.Arbitrary<GeneratedRequest> {
  const valueOf = (name: string, schema: unknown) => fieldValue({ document, known }, name, schema);
  const named = operation.parameters.flatMap(({ name, in: location, schema }) =>
    name === undefined || schema === undefined ? [] : [{ name, location, value: valueOf(name, schema).map(String) }],
  );
  const inPath = named.filter(({ location }) => location === 'path');
  const inQuery = named.filter(({ location }) => location === 'query');
  const bodySchema = fieldOf(operation.requestBody, 'content', 'application/json', 'schema');
  return fc
    .record({
      segments: fc.tuple(...inPath.map(({ value }) => mostly(value, hostileText))),
      query: fc.tuple(
        ...inQuery.map(({ name, value }) => seldom(mostly(value, hostileText).map((text) => [name, text] as const))),
      ),
      extra: rarely(fc.tuple(fc.string({ maxLength: 6 }), hostileText)),
      body: bodySchema === undefined ? rarely(bodyText(fc.jsonValue())) : bodyText(valueOf('', bodySchema)),
      caller: fc.constantFrom(...Array<'documented'>(14).fill('documented'), 'other' as const, 'none' as const),
      idempotencyKey: method === 'post' ? rarely(fc.constantFrom('a', 'b', 'c', 'd', '')) : fc.constant(null),
    })
    .map(({ segments, query, extra, body, caller, idempotencyKey }) => {
      const pairs = [...query, extra].filter((pair) => pair !== null);
      const text = pairs.map(([name, value]) => `${encode(name)}=${encode(String(value))}`).join('&');
      const address = segments.reduce<string>((left, value) => left.replace(/\{\w+\}/, () => encode(value)), path);
      return {
        operationId: operation.operationId,
        pointer: `/paths/${path.replaceAll('/', '~1')}/${method}`,
        method: method === 'get' ? 'GET' : 'POST',
        path: text === '' ? address : `${address}?${text}`,
        caller,
        security: operation.security.flatMap((scheme) => Object.keys(scheme)),
        idempotencyKey,
        body: method === 'get' ? null : body,
      } as const;
    });
}

/** Percent encoding of any text; what is no Unicode is replaced, as a client would. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());
const mostly = <Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: other });
const rarely = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });

/** A parameter that may be left out mostly is: together they exclude each other. */
const seldom = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });

/** A body as text: usually the value, sometimes with one field spoiled, at times no JSON at all. */
function bodyText(value: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const spoiled = fc.tuple(value, fc.nat(), fc.string({ maxLength: 8 }), hostileValue, fc.boolean()).map((parts) => {
    const [body, index, name, junk, isNew] = parts;
    if (typeof body !== 'object' || body === null) return junk;
    const keys = Object.keys(body);
    const key = isNew || keys.length === 0 ? name : (keys[index % keys.length] ?? name);
    return { ...body, [key]: junk };
  });
  return fc.oneof(
    { weight: 12, arbitrary: value.map((body) => JSON.stringify(body)) },
    { weight: 5, arbitrary: spoiled.map((body) => JSON.stringify(body) ?? '') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  );
}

interface Source {
  readonly document: unknown;
  readonly known: KnownValues;
}

/** A value for a field: a name that exists where there are some, else whatever its schema allows. */
function fieldValue(source: Source, name: string, schema: unknown): fc.Arbitrary<unknown> {
  const names = source.known[name];
  const fromSchema = valueOf(source, schema);
  return names === undefined ? fromSchema : mostly(fc.constantFrom(...names), fromSchema);
}

/** Anything a schema of the document allows; only what requests use is understood. */
function valueOf(source: Source, schema: unknown): fc.Arbitrary<unknown> {
  const reference = fieldOf(schema, '$ref');
  if (typeof reference === 'string') {
    return valueOf(source, fieldOf(source.document, ...reference.slice('#/'.length).split('/')));
  }
  const choices = fieldOf(schema, 'enum');
  if (Array.isArray(choices)) return fc.constantFrom<unknown>(...choices);
  const constant = fieldOf(schema, 'const');
  if (constant !== undefined) return fc.constant(constant);
  switch (fieldOf(schema, 'type')) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integerOf(schema);
    case 'string':
      return textOf(schema);
    case 'object':
      return objectOf(source, schema);
    default:
      throw new Error(`a request has a schema that is not understood: ${JSON.stringify(schema)}`);
  }
}

function integerOf(schema: unknown): fc.Arbitrary<number> {
  const [minimum, maximum] = [fieldOf(schema, 'minimum') ?? 0, fieldOf(schema, 'maximum') ?? 200_000].map(Number);
  const step = Number(fieldOf(schema, 'multipleOf') ?? 1);
  const inside = fc
    .integer({ min: Math.ceil((minimum ?? 0) / step), max: Math.floor((maximum ?? 0) / step) })
    .map((count) => count * step);
  return mostly(inside, fc.integer());
}

function textOf(schema: unknown): fc.Arbitrary<string> {
  const pattern = fieldOf(schema, 'pattern');
  if (typeof pattern === 'string') {
    // A size that trades, beside everything else the pattern allows.
    const amount = fc.integer({ min: 40_000, max: 20_000_000 }).map(String);
    const texts = fc.stringMatching(new RegExp(pattern));
    return new RegExp(pattern).test('40000') ? fc.oneof(amount, texts) : texts;
  }
  const described = /Comma-separated list of: (.+)/.exec(String(fieldOf(schema, 'description') ?? ''));
  return described === null
    ? fc.string({ minLength: 1, maxLength: 12 })
    : fc.constantFrom(...(described[1] ?? '').split(', '));
}

function objectOf(source: Source, schema: unknown): fc.Arbitrary<unknown> {
  const properties = Object.entries((fieldOf(schema, 'properties') ?? {}) as Record<string, unknown>);
  const required = (fieldOf(schema, 'required') ?? []) as readonly string[];
  return fc.record(Object.fromEntries(properties.map(([name, field]) => [name, fieldValue(source, name, field)])), {
    requiredKeys: [...required],
  });
}

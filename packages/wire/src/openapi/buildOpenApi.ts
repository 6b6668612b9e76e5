import { type ErrorCode, errorTable } from '@core/errors';
import { z } from 'zod';
import { errorEnvelopeSchema } from '../errorEnvelope.ts';
import { eventFrame } from '../events.ts';
import { parameterDescriptions } from '../requests/parameterSchemas.ts';
import { type AuthLevel, basePath, type RouteDefinition } from '../routes/route.ts';
import { everyRouteCodes } from '../routes/routeCodes.ts';
import { routes } from '../routes.ts';

type Json = Record<string, unknown>;

const schemaReference = (id: string): string => `#/components/schemas/${id}`;

/** Zod bounds whole numbers by what JavaScript holds exactly; a reader of the document learns nothing from that. */
function withoutSafeBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
const wireSide = { io: 'input', override: withoutSafeBounds } as const;

/** Schemas with an id become components; in responses too the wire is the input side of a codec. */
function componentsOf(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...wireSide, uri: schemaReference });
  const bare = Object.entries(schemas).map(([id, schema]) => {
    const { $schema: _dialect, $id: _id, ...rest } = schema;
    return [id, rest] as const;
  });
  return Object.fromEntries(bare.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function schemaOf(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id;
  if (id !== undefined) return { $ref: schemaReference(id) };
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, wireSide);
  return rest;
}

function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  if (!(schema instanceof z.ZodObject)) throw new TypeError('parameters are described by an object schema');
  const shape: Record<string, z.ZodType> = {};
  for (const [name, field] of Object.entries(schema.shape)) if (field instanceof z.ZodType) shape[name] = field;
  return shape;
}

function parametersOf(location: 'path' | 'query', schema: z.ZodType): Json[] {
  return Object.entries(shapeOf(schema)).map(([name, field]) => {
    const described = parameterDescriptions.get(field);
    // A number or a boolean travels as text here; what counts for the reader is what the text means.
    const fromSchema = described === undefined || described.type === 'string' ? schemaOf(field) : {};
    const { description, deprecated, ...plain }: Json = { ...fromSchema, ...described };
    const isOptional = field.safeParse(undefined).success;
    return {
      name,
      in: location,
      required: location === 'path' || !isOptional,
      ...(description !== undefined && { description }),
      ...(deprecated === true && { deprecated }),
      schema: plain,
    };
  });
}

const securityOf: Record<AuthLevel, Json[]> = {
  partner: [{ apiKey: [] }],
  user: [{ userToken: [] }],
  user_or_partner: [{ userToken: [] }, { apiKey: [] }],
  public: [],
};

const rateHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Request-Id'];
const headers = Object.fromEntries(rateHeaders.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function errorResponsesOf(codes: readonly ErrorCode[]): Json {
  const statuses = [...new Set(codes.map((code) => errorTable[code].status))].toSorted((a, b) => a - b);
  const responses = statuses.map((status) => {
    const ofStatus = codes.filter((code) => errorTable[code].status === status);
    return [
      String(status),
      {
        description: ofStatus.map((code) => `\`${code}\``).join(', '),
        headers: status === 429 ? { ...headers, 'Retry-After': { $ref: '#/components/headers/Retry-After' } } : headers,
        content: { 'application/json': { schema: { $ref: schemaReference('Error') } } },
      },
    ] as const;
  });
  return Object.fromEntries(responses);
}

/** Every code a route may answer with. */
export function codesOf(route: RouteDefinition): readonly ErrorCode[] {
  return [...(route.auth === 'public' ? [] : ['unauthorized' as const]), ...everyRouteCodes, ...route.codes];
}

function operationOf(name: string, route: RouteDefinition, path: string): Json {
  const { body, response } = route;
  const pathNames = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  const pathParameters = parametersOf('path', route.params).map((parameter, index) => ({
    ...parameter,
    name: pathNames[index],
  }));
  const isAlias = path !== route.path;
  const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' };
  return {
    operationId: isAlias
      ? `${name}At${path.split('/')[1]?.replace(/(^|-)(\w)/g, (_m, _d, c: string) => c.toUpperCase())}`
      : name,
    tags: [route.tag],
    summary: route.summary,
    ...(route.deprecated && { deprecated: true }),
    security: securityOf[route.auth],
    parameters: [
      ...pathParameters,
      ...parametersOf('query', route.query),
      ...(route.method === 'POST' ? [idempotencyKey] : []),
    ],
    ...(body !== null && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { 'application/json': { schema: schemaOf(body) } },
      },
    }),
    responses: {
      [String(response.status)]: {
        description: 'Success',
        headers,
        content: { 'application/json': { schema: schemaOf(response.schema) } },
      },
      ...errorResponsesOf(codesOf(route)),
    },
  };
}

const headerComponents = {
  'X-RateLimit-Limit': { description: 'Requests allowed in the window', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left in the window', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'Seconds until the window resets', schema: { type: 'integer' } },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
  'Request-Id': { description: 'Identifier of this request in the logs', schema: { type: 'string' } },
};

/** The OpenAPI 3.1 document of the whole interface, from the route table and the schemas. Deterministic. */
export function buildOpenApi(): Json {
  // Read so that schemas reachable only through sockets are registered too.
  if (eventFrame === undefined || errorEnvelopeSchema === undefined) throw new Error('schemas are not loaded');
  const paths: Record<string, Json> = {};
  const definitions: ReadonlyArray<readonly [string, RouteDefinition]> = Object.entries(routes);
  for (const [name, route] of definitions) {
    for (const path of [route.path, ...route.aliases]) {
      const item = paths[`${basePath}${path}`] ?? {};
      paths[`${basePath}${path}`] = { ...item, [route.method.toLowerCase()]: operationOf(name, route, path) };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Leveraged prediction-market trading service',
      version: '1.0',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths,
    components: {
      schemas: componentsOf(),
      headers: headerComponents,
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'A repeat with the same key and body replays the first successful answer for 24 hours',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      },
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`Api-Key <API_KEY>`',
        },
        userToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
  };
}

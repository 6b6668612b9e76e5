import { type ErrorCode, errorCodes } from '@core/errors';
import { keysOf } from '@core/position';
import { z } from 'zod';
import { errorEnvelopeSchema } from '../errorEnvelope.ts';
import { eventFrame } from '../events.ts';
import { parameterDescriptions } from '../requests/parameterSchemas.ts';
import { fieldsOf } from '../routes/fields.ts';
import { type AuthLevel, basePath, type RouteDefinition } from '../routes/route.ts';
import { everyRouteCodes } from '../routes/routeCodes.ts';
import { type RouteName, routes } from '../routes.ts';
import { ErrorResponses } from './errorResponses.ts';
import { errorComponentNameOf, errorSchemaOf } from './errorSchemas.ts';
import { exampleOf } from './examples.ts';
import { apiDescription, operationDescriptions, tagDescriptions } from './prose.ts';

type Json = Record<string, unknown>;

const schemaReference = (id: string): string => `#/components/schemas/${id}`;

/** Remove the bounds of safe integers that Zod adds to whole numbers; they mean nothing to a reader. */
function withoutSafeBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
const wireSide = { io: 'input', override: withoutSafeBounds } as const;

/**
 * Build the components: schemas with an ID. Responses use the input side of codecs as well, because that is the wire.
 */
function componentsOf(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...wireSide, uri: schemaReference });
  const bare = Object.entries(schemas).map(([id, schema]) => {
    const { $schema: _dialect, $id: _id, ...rest } = schema;
    return [id, requestIds().has(id) ? withoutDefaults(rest) : rest] as const;
  });
  return Object.fromEntries(bare.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Return the names of the schemas that describe requests. */
function requestIds(): ReadonlySet<string> {
  const bodies = Object.values(routes).map(({ body }) => (body === null ? undefined : z.globalRegistry.get(body)?.id));
  return new Set(bodies.filter((id) => id !== undefined));
}

/**
 * Describe the defaults of a request schema in words. Client generators treat a property with a `default` as always
 * present, and their types then refuse a request without it.
 */
function withoutDefaults(schema: Json): Json {
  const properties = Object.entries(schema['properties'] ?? {}).map(([name, property]: [string, Json]) => {
    const { default: value, description, ...rest } = property;
    if (value === undefined) return [name, property] as const;
    const words = [...(description === undefined ? [] : [String(description)]), `Default: ${String(value)}`];
    return [name, { ...rest, description: words.join('. ') }] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

function schemaOf(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id;
  if (id !== undefined) return { $ref: schemaReference(id) };
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, wireSide);
  return rest;
}

function parametersOf(location: 'path' | 'query', schema: z.ZodType): Json[] {
  return Object.entries(fieldsOf(schema)).map(([name, field]) => {
    const described = parameterDescriptions.get(field);
    // Numbers and booleans are text in a query; the document describes their meaning.
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

const indexedBlock = { 'Indexed-Block': { $ref: '#/components/headers/Indexed-Block' } };

/** Return every code of a route. */
export function codesOf(route: RouteDefinition): readonly ErrorCode[] {
  return [...(route.auth === 'public' ? [] : ['unauthorized' as const]), ...everyRouteCodes, ...route.codes];
}

/** Context of an operation: its path, and the error responses of the document. */
interface OperationPlace {
  readonly path: string;
  readonly errors: ErrorResponses;
}

function operationOf(name: RouteName, route: RouteDefinition, { path, errors }: OperationPlace): Json {
  const { body, response } = route;
  const example = exampleOf(name);
  const pathNames = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  const pathParameters = parametersOf('path', route.params).map((parameter, index) => ({
    ...parameter,
    name: pathNames[index],
    example: example.params[index],
  }));
  const isAlias = path !== route.path;
  const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' };
  return {
    operationId: isAlias
      ? `${name}At${path.split('/')[1]?.replace(/(^|-)(\w)/g, (_m, _d, c: string) => c.toUpperCase())}`
      : name,
    tags: [route.tag],
    summary: route.summary,
    description: isAlias ? `Alias of \`${route.path}\`. ${operationDescriptions[name]}` : operationDescriptions[name],
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
        content: { 'application/json': { schema: schemaOf(body), example: example.request ?? {} } },
      },
    }),
    responses: {
      [String(response.status)]: {
        description: 'Success',
        headers: route.tag === 'Positions' ? { ...headers, ...indexedBlock } : headers,
        content: { 'application/json': { schema: schemaOf(response.schema), example: example.response } },
      },
      ...errors.responsesOf(name, codesOf(route)),
    },
  };
}

const headerComponents = {
  'X-RateLimit-Limit': { description: 'Requests allowed in the window', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests remaining in the window', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'Seconds until the window resets', schema: { type: 'integer' } },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'Credentials that the route accepts', schema: { type: 'string' } },
  'Request-Id': { description: 'Identifier of this request in the logs', schema: { type: 'string' } },
  'Indexed-Block': {
    description: 'Block up to which the chain was indexed when the positions were read, or an earlier one',
    schema: { type: 'integer' },
  },
};

/** Origin of the local stack; the committed document names it. */
const localOrigin = 'http://127.0.0.1:8080';

/**
 * Build the OpenAPI 3.1 document of the whole interface from the route table and the schemas. Deterministic.
 *
 * @param origin Scheme and host of the service that serves the document.
 */
export function buildOpenApi(origin: string = localOrigin): Json {
  // Imported so that schemas used only by sockets are registered too.
  if (eventFrame === undefined || errorEnvelopeSchema === undefined) throw new Error('schemas are not loaded');
  const paths: Record<string, Json> = {};
  const errors = new ErrorResponses(headers);
  for (const name of keysOf(routes)) {
    const route: RouteDefinition = routes[name];
    for (const path of [route.path, ...route.aliases]) {
      const item = paths[`${basePath}${path}`] ?? {};
      paths[`${basePath}${path}`] = {
        ...item,
        [route.method.toLowerCase()]: operationOf(name, route, { path, errors }),
      };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Leveraged prediction-market trading service',
      version: '1.0',
      description: apiDescription,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: {
        ...componentsOf(),
        ...Object.fromEntries(errorCodes.map((code) => [errorComponentNameOf(code), errorSchemaOf(code)])),
      },
      responses: errors.components(),
      headers: headerComponents,
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'Key of the request. A repeat with the same key and body returns the first successful response for 24 hours',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      },
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'Partner key, for servers only: `Api-Key <API_KEY>`',
        },
        userToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'Token for one wallet of one partner, from `POST /tokens`; valid for one hour',
        },
      },
    },
  };
}

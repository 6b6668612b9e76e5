import { keysOf } from '@core/position';
import { z } from 'zod';
import { type EventDefinition, type EventType, eventDefinitions, eventFrame, type Gateway } from '../events.ts';
import { market } from '../resources/market.ts';
import { closedPosition, openPosition, position } from '../resources/position.ts';
import { clientFrameSamples, clientFrames, serverFrameSamples, serverFrames } from '../sockets/frames.ts';
import {
  closeCodes,
  type GatewayDefinition,
  gateways,
  socketBasePath,
  socketLimits,
  socketProtocol,
  tokenProtocolPrefix,
} from '../sockets/gateways.ts';

type Json = Record<string, unknown>;

const entriesOf = <Value>(table: Readonly<Record<string, Value>>): ReadonlyArray<readonly [string, Value]> =>
  Object.entries(table);

/** Schemas that are components of the document; all other schemas are inlined. */
const components: Readonly<Record<string, z.ZodType>> = {
  Market: market,
  OpenPosition: openPosition,
  ClosedPosition: closedPosition,
  Position: position,
};

const schemaReference = (id: string): string => `#/components/schemas/${id}`;
/** Key under which Zod puts shared schemas. */
const sharedName = '__shared';

/** Remove the bounds of safe integers that Zod adds to whole numbers; they mean nothing to a reader. */
function withoutSafeBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** Build all components and the given schemas, which refer to the components. */
function schemasOf(others: Readonly<Record<string, z.ZodType>>): Json {
  const all = z.registry<{ id: string }>();
  for (const [id, schema] of [...entriesOf(components), ...entriesOf(others)]) all.add(schema, { id });
  const { schemas } = z.toJSONSchema(all, { io: 'input', override: withoutSafeBounds, uri: schemaReference });
  // Zod returns parts with an ID of their own separately: they are components like the others.
  const { [sharedName]: shared, ...own } = schemas;
  const parts: Readonly<Record<string, z.core.JSONSchema.BaseSchema>> = { ...own, ...shared?.$defs };
  const bare = Object.entries(parts).map(([id, schema]) => {
    const { $schema: _dialect, $id: _id, ...rest } = schema;
    return [id, rest] as const;
  });
  const sorted = Object.fromEntries(bare.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.parse(JSON.stringify(sorted).replaceAll(`${schemaReference(sharedName)}#/$defs/`, schemaReference('')));
}

/** Convert an event type to a component name: `position.partial_closed` → `PositionPartialClosed`. */
const pascalOf = (name: string): string =>
  name.replaceAll(/(^|[._])([a-z])/g, (_match, _separator, letter: string) => letter.toUpperCase());

/** Build the frame schema of one event type: fixed `type`, `data` in its own shape. */
function eventFrameOf(type: EventType, { data }: EventDefinition): z.ZodType {
  return z.object({ ...eventFrame.shape, type: z.literal(type), data });
}

/** Build a frame with the n-th sample of its type. */
function eventFrameSample(type: EventType, data: unknown, number: number): Json {
  const id = `evt_01jd${String(number).padStart(22, '0')}`;
  return { frame: 'event', id, seq: number, type, created_at: '2026-01-15T15:00:00.000Z', data };
}

interface Message {
  readonly name: string;
  readonly title: string;
  readonly summary?: string;
  readonly schema: z.ZodType;
  readonly examples: readonly unknown[];
}

const eventMessages: readonly Message[] = eventDefinitions.map(([type, definition]) => ({
  name: pascalOf(type),
  title: type,
  summary: definition.summary,
  schema: eventFrameOf(type, definition),
  examples: definition.samples.map((sample, index) => eventFrameSample(type, sample, index + 1)),
}));

const frameMessages: readonly Message[] = keysOf(serverFrameSamples).map((name) => ({
  name: `${pascalOf(name)}Frame`,
  title: name,
  schema: serverFrames[name],
  examples: [serverFrameSamples[name]],
}));

const clientMessages: readonly Message[] = keysOf(clientFrames).map((name) => ({
  name: `${pascalOf(name)}Action`,
  title: name,
  schema: clientFrames[name],
  examples: [clientFrameSamples[name]],
}));

const messages = [...frameMessages, ...eventMessages, ...clientMessages];

/** Frames that only the markets gateway has. */
const pricesFrames: ReadonlySet<string> = new Set(['prices', 'follow_prices']);

const readBy = (gateway: Gateway): readonly Message[] =>
  clientMessages.filter(({ title }) => gateway === 'markets' || !pricesFrames.has(title));

/** Return the frames that a gateway can send: only positions have a snapshot, only markets have prices to follow. */
function sentBy(gateway: Gateway): readonly Message[] {
  const own = new Set<string>(
    eventDefinitions.filter(([, { gateways: of }]) => of.includes(gateway)).map(([type]) => type),
  );
  const frames = frameMessages.filter(({ title }) =>
    gateway === 'markets' ? title !== 'snapshot' : !pricesFrames.has(title),
  );
  return [...frames, ...eventMessages.filter(({ title }) => own.has(title))];
}

const nameOf = (gateway: string): string => `${gateway}Gateway`;
const reference = (path: string): Json => ({ $ref: `#/${path}` });

const securityOf: Readonly<Record<GatewayDefinition['auth'], readonly string[]>> = {
  partner: ['apiKey'],
  user: ['userToken'],
  user_or_partner: ['userToken', 'apiKey'],
};

function channelOf(gateway: Gateway): Json {
  const definition: GatewayDefinition = gateways[gateway];
  const own = [...sentBy(gateway), ...readBy(gateway)];
  return {
    address: `${socketBasePath}${definition.path}`,
    title: nameOf(gateway),
    summary: definition.summary,
    messages: Object.fromEntries(own.map(({ name }) => [name, reference(`components/messages/${name}`)])),
    bindings: {
      ws: {
        method: 'GET',
        query: {
          type: 'object',
          properties: {
            resume_from: {
              type: 'string',
              description: 'ID of the last received event; the stream continues after it',
            },
          },
        },
      },
    },
  };
}

function operationsOf(gateway: Gateway): ReadonlyArray<readonly [string, Json]> {
  const { auth }: GatewayDefinition = gateways[gateway];
  const channel = nameOf(gateway);
  const on = (of: readonly Message[]) => of.map(({ name }) => reference(`channels/${channel}/messages/${name}`));
  const security = securityOf[auth].map((scheme) => reference(`components/securitySchemes/${scheme}`));
  const base = { channel: reference(`channels/${channel}`), security };
  return [
    [`${channel}Send`, { action: 'send', ...base, messages: on(sentBy(gateway)) }],
    [`${channel}Receive`, { action: 'receive', ...base, messages: on(readBy(gateway)) }],
  ];
}

function messageOf({ name, title, summary, examples }: Message): Json {
  return {
    name,
    title,
    ...(summary !== undefined && { summary }),
    contentType: 'application/json',
    payload: reference(`components/schemas/${name}`),
    examples: examples.map((payload) => ({ payload })),
  };
}

const description = [
  'Frames are JSON texts. A connection begins with `connected`; the gateways of positions then send `snapshot` frames,',
  'or, with `?resume_from=` and the ID of the last event received, the events since. `seq` counts the event frames of',
  'one connection; event IDs are permanent, and a repeated event has the same one. After `resync_required` the stream',
  'cannot be resumed: a snapshot follows.',
  '',
  'The markets gateway sends the prices of the markets that a client names with `follow_prices`: immediately, on every',
  `change, and every ${socketLimits.pricesRepeatMs / 1_000} seconds. Prices are not events: they are not resumed, the latest frame applies.`,
  '',
  `Browsers offer the subprotocols \`${socketProtocol}\` and \`${tokenProtocolPrefix}<ACCESS_TOKEN>\`. Refusals are`,
  'HTTP 401 before the upgrade.',
  '',
  '| close code | meaning | connect again |',
  '|---|---|---|',
  ...Object.values(closeCodes).map(
    ({ code, reason, reconnect }) => `| ${code} | ${reason} | ${reconnect ? 'yes' : 'no'} |`,
  ),
].join('\n');

/** Build the AsyncAPI 3 document of the three gateways from the tables of events and frames. Deterministic. */
export function buildAsyncApi(): Json {
  const schemas = schemasOf(Object.fromEntries(messages.map(({ name, schema }) => [name, schema])));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Leveraged prediction-market trading service: events',
      version: '1.0',
      description,
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: {
      service: {
        host: '{host}',
        protocol: 'wss',
        description: 'Host of the REST interface; without TLS on a local stack',
        variables: { host: { default: '127.0.0.1:8080' } },
      },
    },
    channels: Object.fromEntries(keysOf(gateways).map((gateway) => [nameOf(gateway), channelOf(gateway)])),
    operations: Object.fromEntries(keysOf(gateways).flatMap(operationsOf)),
    components: {
      messages: Object.fromEntries(messages.map((message) => [message.name, messageOf(message)])),
      schemas,
      securitySchemes: {
        apiKey: {
          type: 'httpApiKey',
          in: 'header',
          name: 'Authorization',
          description: '`Api-Key <API_KEY>`',
        },
        userToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
    'x-limits': socketLimits,
  };
}

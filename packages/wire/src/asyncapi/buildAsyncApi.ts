import { z } from 'zod';
import { type EventDefinition, type EventType, eventFrame, events, type Gateway } from '../events.ts';
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

/** Schemas that are components of the document; everything else stands where it is used. */
const components: Readonly<Record<string, z.ZodType>> = {
  Market: market,
  OpenPosition: openPosition,
  ClosedPosition: closedPosition,
  Position: position,
};

const schemaReference = (id: string): string => `#/components/schemas/${id}`;
/** Where Zod puts schemas that several others refer to. */
const sharedName = '__shared';

/** Zod bounds whole numbers by what JavaScript holds exactly; a reader of the document learns nothing from that. */
function withoutSafeBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** All components, and the given schemas beside them, referring to the components. */
function schemasOf(others: Readonly<Record<string, z.ZodType>>): Json {
  const all = z.registry<{ id: string }>();
  for (const [id, schema] of [...entriesOf(components), ...entriesOf(others)]) all.add(schema, { id });
  const { schemas } = z.toJSONSchema(all, { io: 'input', override: withoutSafeBounds, uri: schemaReference });
  // Parts with an ID of their own stand apart in the answer: they are components like the others.
  const { [sharedName]: shared, ...own } = schemas;
  const bare = Object.entries({ ...own, ...shared?.$defs }).map(([id, schema]) => {
    const { $schema: _dialect, $id: _id, ...rest } = schema as z.core.JSONSchema.BaseSchema;
    return [id, rest] as const;
  });
  const sorted = Object.fromEntries(bare.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.parse(JSON.stringify(sorted).replaceAll(`${schemaReference(sharedName)}#/$defs/`, schemaReference('')));
}

/** `position.partial_closed` → `PositionPartialClosed`. */
const pascalOf = (name: string): string =>
  name.replaceAll(/(^|[._])([a-z])/g, (_match, _separator, letter: string) => letter.toUpperCase());

const definitions: ReadonlyArray<readonly [EventType, EventDefinition]> = (Object.keys(events) as EventType[]).map(
  (type) => [type, events[type]],
);

/** The frame of one type: the type is fixed, `data` has its own shape. */
function eventFrameOf(type: EventType, { data }: EventDefinition): z.ZodType {
  return z.object({ ...eventFrame.shape, type: z.literal(type), data });
}

/** A frame with the n-th sample of its type. */
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

const eventMessages: readonly Message[] = definitions.map(([type, definition]) => ({
  name: pascalOf(type),
  title: type,
  summary: definition.summary,
  schema: eventFrameOf(type, definition),
  examples: definition.samples.map((sample, index) => eventFrameSample(type, sample, index + 1)),
}));

const frameMessages: readonly Message[] = Object.entries(serverFrameSamples).map(([name, sample]) => ({
  name: `${pascalOf(name)}Frame`,
  title: name,
  schema: serverFrames[name as keyof typeof serverFrames],
  examples: [sample],
}));

const clientMessages: readonly Message[] = Object.entries(clientFrames).map(([name, schema]) => ({
  name: `${pascalOf(name)}Action`,
  title: name,
  schema,
  examples: [clientFrameSamples[name as keyof typeof clientFrames]],
}));

const messages = [...frameMessages, ...eventMessages, ...clientMessages];

/** Frames a gateway can send: only the positions' gateways begin with a snapshot. */
function sentBy(gateway: Gateway): readonly Message[] {
  const own = new Set(
    definitions.filter(([, { gateways: of }]) => of.includes(gateway)).map(([type]) => type as string),
  );
  const frames = frameMessages.filter(({ title }) => gateway !== 'markets' || title !== 'snapshot');
  return [...frames, ...eventMessages.filter(({ title }) => own.has(title))];
}

const nameOf = (gateway: string): string => `${gateway}Gateway`;
const reference = (path: string): Json => ({ $ref: `#/${path}` });

const securityOf: Readonly<Record<GatewayDefinition['auth'], readonly string[]>> = {
  partner: ['apiKey'],
  user: ['userToken'],
  user_or_partner: ['userToken', 'apiKey'],
};

function channelOf([gateway, definition]: readonly [string, GatewayDefinition]): Json {
  const own = [...sentBy(gateway as Gateway), ...clientMessages];
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
            resume_from: { type: 'string', description: 'ID of the last event that was received: the stream goes on' },
          },
        },
      },
    },
  };
}

function operationsOf([gateway, { auth }]: readonly [string, GatewayDefinition]): ReadonlyArray<
  readonly [string, Json]
> {
  const channel = nameOf(gateway);
  const on = (of: readonly Message[]) => of.map(({ name }) => reference(`channels/${channel}/messages/${name}`));
  const security = securityOf[auth].map((scheme) => reference(`components/securitySchemes/${scheme}`));
  const base = { channel: reference(`channels/${channel}`), security };
  return [
    [`${channel}Send`, { action: 'send', ...base, messages: on(sentBy(gateway as Gateway)) }],
    [`${channel}Receive`, { action: 'receive', ...base, messages: on(clientMessages) }],
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
  'one connection; IDs are for ever, and an event that comes twice has the same one. `resync_required` says that what',
  'was asked for cannot be resumed: a snapshot follows.',
  '',
  `Browsers offer the subprotocols \`${socketProtocol}\` and \`${tokenProtocolPrefix}<ACCESS_TOKEN>\`. A refusal is`,
  'answered with HTTP 401 before the upgrade.',
  '',
  '| close code | meaning | connect again |',
  '|---|---|---|',
  ...Object.values(closeCodes).map(
    ({ code, reason, reconnect }) => `| ${code} | ${reason} | ${reconnect ? 'yes' : 'no'} |`,
  ),
].join('\n');

/** The AsyncAPI 3 document of the three gateways, from the tables of events and frames. Deterministic. */
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
        description: 'The host of the REST interface; without TLS on a local stack',
        variables: { host: { default: '127.0.0.1:8080' } },
      },
    },
    channels: Object.fromEntries(entriesOf(gateways).map((entry) => [nameOf(entry[0]), channelOf(entry)])),
    operations: Object.fromEntries(entriesOf(gateways).flatMap(operationsOf)),
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

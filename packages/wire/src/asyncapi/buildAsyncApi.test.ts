import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type EventDefinition, eventFrame, events, sampleEventsOf } from '../events.ts';
import { clientFrame, clientFrameSamples, serverFrameSamples, serverFrames } from '../sockets/frames.ts';
import { closeCodes, gateways, socketBasePath } from '../sockets/gateways.ts';
import { buildAsyncApi } from './buildAsyncApi.ts';

const committed = readFileSync(new URL('../../asyncapi.json', import.meta.url), 'utf8');
const definitions: ReadonlyArray<readonly [string, EventDefinition]> = Object.entries(events);

const message = z.object({
  title: z.string(),
  payload: z.object({ $ref: z.string() }),
  examples: z.array(z.object({ payload: z.unknown() })).min(1),
});
const document = z
  .object({
    asyncapi: z.literal('3.0.0'),
    channels: z.record(z.string(), z.object({ address: z.string(), messages: z.record(z.string(), z.unknown()) })),
    operations: z.record(z.string(), z.object({ action: z.enum(['send', 'receive']) })),
    components: z.object({ messages: z.record(z.string(), message), schemas: z.record(z.string(), z.unknown()) }),
  })
  .parse(JSON.parse(committed));

describe('the AsyncAPI document', () => {
  test('asyncapi.json is current (run `pnpm gen` when this fails)', () => {
    expect(committed).toBe(`${JSON.stringify(buildAsyncApi(), null, 2)}\n`);
  });

  test('every reference resolves', () => {
    const references = [...committed.matchAll(/"\$ref": "#([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) {
      const target = reference
        .slice(1)
        .split('/')
        .reduce<unknown>(
          (node, key) => (typeof node === 'object' && node !== null ? Reflect.get(node, key) : undefined),
          JSON.parse(committed),
        );
      expect([reference, typeof target]).toEqual([reference, 'object']);
    }
  });

  test('contains three gateways, each with exactly its event types', () => {
    for (const [gateway, { path }] of Object.entries(gateways)) {
      const channel = document.channels[`${gateway}Gateway`];
      expect(channel?.address).toBe(`${socketBasePath}${path}`);
      const titles = Object.keys(channel?.messages ?? {}).map((name) => document.components.messages[name]?.title);
      const types = definitions.filter(([, definition]) => definition.gateways.some((of) => of === gateway));
      const eventTypes = titles.filter((title) => title !== undefined && title in events);
      expect(new Set(eventTypes)).toEqual(new Set(types.map(([type]) => type)));
      expect(eventTypes).toHaveLength(types.length);
    }
    expect(Object.keys(document.operations)).toHaveLength(6);
  });

  test('every message has an example that fits the frame and the schema of its type', () => {
    for (const { title, examples } of Object.values(document.components.messages)) {
      const definition = definitions.find(([type]) => type === title)?.[1];
      for (const { payload } of examples) {
        if (definition === undefined) continue;
        const frame = eventFrame.parse(payload);
        expect(definition.data.encode(definition.data.decode(frame.data))).toEqual(frame.data);
      }
    }
  });

  test('every close code is documented', () => {
    for (const { code } of Object.values(closeCodes)) expect(committed).toContain(`| ${code} |`);
  });
});

test('every frame has a sample that fits it', () => {
  for (const [name, sample] of Object.entries(serverFrameSamples)) {
    const frame: z.ZodType = serverFrames[name as keyof typeof serverFrames];
    expect(frame.encode(frame.decode(sample))).toEqual(sample);
  }
  for (const sample of Object.values(clientFrameSamples)) expect(clientFrame.parse(sample)).toEqual(sample);
  expect(clientFrame.safeParse({ action: 'ping', more: 1 }).success).toBe(false);
});

test('a rehearsal has one event of each type of its gateway', () => {
  for (const gateway of ['partner', 'user'] as const) {
    const types = definitions.filter(([, definition]) => definition.gateways.some((of) => of === gateway));
    expect([...new Set(sampleEventsOf(gateway).map(({ type }) => type))]).toEqual(types.map(([type]) => type));
  }
});

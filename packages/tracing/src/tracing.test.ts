import { afterEach, expect, test } from 'vitest';
import { type Collector, startCollector } from '../testing/index.ts';
import { inPositionSpan, inRequestSpan, noteOnSpan, startTracing, traceFieldsOf, traceHeaders } from './index.ts';

const positionKey = `0x${'ab12'.repeat(16)}`;
const positionTrace = 'ab12'.repeat(8);
const other = { traceparent: `00-${'cd'.repeat(16)}-${'ef'.repeat(8)}-01` };

let cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
  cleanups = [];
});

/** Start traces that go to a collector of the test. */
async function traced(options: { readonly share?: number; readonly collector?: Collector } = {}) {
  const collector = options.collector ?? (await startCollector());
  const losses: unknown[] = [];
  const tracing = await startTracing({
    program: 'keeper',
    collectorUrl: collector.url,
    share: options.share ?? 1,
    onLost: (error) => losses.push(error),
  });
  cleanups.push(collector.close, tracing.close);
  return { collector, tracing, losses };
}

test('no collector: the work runs, no header is sent and no line gets an id', async () => {
  const results = await inPositionSpan(positionKey, { name: 'act' }, async () => [
    traceHeaders(),
    traceFieldsOf({ positionKey }),
  ]);
  expect(results).toEqual([{}, {}]);
});

test('work for a position, in two programs and beside a request: spans of one trace, which its key names', async () => {
  const { collector, tracing } = await traced();
  await inPositionSpan(positionKey, { name: 'act order', facts: { purpose: 'open' } }, async () => {
    const headers = traceHeaders();
    // What the receiver does with them, in a process of its own.
    await inRequestSpan(headers, { name: 'POST /grants' }, async () => noteOnSpan({ isSigned: true }));
    await inPositionSpan(positionKey, { name: 'send authorize_open' }, async () => undefined);
  });
  await inRequestSpan(other, { name: 'POST /quotes' }, () =>
    inPositionSpan(positionKey, { name: 'sign quote' }, async () => undefined),
  );
  await tracing.close();
  const byName = new Map(collector.spans().map((span) => [span.name, span]));
  const act = byName.get('act order');
  expect(act).toMatchObject({ program: 'keeper', traceId: positionTrace, parentSpanId: '' });
  expect(act?.attributes).toEqual({ purpose: 'open', subject: positionKey });
  expect(byName.get('POST /grants')).toMatchObject({
    traceId: positionTrace,
    parentSpanId: act?.spanId,
    attributes: { isSigned: true },
  });
  expect(byName.get('send authorize_open')).toMatchObject({ traceId: positionTrace, parentSpanId: act?.spanId });
  const request = byName.get('POST /quotes');
  expect(request).toMatchObject({ traceId: 'cd'.repeat(16), parentSpanId: 'ef'.repeat(8) });
  expect(request?.linkedTraceIds).toEqual([positionTrace]);
  expect(byName.get('sign quote')).toMatchObject({
    traceId: positionTrace,
    parentSpanId: '',
    linkedTraceIds: ['cd'.repeat(16)],
  });
});

test('work that fails: the failure passes on, and the span shows its kind without its message', async () => {
  const { collector, tracing } = await traced();
  const failure = new TypeError('https://user:secret@node.example');
  await expect(
    inPositionSpan('signer:0x00', { name: 'fill gap' }, async () => {
      throw failure;
    }),
  ).rejects.toBe(failure);
  await tracing.close();
  expect(collector.spans()).toHaveLength(1);
  expect(collector.spans()[0]).toMatchObject({ name: 'fill gap', hasFailed: true });
  expect(JSON.stringify(collector.spans())).not.toContain('secret');
});

test('lines of the log: the ids of the active span, or the trace of the position they are about', async () => {
  await traced();
  const inside = await inPositionSpan(positionKey, { name: 'act' }, async () => traceFieldsOf());
  expect(inside).toEqual({ traceId: positionTrace, spanId: expect.stringMatching(/^[0-9a-f]{16}$/) });
  expect(traceFieldsOf({ positionKey })).toEqual({ traceId: positionTrace });
  expect(traceFieldsOf({ positionKey: 'pos_1' })).toEqual({});
  expect(traceFieldsOf()).toEqual({});
});

test('a share of none: nothing is sent, and the work runs', async () => {
  const { collector, tracing } = await traced({ share: 0 });
  expect(await inPositionSpan(positionKey, { name: 'act' }, async () => 7)).toBe(7);
  await tracing.close();
  expect(collector.spans()).toEqual([]);
});

test('a collector that takes requests and never answers: work continues, and the close ends', async () => {
  const { collector, tracing } = await traced({ collector: await startCollector(false) });
  for (let index = 0; index < 5_000; index += 1) {
    expect(await inPositionSpan(positionKey, { name: 'act' }, async () => index)).toBe(index);
  }
  await tracing.close();
  // The queue is bounded: what finds no place in it is dropped.
  expect(collector.spans().length).toBeLessThanOrEqual(2_048 + 512);
});

test('a collector that is away: the loss is reported', async () => {
  const { collector, tracing, losses } = await traced();
  await collector.close();
  cleanups = [tracing.close];
  await inPositionSpan(positionKey, { name: 'act' }, async () => undefined);
  await expect.poll(() => losses.length).toBeGreaterThan(0);
});

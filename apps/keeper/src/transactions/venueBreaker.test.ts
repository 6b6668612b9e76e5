import { VenueFault } from '@core/venue';
import * as fc from 'fast-check';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createKeeperMetrics } from '../runner/keeperMetrics.ts';
import { VenueBreaker } from './venueBreaker.ts';

type Code = VenueFault['code'];
const faultOf = (code: Code, kind: VenueFault['kind']): VenueFault =>
  new VenueFault({ code, kind, effect: 'no', message: code });

const order = { positionKey: '0x01', venueMarketId: '0xc1' };

function setup() {
  let nowMs = 0;
  let answer: () => Promise<null> = () => Promise.resolve(null);
  let askedCount = 0;
  const metrics = createKeeperMetrics();
  const breaker = new VenueBreaker({
    venue: {
      order: () => {
        askedCount += 1;
        return answer();
      },
    },
    logger: pino({ level: 'silent' }),
    metrics,
    now: () => nowMs,
  });
  return {
    breaker,
    metrics,
    asked: () => askedCount,
    advance: (ms: number) => {
      nowMs += ms;
    },
    answers: (fault: VenueFault | null) => {
      answer = () => (fault === null ? Promise.resolve(null) : Promise.reject(fault));
    },
    post: (fault: VenueFault | null = null) =>
      breaker
        .pass(order, () => (fault === null ? Promise.resolve('taken') : Promise.reject(fault)))
        .catch((error) => error),
  };
}

const wide: readonly [Code, VenueFault['kind']][] = [
  ['credentials_refused', 'frozen'],
  ['account_restricted', 'frozen'],
  ['venue_restarting', 'retryable'],
  ['venue_paused', 'retryable'],
];

test.each(wide)('%s trips it for all orders; it probes, and closes by itself', async (code, kind) => {
  const { breaker, metrics, asked, advance, answers, post } = setup();
  const refusal = faultOf(code, kind);
  expect(await post(refusal)).toBe(refusal);
  expect(breaker.isOpen).toBe(true);
  expect(await post()).toMatchObject({ code: 'venue_paused', kind: 'retryable', effect: 'no' });
  expect((await metrics.venueBreaker.get()).values[0]?.value).toBe(1);
  await breaker.probe();
  expect(asked()).toBe(0);

  answers(refusal);
  advance(1_000);
  await breaker.probe();
  expect([asked(), breaker.isOpen, breaker.remainingMs]).toEqual([1, true, 2_000]);
  answers(null);
  advance(2_000);
  await breaker.probe();
  expect(breaker.isOpen).toBe(false);
  expect(await post()).toBe('taken');
  expect((await metrics.venueBreaker.get()).values[0]?.value).toBe(0);
  await breaker.probe();
  expect(asked()).toBe(2);
  // A later refusal begins with the shortest pause again.
  await post(refusal);
  expect(breaker.remainingMs).toBe(1_000);
});

test('breaker: a probe is answered while orders are still refused → pauses grow up to the maximum', async () => {
  const { breaker, advance, post } = setup();
  const paused = faultOf('venue_paused', 'retryable');
  const pauses: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    await post(paused);
    pauses.push(breaker.remainingMs);
    advance(breaker.remainingMs);
    await breaker.probe();
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test.each<[Code, VenueFault['kind']]>([
  ['order_not_filled', 'terminal'],
  ['venue_throttled', 'retryable'],
  ['venue_timeout', 'retryable'],
])('%s is about the order or the moment, and trips nothing', async (code, kind) => {
  const { breaker, post } = setup();
  await post(faultOf(code, kind));
  expect(breaker.isOpen).toBe(false);
});

test('breaker: concurrent orders are refused → it opens once', async () => {
  const { breaker, post } = setup();
  const refusal = faultOf('credentials_refused', 'frozen');
  await Promise.all([post(refusal), post(refusal), post(refusal)]);
  expect(breaker.remainingMs).toBe(1_000);
});

test('breaker: a planned restart is near → no openings for the rest of its window, sales continue', async () => {
  let plannedMs = 420_000;
  const breaker = new VenueBreaker({
    venue: { order: () => Promise.resolve(null) },
    logger: pino({ level: 'silent' }),
    metrics: createKeeperMetrics(),
    plannedPauseMs: () => plannedMs,
    now: () => 0,
  });
  expect([breaker.isOpen, breaker.remainingOpeningsMs]).toEqual([false, 420_000]);
  expect(await breaker.pass(order, () => Promise.resolve('taken'))).toBe('taken');
  plannedMs = 0;
  expect(breaker.remainingOpeningsMs).toBe(0);
});

const refusals = fc.array(
  fc.record({
    fault: fc
      .record({
        code: fc.constantFrom<Code>(
          ...wide.map(([code]) => code),
          ...(['maker_refused', 'openings_refused', 'venue_fault_unknown', 'not_found', 'venue_throttled'] as const),
        ),
        kind: fc.constantFrom<VenueFault['kind']>('retryable', 'terminal', 'frozen'),
        // The client of the venue bounds each pause.
        retryAfterMs: fc.option(fc.integer({ min: 0, max: 240_000 })),
      })
      .map((fields) => new VenueFault({ ...fields, effect: 'no', message: fields.code })),
    isProbed: fc.boolean(),
    afterMs: fc.integer({ min: 0, max: 60_000 }),
  }),
  { maxLength: 40 },
);

test('law: whatever was refused, orders pass within four minutes of the last refusal, and openings within ten', async () => {
  const law = fc.asyncProperty(refusals, async (steps) => {
    const { breaker, advance, answers, post } = setup();
    for (const { fault, isProbed, afterMs } of steps) {
      answers(fault);
      if (isProbed) await breaker.probe();
      else await post(fault);
      advance(afterMs);
    }
    answers(null);
    for (let second = 0; second < 241 && breaker.isOpen; second += 1) {
      await breaker.probe();
      advance(1_000);
    }
    expect(await post()).toBe('taken');
    advance(600_000);
    expect(breaker.remainingOpeningsMs).toBe(0);
  });
  await fc.assert(law);
});

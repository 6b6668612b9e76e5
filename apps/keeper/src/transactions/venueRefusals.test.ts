import { tokenUnits } from '@core/pricing';
import { VenueFault } from '@core/venue';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { startOrderClient } from '../../testing/startOrderClient.ts';

type Code = VenueFault['code'];

const faultOf = (code: Code, kind: VenueFault['kind'] = 'frozen', retryAfterMs: number | null = null): VenueFault =>
  new VenueFault({ code, kind, effect: kind === 'frozen' ? 'maybe' : 'no', message: code, retryAfterMs });

/** Codes of refusals that nothing explains, with the kind the table gives them. */
const unexplained: readonly (readonly [Code, VenueFault['kind']])[] = [
  ['venue_fault_unknown', 'frozen'],
  ['request_invalid', 'terminal'],
  ['order_invalid', 'terminal'],
];

const poisons = fc.constantFrom(...unexplained);

test('orders: one of n is refused without an explanation → others are accepted at once, and it ends with its code', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 12 }), fc.nat(11), poisons, async (count, index, [code, kind]) => {
      const poisoned = index % count;
      const client = startOrderClient((position) => (position === poisoned ? faultOf(code, kind) : null));
      const positions = Array.from({ length: count }, (_, position) => position);
      for (const position of positions) {
        const posted = await client.post({ position });
        expect(posted).toMatchObject({ state: position === poisoned ? 'prepared' : 'broadcast' });
        expect(client.breaker.isOpen).toBe(false);
      }
      // Not before its pause, and then once more.
      expect(await client.post({ position: poisoned })).toMatchObject({ state: 'prepared' });
      expect(client.pauseMsOf(poisoned)).toBe(1_000);
      client.advance(1_000);
      const ended = await client.post({ position: poisoned });
      expect(ended).toMatchObject({ state: 'dropped', outcome: { refusal: code } });
      expect(client.state.posts).toEqual([...positions, poisoned]);
      expect((await client.metrics.unexplainedRefusals.get()).values).toMatchObject([{ labels: { code }, value: 1 }]);
      expect((await client.metrics.venueBreaker.get()).values[0]?.value).toBe(0);
    }),
    { numRuns: 60 },
  );
});

test('orders: an unexplained refusal of an order that the venue has → it is followed as accepted', async () => {
  const client = startOrderClient(() => faultOf('request_invalid', 'terminal'));
  expect(await client.post({ position: 1 })).toMatchObject({ state: 'prepared' });
  client.show(1, { status: 'live' });
  client.advance(1_000);
  expect(await client.post({ position: 1 })).toMatchObject({ state: 'broadcast' });
});

test('orders: the venue ended an order without a match → it ends as not filled', async () => {
  const client = startOrderClient(() => null);
  await client.post({ position: 1 });
  client.show(1, { status: 'delayed', matchedTokenUnits: tokenUnits(0n), tradeIds: [] });
  expect(await client.follow(1)).toMatchObject({ state: 'broadcast' });
  client.show(1, { status: 'unmatched', matchedTokenUnits: tokenUnits(0n), tradeIds: [] });
  expect(await client.follow(1)).toMatchObject({ state: 'dropped', outcome: { refusal: 'order_not_filled' } });
});

test('breaker: unexplained refusals of several positions in several markets → posting stops', async () => {
  const client = startOrderClient(() => faultOf('venue_fault_unknown'));
  await client.post({ position: 1 });
  await client.post({ position: 2 });
  expect(client.breaker.isOpen).toBe(false);
  await client.post({ position: 3 });
  expect(client.breaker.isOpen).toBe(true);
  expect((await client.metrics.venueRefusals.get()).values).toMatchObject([
    { labels: { code: 'venue_fault_unknown' } },
  ]);
  client.state.answer = () => null;
  client.advance(1_000);
  await client.breaker.probe();
  expect(await client.post({ position: 1 })).toMatchObject({ state: 'broadcast' });
});

test.each([
  ['one position again and again', [1, 1, 1, 1, 1], undefined],
  ['several positions of one market', [1, 2, 3, 4, 5], 7],
] as const)('breaker: unexplained refusals of %s → the others are posted', async (_name, positions, market) => {
  const client = startOrderClient((position) => (position === 9 ? null : faultOf('venue_fault_unknown')));
  for (const position of positions) {
    await client.post({ position, ...(market === undefined ? {} : { market }) });
    client.advance(1_000);
  }
  expect(client.breaker.isOpen).toBe(false);
  expect(await client.post({ position: 9 })).toMatchObject({ state: 'broadcast' });
});

test('breaker: an order is accepted in between → the count starts again', async () => {
  const client = startOrderClient((position) => (position < 9 ? faultOf('venue_fault_unknown') : null));
  for (const position of [1, 2, 9, 3, 4, 10]) await client.post({ position });
  expect(client.breaker.isOpen).toBe(false);
});

test('breaker: only the orders of one position are refused for the account → it stops others once at most', async () => {
  const poison = faultOf('account_restricted');
  const client = startOrderClient((position) => (position === 1 ? poison : null));
  expect(await client.post({ position: 1 })).toBe(poison);
  expect(client.breaker.isOpen).toBe(true);
  client.advance(1_000);
  await client.breaker.probe();
  expect(await client.post({ position: 2 })).toMatchObject({ state: 'broadcast' });
  for (let round = 0; round < 5; round += 1) {
    await client.post({ position: 1 });
    expect(client.breaker.isOpen).toBe(false);
    client.advance(1_000);
  }
});

test('orders: the venue throttles for a minute → none is posted before the minute is over', async () => {
  const client = startOrderClient(() => faultOf('venue_throttled', 'retryable', 60_000));
  expect(await client.post({ position: 1 })).toMatchObject({ state: 'prepared' });
  expect(client.pauseMsOf(1)).toBe(60_000);
  expect(client.breaker.remainingMs).toBe(60_000);
  client.advance(59_999);
  await client.breaker.probe();
  await client.post({ position: 1 });
  await client.post({ position: 2 });
  expect(client.state.posts).toEqual([1]);
  client.state.answer = () => null;
  client.advance(1);
  await client.breaker.probe();
  expect(await client.post({ position: 1 })).toMatchObject({ state: 'broadcast' });
});

test.each([
  ['maker_refused', 'frozen'],
  ['order_signature_invalid', 'terminal'],
  ['order_version_mismatch', 'terminal'],
  ['order_amounts_invalid', 'terminal'],
] as const)('breaker: %s → nothing is posted or quoted until the venue takes orders again', async (code, kind) => {
  const client = startOrderClient((position) => (position === 1 ? faultOf(code, kind) : null));
  await client.post({ position: 1 });
  expect(client.breaker.isOpen).toBe(true);
  await client.post({ position: 2 });
  expect(client.state.posts).toEqual([1]);
  expect((await client.metrics.venueBreaker.get()).values[0]?.value).toBe(1);
  expect((await client.metrics.venueRefusals.get()).values).toMatchObject([{ labels: { code }, value: 1 }]);
  client.advance(1_000);
  await client.breaker.probe();
  // A read is answered, which proves nothing about orders: quotes wait, and the alarm stays.
  expect([client.breaker.isOpen, client.breaker.remainingOpeningsMs]).toEqual([false, 599_000]);
  expect((await client.metrics.venueBreaker.get()).values[0]?.value).toBe(1);
  // The order of another is accepted: from here on the first refuses itself alone.
  expect(await client.post({ position: 2 })).toMatchObject({ state: 'broadcast' });
  expect(client.breaker.remainingOpeningsMs).toBe(0);
  expect((await client.metrics.venueBreaker.get()).values[0]?.value).toBe(0);
  await client.post({ position: 1 });
  expect(client.breaker.isOpen).toBe(false);
});

test('breaker: the account may only sell → no quotes and openings for a minute, sales continue', async () => {
  const client = startOrderClient((position) => (position === 1 ? faultOf('openings_refused', 'terminal') : null));
  expect(await client.post({ position: 1 })).toMatchObject({
    state: 'dropped',
    outcome: { refusal: 'openings_refused' },
  });
  expect([client.breaker.isOpen, client.breaker.remainingOpeningsMs]).toEqual([false, 60_000]);
  expect(await client.post({ position: 2 })).toMatchObject({ state: 'broadcast' });
  expect((await client.metrics.venueRefusals.get()).values).toMatchObject([{ labels: { code: 'openings_refused' } }]);
  client.advance(60_000);
  expect(client.breaker.remainingOpeningsMs).toBe(0);
});

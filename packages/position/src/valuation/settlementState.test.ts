/** As the specification names them. */
type MarketStatus = 'active' | 'closed' | 'determined' | 'finalized' | 'disputed';

import { expect, test } from 'vitest';
import { timingFiguresOf } from './settlementState.ts';

const nowMs = Date.UTC(2026, 10, 21);
const dayMs = 24 * 3_600_000;
const none = { payoutNumerators: [], payoutDenominator: null };
const won = { payoutNumerators: [1n, 0n], payoutDenominator: 1n };
const voided = { payoutNumerators: [1n, 1n], payoutDenominator: 2n };

const cases: ReadonlyArray<readonly [string, MarketStatus, number | null, typeof none | typeof won]> = [
  ['none', 'active', nowMs + 1, none],
  ['none', 'active', null, none],
  ['none', 'active', nowMs - dayMs + 1, none],
  ['awaiting_resolution', 'closed', nowMs - 1, none],
  ['awaiting_resolution', 'determined', null, none],
  ['awaiting_resolution', 'disputed', nowMs - dayMs + 1, none],
  ['unresolved_upstream', 'closed', nowMs - dayMs, none],
  ['unresolved_upstream', 'active', nowMs - dayMs, none],
  ['settling', 'determined', nowMs - dayMs, won],
  ['settling', 'finalized', nowMs - 1, won],
  ['voided', 'finalized', nowMs - dayMs, voided],
];

const rows = cases.map(([state, status, closeTimeMs, payouts]) => ({
  state,
  market: { status, closeTimeMs, ...payouts },
}));
test.each(rows)('$state: a market that is $market.status', ({ state, market }) => {
  expect(timingFiguresOf({ createdAtMs: 0 }, market, nowMs).settlementState).toBe(state);
});

test('minutes to the close', () => {
  const minutesAt = (closeTimeMs: number | null, atMs: number, createdAtMs = 0) =>
    timingFiguresOf({ createdAtMs }, { status: 'active', closeTimeMs, ...none }, atMs).timeToCloseMinutes;
  expect(minutesAt(null, 5)).toBeNull();
  expect(minutesAt(180_000, 60_001)).toBe(1);
  expect(minutesAt(1, 60_000)).toBe(0);
  expect(minutesAt(180_000, 0, 60_001)).toBe(1);
});

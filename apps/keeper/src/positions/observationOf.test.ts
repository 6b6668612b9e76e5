import { expect, test } from 'vitest';
import type { Intent } from '../transactions/intents.ts';
import { isCloseDeferred, isTradable } from './observationOf.ts';

const active = { status: 'active', payoutDenominator: null } as const;
const listed = { isClosed: false, resolutionStatus: 'none' } as const;

test('an active market is tradable, even while the venue pauses its orders', () => {
  const paused = { ...listed, isAcceptingOrders: false };
  expect(isTradable(active, listed)).toBe(true);
  expect(isTradable(active, paused)).toBe(true);
});

test.each([
  ['closed here', { ...active, status: 'closed' } as const, listed],
  ['closed at the venue', active, { ...listed, isClosed: true }],
  ['with a proposed resolution', active, { ...listed, resolutionStatus: 'proposed' } as const],
  ['with payouts', { ...active, payoutDenominator: 1n }, listed],
])('a market %s is not', (_name, market, record) => {
  expect(isTradable(market, record)).toBe(false);
});

test.each([
  ['none before', [], false],
  ['of this request', [10], true],
  ['of an earlier request', [9], false],
  ['of an earlier request and of this one', [9, 12], true],
])('a close requested at 10, a deferral %s', (_name, times, expected) => {
  const intents = times.map((decidedAtMs) => ({ operation: 'defer_close', plan: { details: { decidedAtMs } } }));
  expect(isCloseDeferred({ closeRequestedAtMs: 10 }, intents as object[] as Intent[])).toBe(expected);
});

import { expect, test } from 'vitest';
import { isTradable } from './observationOf.ts';

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

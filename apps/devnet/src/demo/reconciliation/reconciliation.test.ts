import { zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import { flowsOf } from './positionFlows.ts';
import { isBalanced } from './reconciliation.ts';
import { balancesOf, enteredOf } from './usdcFlows.ts';

describe('reconciliation', () => {
  const transfers = [
    { from: zeroAddress, to: '0xuser', usdcUnits: 1_000n },
    { from: zeroAddress, to: '0xpool', usdcUnits: 500n },
    { from: '0xuser', to: '0xaccount', usdcUnits: 100n },
    { from: '0xpool', to: '0xaccount', usdcUnits: 200n },
    { from: '0xaccount', to: '0xvenue', usdcUnits: 290n },
    { from: '0xvenue', to: '0xaccount', usdcUnits: 320n },
    { from: '0xaccount', to: '0xpool', usdcUnits: 205n },
    { from: '0xaccount', to: '0xuser', usdcUnits: 125n },
  ];

  test('folds transfers into balances that sum to the minted supply', () => {
    const balances = balancesOf(transfers);
    expect(Object.fromEntries(balances)).toEqual({
      '0xuser': 1_025n,
      '0xpool': 505n,
      '0xaccount': 0n,
      '0xvenue': -30n,
    });
    expect([...balances.values()].reduce((sum, units) => sum + units, 0n)).toBe(enteredOf(transfers));
  });

  test('splits the transfers of one position by counterparty', () => {
    expect(flowsOf(transfers, { user: '0xUser', account: '0xAccount', pool: '0xPool' })).toEqual({
      paidByUser: 100n,
      paidToUser: 125n,
      lentByPool: 200n,
      paidToPool: 205n,
      paidToVenue: 290n,
      receivedFromVenue: 320n,
      left: 0n,
    });
  });

  test('fails for a single missing unit', () => {
    const world = { blockNumber: 1n, enteredUsdcUnits: 0n, groups: [], transfers: [] };
    expect(isBalanced({ ...world, checks: [{ name: 'x', left: 5n, right: 5n }] })).toBe(true);
    expect(isBalanced({ ...world, checks: [{ name: 'x', left: 5n, right: 4n }] })).toBe(false);
  });
});

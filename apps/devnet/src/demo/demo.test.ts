import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FriendlyError } from '../stack/friendlyError.ts';
import { readArguments } from './demoArguments.ts';
import { flowsOf } from './positionFlows.ts';
import { isBalanced } from './reconciliation.ts';
import { recordedMarketOf } from './recordedMarket.ts';
import { balancesOf, enteredOf } from './usdcFlows.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'demo-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('arguments', () => {
  test('are a stack file and a recording, in any order', () => {
    expect(readArguments([])).toEqual({ stackFile: null, replay: null });
    expect(readArguments(['--', '--market', '7', '--replay', 'a.csv', '--stack', 's.json'])).toEqual({
      stackFile: 's.json',
      replay: { csvFile: 'a.csv', marketId: '7' },
    });
    expect(() => readArguments(['--market', '7'])).toThrow(FriendlyError);
    expect(() => readArguments(['--speed', '2'])).toThrow(FriendlyError);
  });
});

describe('a recording', () => {
  test('is cut down to one market, the first when none is named', () => {
    const csvFile = path.join(folder, 'quotes.csv');
    writeFileSync(csvFile, 't_unix,market_id,bid,ask\n1,5,0.1,0.2\n1,6,0.3,0.4\n2,5,0.2,0.3\n');
    expect(recordedMarketOf({ csvFile, marketId: '6' })).toEqual({
      csv: 't_unix,market_id,bid,ask\n1,6,0.3,0.4\n',
      marketId: '6',
    });
    expect(recordedMarketOf({ csvFile, marketId: null }).csv).toContain('2,5,0.2,0.3');
    expect(() => recordedMarketOf({ csvFile, marketId: '7' })).toThrow(FriendlyError);
    expect(() => recordedMarketOf({ csvFile: `${csvFile}.none`, marketId: null })).toThrow(FriendlyError);
  });
});

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

  test('folds movements into balances that sum to what entered', () => {
    const balances = balancesOf(transfers);
    expect(Object.fromEntries(balances)).toEqual({
      '0xuser': 1_025n,
      '0xpool': 505n,
      '0xaccount': 0n,
      '0xvenue': -30n,
    });
    expect([...balances.values()].reduce((sum, units) => sum + units, 0n)).toBe(enteredOf(transfers));
  });

  test('tells the movements of one position by counterpart', () => {
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

  test('fails by a single unit', () => {
    const world = { blockNumber: 1n, enteredUsdcUnits: 0n, groups: [], transfers: [] };
    expect(isBalanced({ ...world, checks: [{ name: 'x', leftUsdcUnits: 5n, rightUsdcUnits: 5n }] })).toBe(true);
    expect(isBalanced({ ...world, checks: [{ name: 'x', leftUsdcUnits: 5n, rightUsdcUnits: 4n }] })).toBe(false);
  });
});

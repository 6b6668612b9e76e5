import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FriendlyError } from '@core/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArguments } from './demoArguments.ts';
import { recordedMarketOf } from './recordedMarket.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'demo-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('demo arguments', () => {
  test('accept a stack file and a recording in any order', () => {
    expect(readArguments([])).toEqual({ stackFile: null, hasHardExit: false, replay: null });
    expect(readArguments(['--', '--market', '7', '--replay', 'a.csv', '--hard-exit', '--stack', 's.json'])).toEqual({
      stackFile: 's.json',
      hasHardExit: true,
      replay: { csvFile: 'a.csv', marketId: '7' },
    });
    expect(() => readArguments(['--market', '7'])).toThrow(FriendlyError);
    expect(() => readArguments(['--speed', '2'])).toThrow(FriendlyError);
  });
});

describe('recorded market', () => {
  test('takes the named market, or the first one', () => {
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

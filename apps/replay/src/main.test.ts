import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** An hour in which the price falls from sixty cents to ten between two rows: every earlier debt loses. */
const markets = ['market_id,asset,start_unix,end_unix,outcome_up_inferred_from_spot', '1,btc,0,3600,0'].join('\n');
const quotes = [
  'market_id,t_unix,up_bid,up_ask,empty_side',
  ...Array.from({ length: 59 }, (_, minute) => `1,${minute * 60},${minute < 30 ? '0.6,0.61' : '0.1,0.11'},`),
].join('\n');

test('main: names the bars that were missed, writes report and time, and fails', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'replay-'));
  const file = (name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const out = path.join(folder, 'report.md');
  const args = [file('quotes.csv', quotes), '--markets', file('markets.csv', markets), '--out', out];
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/plots written after \d+ s\n/);
  expect(stderr).toMatch(/^missed: crypto, .*, required .*$/m);
  const report = readFileSync(out, 'utf8');
  expect(report).toMatch(/^It took \d+ s\.$/m);
  // Debts that met the resolution, by class, entry price, time left and leverage.
  expect(report.match(/\| winners that owed \|/g)?.length).toBe(4);
});

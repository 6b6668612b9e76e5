import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { figuresOf, offeredFiguresOf } from './measure/figures.ts';
import { readRecording } from './recording/readRecording.ts';
import { replay } from './scenario.ts';

/** Real records are outside the repository: `SHARED_DATA`, else `../shared/data` beside the checkout. */
const dataFolder = resolve(process.env['SHARED_DATA'] ?? new URL('../../../../shared/data', import.meta.url).pathname);
const hasRecordedData = existsSync(resolve(dataFolder, 'venue/crypto_hourly_quotes.csv'));
const read = (file: string) => readFileSync(resolve(dataFolder, 'venue', file), 'utf8');

if (!hasRecordedData) {
  process.stderr.write(
    `NOT CHECKED: no recorded venue data at ${dataFolder}, the replay of real records does not run\n`,
  );
}

describe.runIf(hasRecordedData)('recorded hourly markets', () => {
  test('meet the acceptance of the risk study with the shipped numbers', () => {
    const recording = readRecording(read('crypto_hourly_markets.csv'), read('crypto_hourly_quotes.csv'));
    expect(recording.markets.length).toBe(296);
    const { candidates, lives } = replay(
      recording.markets,
      {
        exitSeconds: 20,
        route: 'direct',
        notionalUsd: 100,
        depth: { kind: 'live', usdPerCent: 0 },
        timings: [{ kind: 'seconds', seconds: 5, jumpCents: null }],
        phases: ['crypto'],
      },
      () => undefined,
    );
    const offered = offeredFiguresOf(candidates);
    const figures = figuresOf(lives[0] ?? []);
    expect(offered.averageLeverage.value).toBeGreaterThanOrEqual(3.1);
    expect(offered.share.value).toBeGreaterThanOrEqual(0.55);
    expect(figures.lossPct.value).toBeLessThanOrEqual(0.25);
    expect(figures.netPct.lower).toBeGreaterThanOrEqual(0.4);
    expect(figures.winnersWithDebtShare).toBe(0);
  });
});

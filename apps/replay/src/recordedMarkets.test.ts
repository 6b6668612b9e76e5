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
  // The bars are the report's, which misses some of them: these bounds are a little beyond what it measures.
  test.each([
    { route: 'fill', leverage: 2.8, share: 0.48, lossPct: 0.35, netPct: 0.3 },
    { route: 'direct', leverage: 3, share: 0.55, lossPct: 0.25, netPct: 0.4 },
  ] as const)('route $route: quotes and earns what the report measures', ({ route, ...bounds }) => {
    const recording = readRecording(read('crypto_hourly_markets.csv'), read('crypto_hourly_quotes.csv'));
    expect(recording.markets.length).toBe(296);
    const { candidates, lives } = replay(
      recording.markets,
      {
        exitSeconds: 20,
        route,
        protection: 'policy',
        notionalUsd: 100,
        entryEvery: 4,
        depth: { kind: 'live', usdPerCent: 0 },
        timings: [{ kind: 'seconds', seconds: 5, jumpCents: null }],
        phases: ['crypto'],
      },
      () => undefined,
    );
    const offered = offeredFiguresOf(candidates);
    const figures = figuresOf(lives[0] ?? []);
    expect(offered.averageLeverage.value).toBeGreaterThanOrEqual(bounds.leverage);
    expect(offered.share.value).toBeGreaterThanOrEqual(bounds.share);
    expect(figures.lossPct.value).toBeLessThanOrEqual(bounds.lossPct);
    expect(figures.netPct.lower).toBeGreaterThanOrEqual(bounds.netPct);
    expect(figures.winnersWithDebtShare).toBe(0);
  });
});

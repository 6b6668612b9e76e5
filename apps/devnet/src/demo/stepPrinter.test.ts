import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StepPrinter } from './stepPrinter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('step printer: prints a line every five seconds during a long step, and none after it', async () => {
  const lines: { readonly atMs: number; readonly line: string }[] = [];
  const startMs = Date.now();
  const printer = new StepPrinter((line) => void lines.push({ atMs: Date.now() - startMs, line }));
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const work = printer.during(async () => {
    printer.line('begun');
    await wait(13_000);
    printer.line('half way');
    await wait(3_000);
    printer.line('almost');
    await wait(6_000);
    return 'done';
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await work).toBe('done');
  const times = lines.map(({ atMs }) => atMs);
  for (const [index, atMs] of [...times, 22_000].entries()) {
    expect(atMs - (times[index - 1] ?? 0)).toBeLessThanOrEqual(5_000);
  }
  expect(times.at(-1)).toBeLessThanOrEqual(22_000);
  expect(lines.map(({ line }) => line.trim())).toEqual([
    'begun',
    '… 4 s',
    '… 8 s',
    '… 12 s',
    'half way',
    'almost',
    '… 4 s',
  ]);
});

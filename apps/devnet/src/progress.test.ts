import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Progress } from './progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const after = <Result>(ms: number, result: Result) =>
  new Promise<Result>((resolve) => setTimeout(() => resolve(result), ms));

function screen(isTerminal: boolean) {
  const startMs = Date.now();
  const written: { readonly atMs: number; readonly text: string }[] = [];
  const nowMs = () => Date.now() - startMs;
  const progress = new Progress({ write: (text) => void written.push({ atMs: nowMs(), text }), isTerminal, nowMs });
  return { progress, written };
}

describe('progress of a start', () => {
  test('prints a line per phase with its seconds to a file, and one every five seconds while phases run', async () => {
    const { progress, written } = screen(false);
    const phases = Promise.all([
      progress.phase('Chain', after(7_100, 31_337), (id) => `chain ${id}`),
      progress.phase('PostgreSQL', after(12_000, null)),
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await phases).toEqual([31_337, null]);
    expect(written).toEqual([
      { atMs: 5_000, text: '  · Chain, PostgreSQL … 5.0 s\n' },
      { atMs: 7_100, text: '  ✔ Chain              7.1 s  chain 31337\n' },
      { atMs: 10_000, text: '  · PostgreSQL … 10.0 s\n' },
      { atMs: 12_000, text: '  ✔ PostgreSQL        12.0 s\n' },
    ]);
  });

  test('rewrites the line of running phases on a terminal and removes it at the end', async () => {
    const { progress, written } = screen(true);
    const phase = progress.phase('Chain', after(500, null));
    await vi.advanceTimersByTimeAsync(60_000);
    await phase;
    const clear = '\r\u001b[2K';
    expect(written.map(({ text }) => text).join('')).toBe(
      `${clear}  · Chain … 0.2 s${clear}  · Chain … 0.4 s${clear}  ✔ Chain              0.5 s\n${clear}`,
    );
  });

  test('shows nothing more of a failed phase', async () => {
    const { progress, written } = screen(false);
    const failing = after(1_000, null).then(() => Promise.reject(new Error('no port')));
    const phase = progress.phase('Chain', failing).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await phase).toEqual(new Error('no port'));
    expect(written).toEqual([]);
  });
});

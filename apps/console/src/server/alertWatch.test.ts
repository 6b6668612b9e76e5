import { type Alert, alertTable } from '@core/runtime';
import { expect, test } from 'vitest';
import { AlertWatch, type WatchedProgram } from './alertWatch.ts';
import type { Sample } from './prometheus.ts';

const minuteMs = 60_000;
const allPrograms = ['api', 'keeper', 'filler'] as const;

/** Return the values of a series in the notation of promtool, one for each minute. */
function valuesOf(notation: string): readonly number[] {
  return notation.split(' ').flatMap((part) => {
    const [, start = '', step = '0', count = '0'] = /^(-?\d+)(?:\+(\d+))?(?:x(\d+))?$/.exec(part) ?? [];
    return Array.from({ length: Number(count) + 1 }, (_, index) => Number(start) + index * Number(step));
  });
}

/** Return the samples of one minute. */
function samplesAt(series: Alert['firing'], minute: number): readonly Sample[] {
  return Object.entries(series).map(([text, notation]) => {
    const [name = '', labels = ''] = text.split('{');
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', value = '']) => [label, value]);
    const value = valuesOf(notation)[minute] ?? Number.NaN;
    return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value };
  });
}

const jobOf = ({ name, labels }: Sample): WatchedProgram =>
  allPrograms.find((job) => name.startsWith(`${job}_`) || (name === 'up' && labels['job'] === job)) ?? 'api';

/** Return the state of an alert after the series of its unit test. */
function stateAfter(alert: Alert, series: Alert['firing'], minutes = 15): string | undefined {
  const watch = new AlertWatch();
  let states = watch.judge(0);
  for (let minute = 0; minute <= minutes; minute += 1) {
    const samples = samplesAt(series, minute);
    for (const job of allPrograms) {
      const own = samples.filter((sample) => jobOf(sample) === job);
      const isDown = own.some(({ name, value }) => name === 'up' && value === 0);
      if (isDown) watch.drop({ job, instance: job }, minute * minuteMs);
      else watch.record({ job, instance: job }, own, minute * minuteMs);
    }
    states = watch.judge(minute * minuteMs);
  }
  return states.find(({ name }) => name === alert.name)?.state;
}

test.each(alertTable.map((alert) => [alert.name, alert] as const))(
  '%s: the series of its unit test for Prometheus → fires with the one, is quiet with the other',
  (_name, alert) => {
    expect(stateAfter(alert, alert.firing)).toBe('firing');
    expect(stateAfter(alert, alert.quiet)).toBe('quiet');
  },
);

const nonceStuck = (value: number): readonly Sample[] => [{ name: 'keeper_nonce_age_seconds', labels: {}, value }];
const keeper = { job: 'keeper', instance: 'http://127.0.0.1:9465' } as const;
const stateOf = (watch: AlertWatch, atMs: number, name: string) =>
  watch.judge(atMs).find((alert) => alert.name === name);

test('alerts: a condition that is true for less than its time → pending since it was first read', () => {
  const watch = new AlertWatch();
  watch.record(keeper, nonceStuck(90), 5_000);
  expect(stateOf(watch, 5_000, 'NonceStuck')).toMatchObject({ state: 'pending', sinceMs: 5_000 });
  expect(stateOf(watch, 64_999, 'NonceStuck')).toMatchObject({ state: 'pending', sinceMs: 5_000 });
  expect(stateOf(watch, 65_000, 'NonceStuck')).toMatchObject({ state: 'firing', sinceMs: 5_000 });
  watch.record(keeper, nonceStuck(0), 67_000);
  expect(stateOf(watch, 67_000, 'NonceStuck')).toMatchObject({ state: 'quiet', sinceMs: null });
});

test('alerts: a pause without a page → a condition counts as new', () => {
  const watch = new AlertWatch();
  watch.record(keeper, nonceStuck(90), 0);
  expect(stateOf(watch, 0, 'NonceStuck')?.state).toBe('pending');
  watch.record(keeper, nonceStuck(90), 3_600_000);
  expect(stateOf(watch, 3_600_000, 'NonceStuck')).toMatchObject({ state: 'pending', sinceMs: 3_600_000 });
});

const api = { job: 'api', instance: 'http://127.0.0.1:9464' } as const;

test('alerts: a keeper that does not respond → ProgramAway alone, the other alerts of keepers are unknown', () => {
  const watch = new AlertWatch();
  watch.record(api, [], 0);
  watch.record(keeper, nonceStuck(90), 0);
  watch.drop(keeper, 0);
  const states = watch.judge(0);
  expect(states.filter(({ state }) => state === 'pending').map(({ name }) => name)).toEqual(['ProgramAway']);
  expect(states.find(({ name }) => name === 'NonceStuck')?.state).toBe('unknown');
});

test('alerts: no reading of a program yet, or none for long → its alerts are unknown, ProgramAway included', () => {
  const watch = new AlertWatch();
  expect(new Set(watch.judge(0).map(({ state }) => state))).toEqual(new Set(['unknown']));
  watch.drop(keeper, 1_000);
  expect(stateOf(watch, 1_000, 'ProgramAway')).toMatchObject({ state: 'unknown', sinceMs: null });
  watch.record(api, [], 1_000);
  expect(stateOf(watch, 1_000, 'ProgramAway')).toMatchObject({ state: 'pending', sinceMs: 1_000 });
  expect(stateOf(watch, 3_600_000, 'ProgramAway')).toMatchObject({ state: 'unknown', sinceMs: null });
  watch.record(keeper, nonceStuck(90), 3_600_000);
  expect(stateOf(watch, 3_600_000, 'NonceStuck')).toMatchObject({ state: 'pending', sinceMs: 3_600_000 });
  expect(stateOf(watch, 7_200_000, 'NonceStuck')).toMatchObject({ state: 'unknown', sinceMs: null });
});

test('alerts: a program that is not configured → its alerts are unknown, and none is true', () => {
  const watch = new AlertWatch();
  const samples = ['api_events_waiting_seconds', 'api_locked_tables'].map((name) => ({ name, labels: {}, value: 0 }));
  watch.record({ job: 'api', instance: 'a' }, samples, 0);
  const quiet = watch.judge(0).filter(({ state }) => state === 'quiet');
  expect(quiet.map(({ name }) => name)).toEqual([
    'DatabaseAway',
    'DatabaseUnwritable',
    'NodesAway',
    'NodeSpare',
    'ClockWrong',
    'QuoteKeyRefused',
    'PoolEmpty',
    'RequestsFail',
    'SignerAway',
    'DatabaseBusy',
    'RedisAway',
    'TablesLocked',
    'EventsWaiting',
  ]);
  expect(watch.judge(0).every(({ state }) => state === 'quiet' || state === 'unknown')).toBe(true);
});

test('alerts: a counter that starts again → only what it counted since then is an increase', () => {
  const watch = new AlertWatch();
  const counted = (value: number): readonly Sample[] => [{ name: 'keeper_fee_ceiling_total', labels: {}, value }];
  watch.record(keeper, counted(50), 0);
  watch.record(keeper, counted(0), 20_000);
  expect(stateOf(watch, 20_000, 'GasPriceHigh')?.state).toBe('quiet');
  watch.record(keeper, counted(1), 40_000);
  expect(stateOf(watch, 40_000, 'GasPriceHigh')?.state).toBe('pending');
});

import { expect, test } from 'vitest';
import { ageMsOf, type Heartbeat, HeartbeatReader, keeperHeartbeat, keeperHeartbeatOf } from './heartbeat.ts';
import { keeperReportOf } from './keeperReport.ts';

const heartbeat = (name: string, lastHeartbeatAtMs: number): Heartbeat => ({ name, lastHeartbeatAtMs, detail: name });

test('the last heartbeat of each program of the kind counts, the youngest first', async () => {
  let recorded: readonly Heartbeat[] = [heartbeat('indexer', 9_999)];
  const reader = new HeartbeatReader({ all: async () => recorded }, keeperHeartbeat);
  await reader.refresh();
  expect(reader.heard()).toEqual([]);
  recorded = [...recorded, heartbeat(keeperHeartbeatOf('0xA'), 4_000), heartbeat(keeperHeartbeatOf('0xB'), 7_000)];
  expect(reader.heard()).toEqual([]);
  await reader.refresh();
  expect(reader.heard().map(({ name }) => name)).toEqual(['keeper:0xb', 'keeper:0xa']);
});

test('silence is counted on the service clock, and one ahead of the clock has age 0', () => {
  expect(ageMsOf(heartbeat('keeper', 7_000), 10_000)).toBe(3_000);
  expect(ageMsOf(heartbeat('keeper', 7_000), 6_000)).toBe(0);
});

test("a heartbeat's report ages from its first reading until the program's next one", async () => {
  let recorded: readonly Heartbeat[] = [heartbeat('keeper:a', 4_000), heartbeat('keeper:b', 3_000)];
  let now = 50;
  const reader = new HeartbeatReader({ all: async () => recorded }, keeperHeartbeat, () => now);
  await reader.refresh();
  const names = () => reader.heard().map((heard) => [heard.name, reader.knownForMs(heard)]);
  const first = reader.heard();
  now = 80;
  recorded = [heartbeat('keeper:a', 4_000), heartbeat('keeper:b', 5_000)];
  await reader.refresh();
  expect(names()).toEqual([
    ['keeper:b', 0],
    ['keeper:a', 30],
  ]);
  expect(reader.heard()[1]).toBe(first[0]);
});

test('a report with an invalid field is rejected as a whole', () => {
  const report = {
    address: '0x01',
    isVenueTakingOrders: true,
    isPriceSignerAnswering: true,
    requiredSignatures: 2,
    priceSigners: [],
    shareGroups: [
      { shareCount: 64, shares: [3, 40], isHeld: true, debtWatchAgeMs: 12.5 },
      { shareCount: 8, shares: [5], isHeld: false, debtWatchAgeMs: null },
    ],
    unseenTickers: ['market-1'],
    exits: [{ category: 'crypto', saleCount: 50, p95Ms: 4_000, exitSeconds: 20, isOpen: true }],
    fills: [],
    fillCosts: [],
  };
  expect(keeperReportOf(report)).toEqual(report);
  const { exits: _, ...partly } = report;
  for (const detail of [null, {}, partly, { ...report, isVenueTakingOrders: 'yes' }]) {
    expect(keeperReportOf(detail)).toBeNull();
  }
});

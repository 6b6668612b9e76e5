import { expect, test } from 'vitest';
import { type Heartbeat, HeartbeatReader, keeperHeartbeat } from './heartbeat.ts';
import { keeperReportOf } from './keeperReport.ts';

const heartbeat = (name: string, lastHeartbeatAtMs: number): Heartbeat => ({ name, lastHeartbeatAtMs, detail: name });

test('the youngest heartbeat of the kind counts; none is null; one ahead of the clock has age 0', async () => {
  let recorded: readonly Heartbeat[] = [heartbeat('indexer', 9_999)];
  const reader = new HeartbeatReader({ all: async () => recorded }, keeperHeartbeat);
  expect(reader.ageMs(10_000)).toBeNull();
  await reader.refresh();
  expect(reader.ageMs(10_000)).toBeNull();
  recorded = [...recorded, heartbeat('keeper', 4_000), heartbeat('keeper-2', 7_000)];
  expect(reader.ageMs(10_000)).toBeNull();
  await reader.refresh();
  expect(reader.ageMs(10_000)).toBe(3_000);
  expect(reader.ageMs(6_000)).toBe(0);
});

test('what a heartbeat says is as old as it is known here, until another one comes', async () => {
  let recorded: readonly Heartbeat[] = [];
  let now = 50;
  const reader = new HeartbeatReader({ all: async () => recorded }, keeperHeartbeat, () => now);
  await reader.refresh();
  expect(reader.latest()).toBeNull();
  recorded = [heartbeat('keeper', 4_000)];
  await reader.refresh();
  now = 80;
  await reader.refresh();
  expect(reader.latest()).toEqual({ detail: 'keeper', knownForMs: 30 });
  recorded = [heartbeat('keeper', 4_001)];
  await reader.refresh();
  expect(reader.latest()).toEqual({ detail: 'keeper', knownForMs: 0 });
});

test('a report is read whole or not at all', () => {
  const report = {
    address: '0x01',
    isVenueTakingOrders: true,
    isPriceSignerAnswering: true,
    requiredSignatures: 2,
    priceSigners: [],
    debtWatchAgeMs: 12.5,
    unseenTickers: ['market-1'],
    exits: [{ category: 'crypto', saleCount: 50, p95Ms: 4_000, exitSeconds: 20, isOpen: true }],
  };
  expect(keeperReportOf(report)).toEqual(report);
  const { exits: _, ...partly } = report;
  for (const detail of [null, {}, partly, { ...report, isVenueTakingOrders: 'yes' }]) {
    expect(keeperReportOf(detail)).toBeNull();
  }
});

import { type MarketSnapshot, policyDefaults, type SideSnapshot, unseenMarketOf } from '@core/policy';
import { type Position } from '@core/position';
import { samplePosition } from '@core/position/testing';
import { pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import { expect, test } from 'vitest';
import { sampleFacts } from '../../testing/sampleFacts.ts';
import { CoverWatch } from './coverWatch.ts';

const nowMs = Date.UTC(2026, 10, 21, 12);
const minute = 60_000;
const facts = sampleFacts({
  category: 'crypto',
  subject: { kind: 'crypto', asset: 'BTC', cadence: 'hourly', isAssetSupported: true },
  closeAtMs: nowMs + 50 * minute,
});

/** A market whose yes side is bid at a price for so many tokens. */
function snapshotOf({ bid = 7_000n, whole = 10_000n, atMs = nowMs, ageMs = 0 } = {}): MarketSnapshot {
  const unseen = unseenMarketOf(facts, atMs);
  const level = (pips: bigint) => ({ pricePips: pricePips(pips), sizeTokenUnits: tokenUnits(whole * 1_000_000n) });
  const yes: SideSnapshot = {
    ...unseen.yes,
    book: { bids: [level(bid)], asks: [level(bid + 100n)] },
    bookAgeMs: ageMs,
    topHolderShareBps: rateBps(0n),
  };
  return { ...unseen, yes };
}

function watching() {
  const world: { snapshot: MarketSnapshot | null } = { snapshot: snapshotOf() };
  const covers = new CoverWatch(policyDefaults);
  const put = (position: Position) => covers.put(position, nowMs + 86_400_000);
  return { world, covers, put, look: () => covers.look('11', world.snapshot) };
}

/** 200 tokens; 0.40 of debt each. */
const usual = samplePosition(1, { openedAtMs: nowMs - minute, principalChangedAtMs: nowMs - minute });
const light = samplePosition(2, { ...opened(), principalUsdcUnits: usdcUnits(40_000_000n) });
/** As indebted per token as the usual one, and larger than a book of 1,000 takes. */
const large = samplePosition(3, {
  ...opened(),
  tokenUnits: tokenUnits(2_000_000_000n),
  principalUsdcUnits: usdcUnits(800_000_000n),
});

function opened(): Partial<Position> {
  return { openedAtMs: nowMs - minute, principalChangedAtMs: nowMs - minute };
}

test('due is what owes more per token than its own size is covered for', () => {
  const { world, put, look } = watching();
  for (const position of [usual, light, large]) put(position);
  expect(look()).toEqual([]);
  world.snapshot = snapshotOf({ whole: 1_000n });
  // The cover of the large one is found first; the usual one is as indebted and can still be sold.
  expect(look()).toEqual([large.positionKey]);
  world.snapshot = snapshotOf({ bid: 4_600n });
  expect(look()?.toSorted()).toEqual([usual.positionKey, large.positionKey].toSorted());
});

test('each debt is covered for the exit time of its own quote', () => {
  const { world, put, look } = watching();
  const quoted = (number: number, exitSeconds: number) =>
    samplePosition(number, { ...opened(), quotedRisk: { exitSeconds, plannedUnwinds: [], signature: '0x' } });
  const [quick, slow] = [quoted(1, 15), quoted(4, 80)];
  for (const position of [quick, slow]) put(position);
  expect(look()).toEqual([]);
  world.snapshot = snapshotOf({ bid: 5_200n });
  expect(look()).toEqual([slow.positionKey]);
  world.snapshot = snapshotOf({ bid: 4_600n });
  expect(look()?.toSorted()).toEqual([quick.positionKey, slow.positionKey].toSorted());
});

test('a cover that cannot be read says nothing', () => {
  const { world, put, look } = watching();
  put(usual);
  world.snapshot = snapshotOf({ bid: 100n, ageMs: 5_001 });
  expect(look()).toBeNull();
  world.snapshot = null;
  expect(look()).toBeNull();
});

test('what the cover rested on when it last held is remembered, until the token is held no more', () => {
  const { world, covers, put, look } = watching();
  const debt = { usdcUnits: usdcUnits(80_000_000n), size: tokenUnits(200_000_000n), exitSeconds: 60 };
  put(usual);
  look();
  // Taken in anew with every event of its own.
  put(usual);
  world.snapshot = snapshotOf({ bid: 4_600n, atMs: nowMs + 1_000 });
  look();
  expect(covers.lastCovered('11', debt)).toMatchObject({ atMs: nowMs, markPricePips: 7_050n });
  covers.remove(usual.positionKey);
  expect(covers.lastCovered('11', debt)).toBeNull();
});

test('a position larger than any book costs a tick nothing but itself, while it is there and after it left', () => {
  const { world, covers, put, look } = watching();
  let readCount = 0;
  const quick = { exitSeconds: 15, plannedUnwinds: [], signature: '0x' };
  /** As indebted as the usual one, and says when it is read. */
  const counted = (number: number): Position =>
    Object.defineProperty(samplePosition(number, { ...opened(), quotedRisk: quick }), 'principalUsdcUnits', {
      get: () => {
        readCount += 1;
        return usdcUnits(80_000_000n);
      },
    });
  for (let number = 10; number < 210; number += 1) put(counted(number));
  const readsOfLook = (): number => {
    readCount = 0;
    look();
    return readCount;
  };
  world.snapshot = snapshotOf({ whole: 1_000n });
  expect(readsOfLook()).toBe(0);
  put(large);
  expect(look()).toEqual([large.positionKey]);
  expect(readsOfLook()).toBe(0);
  covers.remove(large.positionKey);
  expect(look()).toEqual([]);
  expect(readsOfLook()).toBe(0);
  // One that is quoted at a longer exit time is no measure for the others either.
  const slow = samplePosition(4, { ...opened(), quotedRisk: { ...quick, exitSeconds: 80 } });
  put(slow);
  world.snapshot = snapshotOf({ bid: 5_200n });
  expect(look()).toEqual([slow.positionKey]);
  covers.remove(slow.positionKey);
  expect(readsOfLook()).toBe(0);
});

import { type MarketSnapshot, type SideSnapshot, unseenMarketOf } from '@core/market';
import { sampleFacts } from '@core/market/testing';
import { policyDefaults } from '@core/policy';
import { type Position } from '@core/position';
import { samplePosition } from '@core/position/testing';
import { pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import { expect, test } from 'vitest';
import { CoverWatch } from './coverWatch.ts';

const nowMs = Date.UTC(2026, 10, 21, 12);
const minute = 60_000;
const facts = sampleFacts({
  yesTokenId: '11',
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
  return { world, covers, put, evaluate: () => covers.evaluate('11', world.snapshot) };
}

/** 200 tokens; 0.40 of debt each. */
const typical = samplePosition(1, { openedAtMs: nowMs - minute, principalChangedAtMs: nowMs - minute });
const light = samplePosition(2, { ...opened(), principalUsdcUnits: usdcUnits(40_000_000n) });
/** As indebted per token as the typical one, and larger than a book of 1,000 takes. */
const large = samplePosition(3, {
  ...opened(),
  tokenUnits: tokenUnits(2_000_000_000n),
  principalUsdcUnits: usdcUnits(800_000_000n),
});

function opened(): Partial<Position> {
  return { openedAtMs: nowMs - minute, principalChangedAtMs: nowMs - minute };
}

test('a debt per token above the cover of its own size is due', () => {
  const { world, put, evaluate } = watching();
  for (const position of [typical, light, large]) put(position);
  expect(evaluate()).toEqual([]);
  world.snapshot = snapshotOf({ whole: 1_000n });
  // The cover of the large one is found first; the typical one is as indebted and can still be sold.
  expect(evaluate()).toEqual([large.positionKey]);
  world.snapshot = snapshotOf({ bid: 4_600n });
  expect(evaluate()?.toSorted()).toEqual([typical.positionKey, large.positionKey].toSorted());
});

test('each debt is judged at the exit time of its own quote', () => {
  const { world, put, evaluate } = watching();
  const quoted = (number: number, exitSeconds: number) =>
    samplePosition(number, { ...opened(), quotedRisk: { exitSeconds, plannedUnwinds: [], signature: '0x' } });
  const [quick, slow] = [quoted(1, 15), quoted(4, 80)];
  for (const position of [quick, slow]) put(position);
  expect(evaluate()).toEqual([]);
  world.snapshot = snapshotOf({ bid: 5_200n });
  expect(evaluate()).toEqual([slow.positionKey]);
  world.snapshot = snapshotOf({ bid: 4_600n });
  expect(evaluate()?.toSorted()).toEqual([quick.positionKey, slow.positionKey].toSorted());
});

test('an unreadable cover returns null', () => {
  const { world, put, evaluate } = watching();
  put(typical);
  world.snapshot = snapshotOf({ bid: 100n, ageMs: 5_001 });
  expect(evaluate()).toBeNull();
  world.snapshot = null;
  expect(evaluate()).toBeNull();
});

test('the last sufficient cover inputs are stored, until no position has the token', () => {
  const { world, covers, put, evaluate } = watching();
  const debt = { usdcUnits: usdcUnits(80_000_000n), size: tokenUnits(200_000_000n), exitSeconds: 60 };
  put(typical);
  evaluate();
  // Put again with every event of its own.
  put(typical);
  world.snapshot = snapshotOf({ bid: 4_600n, atMs: nowMs + 1_000 });
  evaluate();
  expect(covers.lastCoverOf('11', debt)).toMatchObject({ atMs: nowMs, markPricePips: 7_050n });
  covers.remove(typical.positionKey);
  expect(covers.lastCoverOf('11', debt)).toBeNull();
});

test('inputs that covered a debt before a long unwind are found again, to the minute', () => {
  const { world, covers, put, evaluate } = watching();
  const debt = { usdcUnits: usdcUnits(80_000_000n), size: tokenUnits(200_000_000n), exitSeconds: 60 };
  put(typical);
  evaluate();
  for (let second = 1; second <= 300; second += 1) {
    world.snapshot = snapshotOf({ bid: 4_600n, atMs: nowMs + second * 1_000 });
    evaluate();
  }
  expect(covers.lastCoverOf('11', debt)).toMatchObject({ atMs: nowMs, markPricePips: 7_050n });
});

test('a position larger than any book adds only itself to the candidates, while it is there and after it left', () => {
  const { world, covers, put, evaluate } = watching();
  let readCount = 0;
  const quick = { exitSeconds: 15, plannedUnwinds: [], signature: '0x' };
  /** As indebted as the typical one, and says when it is read. */
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
    evaluate();
    return readCount;
  };
  world.snapshot = snapshotOf({ whole: 1_000n });
  expect(readsOfLook()).toBe(0);
  put(large);
  expect(evaluate()).toEqual([large.positionKey]);
  expect(readsOfLook()).toBe(0);
  covers.remove(large.positionKey);
  expect(evaluate()).toEqual([]);
  expect(readsOfLook()).toBe(0);
  // One that is quoted at a longer exit time is no measure for the others either.
  const slow = samplePosition(4, { ...opened(), quotedRisk: { ...quick, exitSeconds: 80 } });
  put(slow);
  world.snapshot = snapshotOf({ bid: 5_200n });
  expect(evaluate()).toEqual([slow.positionKey]);
  covers.remove(slow.positionKey);
  expect(readsOfLook()).toBe(0);
});

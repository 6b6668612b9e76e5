import { DebtIndex } from '@core/keeper';
import type { Bench, Row } from '../harness/row.ts';
import { syncWork } from '../harness/work.ts';

const positionCount = 100_000;
const tokenId = '1';
/** Return a liquidation price from 0.10 to 0.60, unordered. */
const duePipsOf = (index: number): bigint => 1_000n + ((BigInt(index) * 2_654_435_761n) % 5_001n);
/** Return a mark above every liquidation price, different at each tick. */
const markOf = (index: number): bigint => 6_001n + BigInt(index & 1_023);

function prepare(): Bench {
  const index = new DebtIndex();
  const plain = Array.from({ length: positionCount }, (_, position) => duePipsOf(position));
  for (const [position, pips] of plain.entries()) {
    index.put({ positionKey: `0x${position}`, tokenId, dueAtOrBelow: pips });
  }
  const scan = (mark: bigint): number => {
    let dueCount = 0;
    for (const pips of plain) if (pips >= mark) dueCount += 1;
    return dueCount;
  };
  for (const mark of [5_999n, 6_000n, 6_001n]) {
    const dueKeys = index.dueAt(tokenId, mark);
    if (dueKeys.length !== scan(mark)) throw new Error('index and scan must find the same positions');
    if (dueKeys.some((key) => (plain[Number(key.slice(2))] ?? 0n) < mark)) {
      throw new Error('the index found one that is not due');
    }
  }
  const floor = 'full bigint scan';
  return {
    subject: syncWork('DebtIndex.dueAt', (tick) => index.dueAt(tokenId, markOf(tick))),
    others: [syncWork(floor, (tick) => scan(markOf(tick)))],
    bars: [{ against: floor, atLeast: 1_000 }],
  };
}

/** Cost of a tick while no position is due, with every open position on its token. */
export const debtTick: Row = { name: 'debt-tick', work: 'tick, 100,000 positions, none due', prepare };

import { raw } from '@core/pricing';
import type { RecordedRow } from './recordedMarket.ts';

/**
 * Criterion of play. `early`: half a cent in three of ten rows, which also finds play that hardly moves the price, as a
 * schedule would; `late`: a cent in half of them, which is certain but may miss the first minutes.
 */
export type StartRule = 'early' | 'late';

const rules: Readonly<Record<StartRule, { readonly movePips: bigint; readonly movedTenths: number }>> = {
  early: { movePips: 50n, movedTenths: 3 },
  late: { movePips: 100n, movedTenths: 5 },
};

/** Rows considered from the first move on. */
const windowRowCount = 10;
const minRowCount = 5;

/**
 * Return the start of a game, read from its prices because recordings have no schedule: the first row that moved and is
 * followed by enough moving rows. Null for a game that was never priced in play. The rule looks ahead by twenty
 * minutes, which a schedule and a score feed replace in service.
 */
export function gameStartAtMsOf(rows: readonly RecordedRow[], rule: StartRule): number | null {
  const { movePips, movedTenths } = rules[rule];
  const mids: { readonly atMs: number; readonly doubledPips: bigint }[] = [];
  for (const { atMs, bidPricePips, askPricePips } of rows) {
    if (bidPricePips === null || askPricePips === null) continue;
    mids.push({ atMs, doubledPips: raw(bidPricePips) + raw(askPricePips) });
  }
  const isMove = (index: number): boolean => {
    const [from, to] = [mids[index - 1], mids[index]];
    if (from === undefined || to === undefined) return false;
    const change = to.doubledPips - from.doubledPips;
    return (change < 0n ? -change : change) >= 2n * movePips;
  };
  for (let index = 1; index < mids.length; index += 1) {
    if (!isMove(index)) continue;
    const end = Math.min(mids.length, index + windowRowCount);
    let moveCount = 0;
    for (let next = index; next < end; next += 1) if (isMove(next)) moveCount += 1;
    if (end - index >= minRowCount && 10 * moveCount >= movedTenths * (end - index))
      return mids[index - 1]?.atMs ?? null;
  }
  return null;
}

import type { MarketSnapshot } from '@core/market';
import { sideOf } from '@core/market';
import { decideFill, type FillBooks, type FillTerms, policyDefaults } from '@core/policy';
import type { Side } from '@core/position';
import {
  add,
  clipGrantFill,
  type Grant,
  type GrantFill,
  grantPathDivisor,
  isGrantDone,
  type PricePips,
  tokenUnits,
  usdcUnits,
} from '@core/pricing';
import type { Course } from './course.ts';

/** Time between two blocks: the pace of a deployment by the documents. */
export const blockSeconds = 2;

/** More than any size of a replay: float and largest fill of the shipped filler bind none of them. */
const enough = usdcUnits(10n ** 12n);
const terms: FillTerms = { ...policyDefaults.grant.fillerCost, maximumFillUsdcUnits: enough, restMs: 0 };
const means = { usdcUnits: enough, tokenUnits: tokenUnits(0n), canRest: false };

/** Grant on the chain, with the mark that was signed for it. */
export interface LiveGrant {
  readonly grant: Grant;
  readonly side: Side;
  readonly markPricePips: PricePips;
  /** Time of its first block. */
  readonly startsAtMs: number;
  /** Last second of a fill, counted from the start. */
  readonly lastSecond: number;
}

/** Fill in a block: amounts with the fee. */
export interface BlockFill extends GrantFill {
  readonly atMs: number;
}

/** Return the first second of a block at which the price path of a grant is at its end. */
export function pathSecondsOf(validForSeconds: number): number {
  return Math.ceil(validForSeconds / Number(grantPathDivisor) / blockSeconds) * blockSeconds;
}

/** Return the time at which the next grant of a position can start: the block after the last one of this grant. */
export function nextGrantAtMsOf({ startsAtMs, grant }: LiveGrant): number {
  return startsAtMs + (grant.validForSeconds + blockSeconds) * 1_000;
}

/**
 * Return the fills that the shipped filler makes of a grant. It decides before each block, with the books of the last
 * one and the second of the next. Its fill is at its own price, which the path has reached by then.
 */
export function fillsOf(
  { grant, side, markPricePips, startsAtMs, lastSecond }: LiveGrant,
  course: Course,
): readonly BlockFill[] {
  const fills: BlockFill[] = [];
  let live = grant;
  for (let second = blockSeconds; second <= lastSecond; second += blockSeconds) {
    const books = booksOf(course(startsAtMs + (second - blockSeconds) * 1_000), side);
    if (books === null) continue;
    // Only this block counts: no later second of the same books is looked for.
    const block = { elapsedSeconds: second, lastSecond: second };
    const decision = decideFill({ ...block, grant: live, markPricePips, books, means, terms });
    if (decision.kind !== 'fill') continue;
    const fill = clipGrantFill(live, second, decision.fill);
    fills.push({ ...fill, atMs: startsAtMs + second * 1_000 });
    // An atomic opening is done with its first fill.
    if (live.side === 'purchase') break;
    live = { ...live, filledTokenUnits: add(live.filledTokenUnits, fill.tokenUnits) };
    if (isGrantDone(live)) break;
  }
  return fills;
}

function booksOf(snapshot: MarketSnapshot, side: Side): FillBooks | null {
  const { venueFee } = snapshot.facts;
  const token = sideOf(snapshot, side).book;
  const complement = sideOf(snapshot, side === 'yes' ? 'no' : 'yes').book;
  if (venueFee === null || token === null || complement === null) return null;
  return { token, complement, feeSchedule: venueFee };
}

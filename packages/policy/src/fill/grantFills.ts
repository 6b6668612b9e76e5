import type { MarketCategory } from '@core/market';
import type { PolicyConfig } from '../config.ts';

/** Ended grant that a filler could have filled: one that was withdrawn before its last second is not one. */
export interface EndedGrant {
  readonly category: MarketCategory | 'unlisted';
  readonly kind: 'opening' | 'sale';
  /** Wholly or in part. */
  readonly isFilled: boolean;
  /** Epoch milliseconds. */
  readonly endedAtMs: number;
}

/** Grants of one kind in one category that ended in the window. */
export interface GrantFills extends Pick<EndedGrant, 'category' | 'kind'> {
  readonly windowMs: number;
  readonly filledCount: number;
  readonly unfilledCount: number;
  /** Null without one in the window. */
  readonly lastFilledAtMs: number | null;
  readonly lastUnfilledAtMs: number | null;
  /** False while the last grants ended unfilled. */
  readonly hasFillers: boolean;
}

/** Return the time before now from which `decideGrantFills` needs the grants. */
export const grantMemoryMs = ({ grant }: PolicyConfig): number => 3 * grant.fillWindowMs;

/**
 * Decide by kind and category of grants if fillers serve them; without a grant in the window an entry is absent. They
 * do not after `unfilledCount` unfilled grants in a row, the first at most two windows before the last. That ends with
 * the next fill, and by itself a window after the last unfilled grant, because without grants there is no fill. The
 * next grant is a trial: unfilled within another window, it counts with those before it.
 */
export function decideGrantFills(
  grants: readonly EndedGrant[],
  at: { readonly nowMs: number; readonly config: PolicyConfig },
): readonly GrantFills[] {
  const groups = Map.groupBy(grants, ({ category, kind }) => `${category} ${kind}`);
  const decided = [...groups.values()].flatMap(([first, ...others]) => {
    return first === undefined ? [] : [fillsOf([first, ...others], at)];
  });
  return decided.filter(({ filledCount, unfilledCount }) => filledCount + unfilledCount > 0);
}

function fillsOf(
  grants: readonly [EndedGrant, ...EndedGrant[]],
  { nowMs, config }: { readonly nowMs: number; readonly config: PolicyConfig },
): GrantFills {
  const [{ category, kind }] = grants;
  const { unfilledCount: enough, fillWindowMs: windowMs } = config.grant;
  const timesOf = (isFilled: boolean): readonly number[] =>
    grants.filter((grant) => grant.isFilled === isFilled).map(({ endedAtMs }) => endedAtMs);
  const isRecent = (endedAtMs: number): boolean => endedAtMs > nowMs - windowMs;
  const [fills, misses] = [timesOf(true), timesOf(false)];
  const [lastFill, lastMiss] = [Math.max(...fills), Math.max(...misses)];
  const row = misses.filter((endedAtMs) => endedAtMs > lastFill && endedAtMs >= lastMiss - 2 * windowMs);
  return {
    category,
    kind,
    windowMs,
    filledCount: fills.filter(isRecent).length,
    unfilledCount: misses.filter(isRecent).length,
    lastFilledAtMs: isRecent(lastFill) ? lastFill : null,
    lastUnfilledAtMs: isRecent(lastMiss) ? lastMiss : null,
    hasFillers: row.length < enough || !isRecent(lastMiss),
  };
}

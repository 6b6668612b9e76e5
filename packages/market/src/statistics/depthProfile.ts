import { type BookLevel, compare, isZero, min, pricePips, raw, subtract, tokenUnits } from '@core/pricing';
import type { DepthStep } from './tokenStatistics.ts';

/** Depth of the bids by distance from the best one. An empty bid side has no depth at any distance. */
export function depthProfileOf(bids: readonly BookLevel[]): readonly DepthStep[] {
  const best = bids[0];
  if (best === undefined) return [];
  return bids.map((level) => ({
    offsetPricePips: subtract(best.pricePips, level.pricePips),
    sizeTokenUnits: level.sizeTokenUnits,
  }));
}

/** The smaller cumulative depth of two profiles at every distance, as a profile. */
export function minimumProfileOf(a: readonly DepthStep[], b: readonly DepthStep[]): readonly DepthStep[] {
  const steps: DepthStep[] = [];
  let cumulativeA = 0n;
  let cumulativeB = 0n;
  let cumulative = 0n;
  let indexA = 0;
  let indexB = 0;
  for (;;) {
    const stepA = a[indexA];
    const stepB = b[indexB];
    // Past the end of one profile its depth stays, so the minimum can still grow through the other.
    if (stepA === undefined && stepB === undefined) return steps;
    // Steps at the same distance are taken from both sides at once, so that neither depth is counted too low there.
    const isA =
      stepB === undefined || (stepA !== undefined && compare(stepA.offsetPricePips, stepB.offsetPricePips) <= 0);
    const isB =
      stepA === undefined || (stepB !== undefined && compare(stepB.offsetPricePips, stepA.offsetPricePips) <= 0);
    const offset = isA ? stepA?.offsetPricePips : stepB?.offsetPricePips;
    if (isA && stepA !== undefined) {
      cumulativeA += raw(stepA.sizeTokenUnits);
      indexA += 1;
    }
    if (isB && stepB !== undefined) {
      cumulativeB += raw(stepB.sizeTokenUnits);
      indexB += 1;
    }
    const next = cumulativeA < cumulativeB ? cumulativeA : cumulativeB;
    // Only where the smaller depth grows is there a step; a profile never has two steps at one distance.
    if (next > cumulative && offset !== undefined) {
      steps.push({ offsetPricePips: offset, sizeTokenUnits: tokenUnits(next - cumulative) });
      cumulative = next;
    }
  }
}

/** The profile laid below a best bid; what would fall to zero or below is left out. */
export function levelsOfProfile(profile: readonly DepthStep[], bestBid: BookLevel): readonly BookLevel[] {
  const levels: BookLevel[] = [];
  for (const step of profile) {
    const price = subtract(bestBid.pricePips, step.offsetPricePips);
    if (compare(price, pricePips(0n)) <= 0) break;
    levels.push({ pricePips: price, sizeTokenUnits: step.sizeTokenUnits });
  }
  return levels;
}

/** The levels with every size multiplied by a share, rounded down; emptied levels are left out. */
export function haircutLevelsOf(levels: readonly BookLevel[], shareBps: bigint): readonly BookLevel[] {
  const remaining: BookLevel[] = [];
  for (const level of levels) {
    const size = tokenUnits((raw(level.sizeTokenUnits) * shareBps) / 10_000n);
    if (!isZero(size)) remaining.push({ pricePips: level.pricePips, sizeTokenUnits: min(size, level.sizeTokenUnits) });
  }
  return remaining;
}

/** The smaller cumulative depth of two lists of bids at every price. */
export function minimumLevelsOf(a: readonly BookLevel[], b: readonly BookLevel[]): readonly BookLevel[] {
  const best = a[0] === undefined || (b[0] !== undefined && compare(b[0].pricePips, a[0].pricePips) > 0) ? b[0] : a[0];
  if (best === undefined) return [];
  const below = (levels: readonly BookLevel[]): readonly DepthStep[] =>
    levels.map((level) => ({
      offsetPricePips: subtract(best.pricePips, level.pricePips),
      sizeTokenUnits: level.sizeTokenUnits,
    }));
  return levelsOfProfile(minimumProfileOf(below(a), below(b)), best);
}

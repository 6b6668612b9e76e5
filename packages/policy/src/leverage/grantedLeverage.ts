import { type MarketSnapshot, sideOf } from '@core/market';
import type { Side } from '@core/position';
import {
  constants,
  divide,
  type LeverageBps,
  leverageBps,
  type PricePips,
  pricePips,
  raw,
  tokenUnits,
  toUsdcUnits,
  type UsdPips,
} from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { fillerCostPipsOf } from '../fill/fillerCost.ts';
import { type Marked, openingEdgePipsOf } from '../fill/grantBand.ts';
import type { RiskPhase } from '../market/riskPhase.ts';
import type { BuyWalk } from './buyWalk.ts';
import { coveredValueOf, oddsShockOf } from './oddsShock.ts';
import { isReferenceSilent } from './referenceSilence.ts';
import { pipsToE12 } from './saleValue.ts';

/** Place of an opening grant: side, mark and phase of its market. */
export interface GrantPlace {
  readonly side: Side;
  readonly markPricePips: PricePips;
  readonly phase: RiskPhase;
}

/**
 * Return the smallest collateral of an opening grant as a share of its notional, in basis points: the odds may take
 * `jumpShareBps` of it from the price in the age and the life of the grant. They move by a deviation of their variance,
 * and while a game runs by the score that decides most. `afterSeconds` is the time until the grant.
 */
export function smallestShareInJumpOf(
  snapshot: MarketSnapshot,
  { side, markPricePips, phase }: GrantPlace,
  { config, afterSeconds }: { readonly config: PolicyConfig; readonly afterSeconds: number },
): bigint {
  const { grant, model } = config;
  const seconds = grant.maxAgeSeconds + grant.validForSeconds.open;
  const endsAtMs = snapshot.nowMs + (afterSeconds + seconds) * 1_000;
  const isPlaying = phase.kind === 'in_play' || endsAtMs >= phase.jumpAtMs;
  const leftSeconds = phase.leftSeconds - BigInt(afterSeconds);
  // Before a game nothing happens to the odds that its start does not cover.
  const shockMultiplierBps = phase.shockMultiplierBps === 0n ? 0n : grant.jumpMultiplierBps;
  const shockE12 = oddsShockOf(
    {
      phase: {
        leftSeconds: leftSeconds > 0n ? leftSeconds : 1n,
        jumpBps: isPlaying ? phase.jumpBps : 0n,
        shockMultiplierBps,
      },
      realisedVarianceE12: sideOf(snapshot, side).realisedVarianceE12,
      isReferenceSilent: isReferenceSilent(snapshot, config),
    },
    { ...model, exitSeconds: BigInt(seconds) },
  );
  const priceE12 = pipsToE12(raw(markPricePips));
  const fallE12 = priceE12 - coveredValueOf(priceE12, shockE12);
  return priceE12 === 0n ? 10_000n : divide(fallE12 * 100_000_000n, priceE12 * grant.jumpShareBps, 'up');
}

/**
 * Return the highest price at which the vault takes an opening by a grant: the loan is at most 1 − 0.8 × share of what
 * the tokens are worth at the mark, rounded down. Null without a bound, for collateral of the whole notional.
 */
export function highestPriceAtShareOf(markPricePips: PricePips, shareBps: bigint): PricePips | null {
  if (shareBps >= 10_000n) return null;
  const highest = (raw(markPricePips) * (100_000n - 8n * shareBps)) / (10n * (10_000n - shareBps));
  // The vault rounds the tokens down: at the bound itself they are worth too little.
  return pricePips(highest - 1n);
}

/** Return the smallest share of collateral, in basis points, at which the vault takes a price; zero at the mark. */
function smallestShareAtPriceOf(markPricePips: PricePips, pricePipsUp: bigint): bigint {
  const [mark, above] = [raw(markPricePips), pricePipsUp + 1n];
  if (above <= mark) return 0n;
  return divide(100_000n * (above - mark), 10n * above - 8n * mark, 'up');
}

/**
 * Return the maximum leverage at which price signers grant an opening at this average price; zero where it and the cost
 * of a filler are beyond the bands of the vault. Gas counts as for the smallest notional: a larger size pays less per
 * token, and has no more leverage than a smaller one. Signers average over whole token units, up to a pip higher.
 */
export function grantedLeverageOf(
  { averagePricePips }: Pick<BuyWalk, 'averagePricePips'>,
  bounds: GrantBounds & { readonly config: PolicyConfig },
): LeverageBps {
  const { markPricePips, smallestShareBps, smallestNotionalUsdPips, config } = bounds;
  const averagePips = averagePricePips + 1n;
  const smallest = tokenUnits((raw(toUsdcUnits(smallestNotionalUsdPips)) * wholeBps) / averagePips);
  const covered = averagePips + fillerCostPipsOf({ averagePips, tokenUnits: smallest }, config.grant.fillerCost);
  if (covered > openingEdgePipsOf(bounds, config.grant)) return leverageBps(0n);
  const atPrice = smallestShareAtPriceOf(markPricePips, covered);
  const share = atPrice > smallestShareBps ? atPrice : smallestShareBps;
  return share === 0n ? constants.maxLeverageBps : leverageBps((wholeBps * wholeBps) / share);
}

/** Bounds of the opening grants of a side, whatever their size. */
export interface GrantBounds extends Marked {
  /** As `smallestShareInJumpOf`, at the end of the quote. */
  readonly smallestShareBps: bigint;
  readonly smallestNotionalUsdPips: UsdPips;
}

const wholeBps = 10_000n;

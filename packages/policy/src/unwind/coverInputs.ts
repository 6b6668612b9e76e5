import { type MarketSnapshot, sideOf } from '@core/market';
import type { Side } from '@core/position';
import type { BookLevel, PricePips, TokenUnits, VenueFeeSchedule } from '@core/pricing';
import { bestAskOf, tokenUnits } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { coveredValueOf, oddsShockOf } from '../leverage/oddsShock.ts';
import { isReferenceSilent } from '../leverage/referenceSilence.ts';
import { averageSalePriceOf, netSaleValueOf } from '../leverage/saleValue.ts';
import { saleMarkOf } from '../market/marks.ts';
import { type RiskPhase, riskPhaseOf } from '../market/riskPhase.ts';

/** Everything of a token that c rests on, at one moment: small enough to be kept for a while. */
export interface CoverInputs {
  readonly atMs: number;
  /** Best first. */
  readonly bids: readonly BookLevel[];
  readonly markPricePips: PricePips;
  /** Null without asks. */
  readonly bestAskPricePips: PricePips | null;
  readonly phase: Pick<RiskPhase, 'kind' | 'leftSeconds' | 'jumpBps' | 'shockMultiplierBps'>;
  readonly realisedVarianceE12: bigint | null;
  readonly isReferenceSilent: boolean;
  readonly venueFee: VenueFeeSchedule;
}

const nothing = tokenUnits(0n);

/** The inputs of a token's cover; null while its bids are missing or stale, or nothing is known of its market. */
export function coverInputsOf(snapshot: MarketSnapshot, side: Side, config: PolicyConfig): CoverInputs | null {
  const { venueFee, tickPricePips } = snapshot.facts;
  const token = sideOf(snapshot, side);
  const mark = saleMarkOf(token, { tickPricePips, config });
  const phase = riskPhaseOf(snapshot, config);
  if (mark === null || token.book === null || phase === null || venueFee === null) return null;
  return {
    atMs: snapshot.nowMs,
    bids: token.book.bids,
    markPricePips: mark,
    bestAskPricePips: bestAskOf(token.book),
    phase,
    realisedVarianceE12: token.realisedVarianceE12,
    isReferenceSilent: isReferenceSilent(snapshot, config),
    venueFee,
  };
}

/**
 * c by size: the value per token, scaled by 1e12, that the debt of a position of so many tokens may reach and still be
 * covered. Never higher for a larger size. The shock is computed once for all sizes.
 */
export function coverOf(inputs: CoverInputs, config: PolicyConfig): (size: TokenUnits) => bigint {
  const shockE12 = oddsShockOf(inputs, config.model);
  return (size) => {
    const sale = averageSalePriceOf({ bids: inputs.bids, tokens: size, ahead: nothing });
    return coveredValueOf(netSaleValueOf(sale, inputs.venueFee), shockE12);
  };
}

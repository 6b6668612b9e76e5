import { add, min, subtract } from '../units/arithmetic.ts';
import { applyRate, toUsdPips } from '../units/conversion.ts';
import type { LeverageBps, RateBps, UsdcUnits, UsdPips } from '../units/quantity.ts';
import { raw } from '../units/quantity.ts';
import type { FeeSchedule, OriginationTier } from './schedule.ts';

/** Part of a fee schedule that sets the origination fee. */
export type OriginationTerms = Pick<
  FeeSchedule,
  'originationTiers' | 'partnerOriginationFeeBps' | 'contractMaxOriginationFeeBps'
>;

/** Origination fee of one opening, in total and by recipient. */
export interface OriginationFee {
  readonly originationFeeBps: RateBps;
  readonly originationFeeUsdcUnits: UsdcUnits;
  readonly originationFeeUsdPips: UsdPips;
  readonly protocolOriginationFeeBps: RateBps;
  readonly protocolOriginationFeeUsdcUnits: UsdcUnits;
  readonly protocolOriginationFeeUsdPips: UsdPips;
  readonly partnerOriginationFeeBps: RateBps;
  readonly partnerOriginationFeeUsdcUnits: UsdcUnits;
  readonly partnerOriginationFeeUsdPips: UsdPips;
}

/**
 * Return the tiers that a caller sees: protocol tier plus partner rate, capped by the contract. The fee for a leverage
 * is that of the first tier whose maximum is at least the leverage (specification, Market).
 */
export function shownOriginationTiersOf(terms: OriginationTerms): readonly OriginationTier[] {
  return terms.originationTiers.map((tier) => ({
    maxLeverageBps: tier.maxLeverageBps,
    feeBps: min(add(tier.feeBps, terms.partnerOriginationFeeBps), terms.contractMaxOriginationFeeBps),
  }));
}

/**
 * Return the fee rate of the first tier that reaches the leverage.
 *
 * @throws RangeError when no tier does: the schedule is broken, not the request.
 */
export function originationFeeBpsOf(tiers: readonly OriginationTier[], leverageBps: LeverageBps): RateBps {
  for (const tier of tiers) if (raw(tier.maxLeverageBps) >= raw(leverageBps)) return tier.feeBps;
  throw new RangeError('no origination tier reaches the leverage');
}

/**
 * Return the origination fee on the notional at the granted leverage (specification, Quote; DEFINITIONS 2). Units:
 * combined rounded up, partner part rounded down, protocol part the difference. Pips: combined and partner part rounded
 * up, protocol part the difference, so the parts always add up to the displayed fee. The protocol part shrinks where
 * the contract's cap binds.
 *
 * @throws RangeError when no tier reaches the leverage.
 */
export function originationFeeOf({
  notionalUsdcUnits,
  leverageBps,
  terms,
}: {
  readonly notionalUsdcUnits: UsdcUnits;
  readonly leverageBps: LeverageBps;
  readonly terms: OriginationTerms;
}): OriginationFee {
  const tierBps = originationFeeBpsOf(terms.originationTiers, leverageBps);
  const combinedBps = min(add(tierBps, terms.partnerOriginationFeeBps), terms.contractMaxOriginationFeeBps);
  const partnerBps = min(terms.partnerOriginationFeeBps, combinedBps);
  const combined = applyRate(notionalUsdcUnits, combinedBps, 'up');
  const partner = applyRate(notionalUsdcUnits, partnerBps, 'down');
  const combinedPips = toUsdPips(combined, 'up');
  const partnerPips = toUsdPips(partner, 'up');
  return {
    originationFeeBps: combinedBps,
    originationFeeUsdcUnits: combined,
    originationFeeUsdPips: combinedPips,
    protocolOriginationFeeBps: subtract(combinedBps, partnerBps),
    protocolOriginationFeeUsdcUnits: subtract(combined, partner),
    protocolOriginationFeeUsdPips: subtract(combinedPips, partnerPips),
    partnerOriginationFeeBps: partnerBps,
    partnerOriginationFeeUsdcUnits: partner,
    partnerOriginationFeeUsdPips: partnerPips,
  };
}

import type { MarketSnapshot } from '@core/market';
import { raw, type TokenUnits } from '@core/pricing';
import type { GrantTerms } from '../src/attestation/decideGrant.ts';
import { policyDefaults } from '../src/defaults.ts';
import { fillerCostPipsOf, saleCostPipsOf } from '../src/fill/fillerCost.ts';
import { type GrantKind, saleEdgeOf } from '../src/fill/grantBand.ts';

const { bandBps, costBps } = policyDefaults.grant;

/** As the vault checks it: the limit alone, and with the fee part. */
export const isInBand = ({ markPricePips, limitPricePips, venueFeeBps }: GrantTerms, kind: GrantKind): boolean => {
  const [mark, limit] = [raw(markPricePips), raw(limitPricePips)];
  const distance = limit < mark ? mark - limit : limit - mark;
  const isLimitInBand = distance * 10_000n <= mark * raw(bandBps[kind]);
  const paid = limit * (10_000n + (kind === 'open' ? raw(venueFeeBps) : -raw(venueFeeBps)));
  const worse = kind === 'open' ? paid - mark * 10_000n : mark * 10_000n - paid;
  return isLimitInBand && worse <= mark * raw(costBps[kind]);
};

/** Cost of a filler per token, in pips. */
export const costOf = (averagePips: bigint, tokens: TokenUnits): bigint =>
  fillerCostPipsOf({ averagePips, tokenUnits: tokens }, policyDefaults.grant.fillerCost);

/** Cost of a filler per token that it buys, in pips. */
export const saleCostOf = (averagePips: bigint, tokens: TokenUnits): bigint =>
  saleCostPipsOf({ averagePips, tokenUnits: tokens }, policyDefaults.grant.fillerCost);

/** True for a limit at the edge of its bands below the mark. */
export const isAtEdge = (
  { markPricePips, limitPricePips }: GrantTerms,
  kind: GrantKind,
  { facts }: MarketSnapshot,
): boolean => {
  if (facts.venueFee === null) return false;
  return limitPricePips === saleEdgeOf(kind, { markPricePips, venueFee: facts.venueFee }, policyDefaults.grant);
};

import {
  compare,
  max,
  min,
  type PricePips,
  type RateBps,
  rateBps,
  raw,
  type VenueFeeSchedule,
  venueFeeShareBpsOf,
} from '@core/pricing';
import type { PolicyConfig } from '../config.ts';

/** Fees of the venue at one moment: those that a sale is likely to pay, and the most that the exchange may take. */
export interface SaleFees {
  readonly venueFee: VenueFeeSchedule;
  /**
   * Maximum fee rate of the exchange, of the money traded; 0 when it has no maximum. Null for a grant, whose price only
   * the attested fee part leaves.
   */
  readonly maxVenueFeeBps: RateBps | null;
}

/**
 * True while the exchange bounds its fee as the vault expects it. Beyond that a sale below the debt could give
 * everything away, so before the hard exit nothing is sold for less than the debt.
 */
export function isFeeLimited(maxVenueFeeBps: RateBps | null, { unwind }: Pick<PolicyConfig, 'unwind'>): boolean {
  if (maxVenueFeeBps === null) return true;
  return raw(maxVenueFeeBps) > 0n && compare(maxVenueFeeBps, unwind.maxVenueFeeBps) <= 0;
}

const wholeBps = rateBps(10_000n);
const highestAttestedBps = rateBps(9_999n);

/**
 * Return the fee that a sale has to cover on chain, in basis points of the money traded: the share of the schedule at
 * its limit, or the maximum of the exchange when that is higher. Without a maximum the exchange may take everything.
 */
export function coverFeeBpsOf(limitPricePips: PricePips, { venueFee, maxVenueFeeBps }: SaleFees): RateBps {
  const share = venueFeeShareBpsOf({ pricePips: limitPricePips, schedule: venueFee });
  if (maxVenueFeeBps === null) return share;
  return raw(maxVenueFeeBps) === 0n ? wholeBps : min(wholeBps, max(share, maxVenueFeeBps));
}

/** Return that fee as an attestation carries it: less than everything, because the vault divides by what it leaves. */
export function attestedCoverFeeBpsOf(limitPricePips: PricePips, fees: SaleFees): RateBps {
  return min(coverFeeBpsOf(limitPricePips, fees), highestAttestedBps);
}

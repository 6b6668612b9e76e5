import { pricePips, raw, subtract, tokenUnits, type VenueFeeSchedule, valueOf, venueFeeOf } from '@core/pricing';
import { type FeeRates, measuredCostOf, type OpenPosition } from '@core/sdk';

const unitsPerPip = 100n;
const ppmPerBps = 100n;

/** Figures of a sale of the whole position at a price, in USDC units. */
export interface ClosingFigures {
  /** Value of the tokens at the price, rounded down. */
  readonly proceedsUnits: bigint;
  /** Maximum venue fee, rounded up. */
  readonly feeUnits: bigint;
  /** Loan and interest that are repaid first, rounded up. */
  readonly owedUnits: bigint;
  /** Payout to the wallet; 0 when the debt takes everything. */
  readonly payoutUnits: bigint;
  /** The same at the cost of measured closes of this size; null where none is measured. */
  readonly measuredPayoutUnits: bigint | null;
}

interface SaleTerms {
  /** Pips per token. */
  readonly price: bigint;
  /** Mid of the book in pips per token, the mark of measured closes; null without one. */
  readonly mid: bigint | null;
  readonly rates: FeeRates | undefined;
}

/**
 * Compute a sale of the whole position at a price. Without its valuation basis a position shows its debt only to a pip.
 */
export function closingFigures(
  { current, fees, basis }: OpenPosition,
  { price, mid, rates }: SaleTerms,
): ClosingFigures {
  const sold = { tokenUnits: tokenUnits(BigInt(current.position_token_units)), pricePips: pricePips(price) };
  const schedule: VenueFeeSchedule = {
    ratePpm: BigInt(rates?.market?.venue_trading_fee_bps ?? 0) * ppmPerBps,
    exponent: BigInt(rates?.market?.venue_fee_exponent ?? 1),
  };
  const proceedsUnits = raw(valueOf(sold.tokenUnits, sold.pricePips, 'down'));
  const feeUnits = raw(venueFeeOf({ ...sold, schedule, rounding: 'up' }));
  const interestPips = BigInt(fees.accrued_lifetime_fee_usd_pips) + BigInt(fees.pending_lifetime_fee_usd_pips);
  const principalUnits =
    basis === undefined
      ? (BigInt(current.notional_usd_pips) - BigInt(current.collateral_usd_pips)) * unitsPerPip
      : BigInt(basis.principal_usdc_units);
  const owedUnits = principalUnits + interestPips * unitsPerPip;
  const payoutOf = (soldUnits: bigint): bigint => (soldUnits > owedUnits ? soldUnits - owedUnits : 0n);
  const value = mid === null ? null : valueOf(sold.tokenUnits, pricePips(mid), 'down');
  const cost = value === null ? null : measuredCostOf(value, 'close', rates);
  return {
    proceedsUnits,
    feeUnits,
    owedUnits,
    payoutUnits: payoutOf(proceedsUnits - feeUnits),
    measuredPayoutUnits: value === null || cost === null ? null : payoutOf(raw(subtract(value, cost))),
  };
}

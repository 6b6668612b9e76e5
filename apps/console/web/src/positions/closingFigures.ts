import { pricePips, raw, tokenUnits, type VenueFeeSchedule, valueOf, venueFeeOf } from '@core/pricing';
import type { FeeRates, OpenPosition } from '@core/sdk';

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
}

/**
 * Compute a sale of the whole position at a price. Without its valuation basis a position shows its debt only to a pip.
 * @param price pips per token.
 */
export function closingFigures(
  { current, fees, basis }: OpenPosition,
  { price, rates }: { readonly price: bigint; readonly rates: FeeRates | undefined },
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
  const remainderUnits = proceedsUnits - feeUnits - owedUnits;
  return { proceedsUnits, feeUnits, owedUnits, payoutUnits: remainderUnits > 0n ? remainderUnits : 0n };
}

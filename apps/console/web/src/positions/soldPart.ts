import { add, max, subtract, type TokenUnits, tokenUnits, type UsdcUnits, usdcUnits } from '@core/pricing';
import { debtAfterSale, type OpenPosition, type PositionDebt } from '@core/sdk';

/** Units of a hundredth of a token: the venue's size step. */
const stepUnits = 10_000n;

/** Tokens of a partial sale, in hundredths of a token, which a slider represents exactly. */
export interface PartRange {
  readonly minimum: bigint;
  readonly maximum: bigint;
}

/** Return the range of a partial sale: from a fifth of the opened tokens and five; five must remain. Null for none. */
export function partRangeOf({ current }: Pick<OpenPosition, 'current'>): PartRange | null {
  const minimum = (BigInt(current.min_partial_close_token_units) + stepUnits - 1n) / stepUnits;
  const maximum = BigInt(current.max_partial_close_token_units) / stepUnits;
  return maximum === 0n || maximum < minimum ? null : { minimum, maximum };
}

/** Return quarters of the tokens in hundredths of a token, rounded down. */
export const partOf = ({ current }: Pick<OpenPosition, 'current'>, quarters: bigint): bigint =>
  (BigInt(current.position_token_units) * quarters) / 4n / stepUnits;

/** Return the tokens that a sale of a part takes, within the range as it is now; null where no part can be sold. */
export function soldUnitsOf(position: Pick<OpenPosition, 'current'>, part: bigint): TokenUnits | null {
  const range = partRangeOf(position);
  if (range === null) return null;
  const { minimum, maximum } = range;
  const clamped = part < minimum ? minimum : part > maximum ? maximum : part;
  return tokenUnits(clamped * stepUnits);
}

const owedOf = ({ principalUsdcUnits, feesUsdcUnits }: PositionDebt): UsdcUnits =>
  add(principalUsdcUnits, feesUsdcUnits);

/** Return the debt that a sale of these tokens repays: their share of principal and fees, or all of it. */
export const repaidOf = (debt: PositionDebt, soldTokenUnits: TokenUnits): UsdcUnits =>
  subtract(owedOf(debt), owedOf(debtAfterSale(debt, soldTokenUnits)));

/** Return the payout of a sale to the wallet: what the repayment leaves of the proceeds, or nothing. */
export const payoutOf = (proceeds: UsdcUnits, repaid: UsdcUnits): UsdcUnits =>
  max(usdcUnits(0n), subtract(proceeds, repaid));

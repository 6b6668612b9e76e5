import type { vaultAbi } from '@core/vault';
import type { ContractFunctionReturnType } from 'viem';

/** Terms and progress of a grant, as the vault has them. */
export type Grant = ContractFunctionReturnType<typeof vaultAbi, 'view', 'grantOf'>;

/** Bounds of a position's purchase: its user expects at least `minPositionTokenUnits` for `notionalUsdcUnits`. */
export type Expectation = Pick<
  ContractFunctionReturnType<typeof vaultAbi, 'view', 'positionOf'>,
  'notionalUsdcUnits' | 'minPositionTokenUnits'
>;

/** Price level of a book: pips are 1/10,000 USD, units 1/1,000,000 token. */
export interface Bid {
  readonly pricePips: bigint;
  readonly tokenUnits: bigint;
}

/** Amounts of a fill: the token units and the USDC units that change hands, fee part included. */
export interface Amounts {
  readonly tokenUnits: bigint;
  readonly usdcUnits: bigint;
}

const up = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

/** Price and fee part of a grant at a second, as fractions: docs/fillers.md, Price. */
function pathOf(grant: Grant, second: number) {
  const validFor = BigInt(grant.validFor);
  const elapsed = second * 2 < grant.validFor ? BigInt(second) * 2n : validFor;
  const divisor = 10_000n * validFor;
  const trade = BigInt(grant.startPips) * (validFor - elapsed) + BigInt(grant.limitPips) * elapsed;
  return { trade, fee: BigInt(grant.venueFeeBps) * elapsed, divisor };
}

/** Return the fill of all that is left of a purchase at a second: USDC rounded down, tokens rounded up. */
export function purchaseAt(grant: Grant, second: number, expectation: Expectation): Amounts {
  const { trade, fee, divisor } = pathOf(grant, second);
  const rest = grant.mostUnits - grant.filledUnits;
  const usdcUnits = (rest * (divisor + fee)) / divisor;
  const atPrice = up(usdcUnits * divisor * divisor, trade * (divisor + fee));
  const forUser = up(rest * expectation.minPositionTokenUnits, expectation.notionalUsdcUnits);
  return { tokenUnits: atPrice > forUser ? atPrice : forUser, usdcUnits };
}

/** Return the fill of all that is left of a sale at a second: USDC rounded up. */
export function saleAt(grant: Grant, second: number): Amounts {
  const { trade, fee, divisor } = pathOf(grant, second);
  const tokenUnits = grant.mostUnits - grant.filledUnits;
  return { tokenUnits, usdcUnits: up(tokenUnits * trade * (divisor - fee), divisor * divisor) };
}

/** Return the USDC that bids pay for tokens, rounded down, and the last price used; null when they take fewer. */
export function proceedsOf(bids: readonly Bid[], tokenUnits: bigint): { usdcUnits: bigint; worstPips: bigint } | null {
  let [rest, sum] = [tokenUnits, 0n];
  for (const bid of bids) {
    const units = bid.tokenUnits < rest ? bid.tokenUnits : rest;
    rest -= units;
    sum += units * bid.pricePips;
    if (rest === 0n) return { usdcUnits: sum / 10_000n, worstPips: bid.pricePips };
  }
  return null;
}

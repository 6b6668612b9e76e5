import { multiplyDivide, raw, usdPips } from '@core/pricing';
import { amountTextOf, pipsOfText } from '../money.ts';

export type Side = 'yes' | 'no';

/** Inputs of a trader. */
export interface TicketOrder {
  readonly side: Side;
  /** Amount as entered, in USD: notional size or collateral. */
  readonly amount: string;
  readonly amountKind: 'size' | 'collateral';
  readonly leverageBps: number;
  /** Accepted shortfall of tokens, in basis points. */
  readonly slippageBps: number;
}

const wholeBps = 10_000n;

/** Return the size in pips, of collateral times leverage rounded down; null for an invalid amount. */
export function notionalOf({ amount, amountKind, leverageBps }: TicketOrder): bigint | null {
  const pips = pipsOfText(amount);
  if (pips === null || amountKind === 'size') return pips;
  return raw(multiplyDivide(usdPips(pips), BigInt(leverageBps), wholeBps, 'down'));
}

/** Return the same size in the other amount kind; an invalid text is unchanged. */
export function switchedAmount(order: TicketOrder): TicketOrder {
  const pips = pipsOfText(order.amount);
  const amountKind = order.amountKind === 'size' ? 'collateral' : 'size';
  if (pips === null) return { ...order, amountKind };
  const [times, divisor] =
    amountKind === 'size' ? [BigInt(order.leverageBps), wholeBps] : [wholeBps, BigInt(order.leverageBps)];
  return { ...order, amountKind, amount: amountTextOf(raw(multiplyDivide(usdPips(pips), times, divisor, 'down'))) };
}

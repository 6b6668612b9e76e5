import type { Market } from '@core/sdk';
import { reasonText } from '../markets/reasonTexts.ts';
import { amountFault, dollars } from '../money.ts';

/** Text of the ticket's button, and the reason why it is disabled. */
export interface TicketAction {
  readonly text: string;
  /** Null when the button is enabled. */
  readonly hint: string | null;
}

/** Return the text and the state of the button. */
export function ticketActionOf(input: {
  readonly market: Market;
  readonly side: 'yes' | 'no';
  /** Amount as entered. */
  readonly amount: string;
  readonly notionalPips: bigint | null;
  readonly isSignedIn: boolean;
  readonly isBusy: boolean;
}): TicketAction {
  const { market, side, notionalPips } = input;
  const text = input.isBusy ? 'Loading …' : 'Review';
  const largest = market[`max_notional_${side}_usd_pips`];
  if (input.isBusy) return { text, hint: 'The service computes the figures.' };
  if (!input.isSignedIn) return { text, hint: 'Sign in with a wallet to open a position.' };
  const reason = reasonText(market.sided_eligibility[side].rejection_reason_code);
  if (reason !== null) return { text, hint: reason };
  if (notionalPips === null) return { text, hint: amountFault(input.amount) ?? 'Enter an amount.' };
  if (notionalPips < BigInt(market.min_notional_usd_pips)) {
    return { text, hint: `The minimum size is ${dollars(market.min_notional_usd_pips)}.` };
  }
  if (largest !== null && notionalPips > BigInt(largest)) {
    return { text, hint: `The maximum size on this side is ${dollars(largest)} now.` };
  }
  return { text, hint: null };
}

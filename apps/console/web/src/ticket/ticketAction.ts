import type { Market } from '@core/sdk';
import { reasonText } from '../markets/reasonTexts.ts';
import { dollars } from '../money.ts';

/** What the ticket's button says, and why it cannot be pressed. */
export interface TicketAction {
  readonly text: string;
  /** Null when it can be pressed. */
  readonly hint: string | null;
}

/** The one place that decides what the button says. */
export function ticketActionOf(input: {
  readonly market: Market;
  readonly side: 'yes' | 'no';
  readonly notionalPips: bigint | null;
  readonly isSignedIn: boolean;
  readonly isBusy: boolean;
}): TicketAction {
  const { market, side, notionalPips } = input;
  const text = input.isBusy ? 'Asking …' : 'Review';
  const largest = market[`max_notional_${side}_usd_pips`];
  if (input.isBusy) return { text, hint: 'The service works out the figures.' };
  if (!input.isSignedIn) return { text, hint: 'Sign in with a wallet to open a position.' };
  const reason = reasonText(market.sided_eligibility[side].rejection_reason_code);
  if (reason !== null) return { text, hint: reason };
  if (notionalPips === null) return { text, hint: 'Give a size in dollars, such as 250 or 99.50.' };
  if (notionalPips < BigInt(market.min_notional_usd_pips)) {
    return { text, hint: `The smallest size is ${dollars(market.min_notional_usd_pips)}.` };
  }
  if (largest !== null && notionalPips > BigInt(largest)) {
    return { text, hint: `At most ${dollars(largest)} can be opened on this side now.` };
  }
  return { text, hint: null };
}

import type { FeeRates, Market } from '@core/sdk';
import { useState } from 'react';
import { type OpeningControl, useOpening } from '../opening/useOpening.ts';
import { orderWarnings } from '../quotes/orderWarnings.ts';
import { useFeeRates } from '../quotes/useFeeRates.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { largestSizeOf, largestSizeText } from './largestSize.ts';
import { type LeverageLimit, leverageLimitOf } from './leverageLimit.ts';
import { storedOrderOf } from './storedOrder.ts';
import { type SuggestedOrder, suggestedOrderOf } from './suggestedOrder.ts';
import { type TicketAction, ticketActionOf } from './ticketAction.ts';
import { notionalOf, type Side, type TicketOrder } from './ticketOrder.ts';
import { type Estimate, useEstimate } from './useEstimate.ts';
import { useGrantedLeverage } from './useGrantedLeverage.ts';
import { useWalletFigures, type WalletFigures } from './useWalletFigures.ts';

/** State of a ticket with its actions. */
export interface TicketState {
  readonly order: TicketOrder;
  readonly notionalPips: bigint | null;
  /** Largest size now in pips; null where none is shown for this leverage. */
  readonly largestPips: bigint | null;
  readonly largestText: string;
  readonly limit: LeverageLimit;
  readonly rates: FeeRates | undefined;
  readonly ratesError: unknown;
  readonly estimate: Estimate;
  readonly wallet: WalletFigures | null;
  readonly warnings: readonly string[];
  /** True once the trader has accepted these warnings. */
  readonly isAccepted: boolean;
  readonly action: TicketAction;
  /** Order in place of a refused or oversized one. */
  readonly suggestion: SuggestedOrder | null;
  readonly opening: OpeningControl;
  readonly change: (order: TicketOrder) => void;
  /** Change the order and request its draft, in place of the one under review. */
  readonly replace: (order: TicketOrder) => void;
  /** Request a draft; with warnings the first call accepts them. */
  readonly review: () => void;
}

const firstSlippageBps = 500;

function firstOrderOf(market: Market): TicketOrder {
  const side: Side = market.sided_eligibility.yes.accepting_new_positions ? 'yes' : 'no';
  const { min_bps: leverageBps } = market.leverage;
  return { side, amount: '100', amountKind: 'size', leverageBps, slippageBps: firstSlippageBps };
}

/** Manage the order of a ticket, with its figures, limits and warnings. */
export function useTicket(market: Market): TicketState {
  const { address } = useSession();
  const [entered, setEntered] = useState(() => storedOrderOf(market.ticker).read() ?? firstOrderOf(market));
  /** Accepted warnings as one text; null before. */
  const [accepted, setAccepted] = useState<string | null>(null);
  const opening = useOpening(market);
  const { side } = entered;
  const granted = useGrantedLeverage(market, { side, notionalPips: notionalOf(entered) });
  const limit = leverageLimitOf(market, { side, granted });
  const order = { ...entered, leverageBps: Math.min(entered.leverageBps, limit.maxBps) };
  const notionalPips = notionalOf(order);
  const rates = useFeeRates(market.ticker);
  const estimate = useEstimate(market, { order, rates: rates.data, draft: granted.draft });
  const wallet = useWalletFigures(granted.draft);
  const warnings = estimate.ticket === null ? [] : orderWarnings(estimate.ticket);
  const isAccepted = accepted !== null && accepted === kindsOf(warnings);
  const { isBusy } = opening;
  const walletLimits = wallet && {
    usdcUnits: wallet.usdcUnits,
    remainingPips: BigInt(wallet.limits.remaining_usd_pips),
  };
  const largestPips = largestSizeOf(market, order, walletLimits);
  const setOrder = (next: TicketOrder): void => {
    setAccepted(null);
    setEntered(next);
    storedOrderOf(market.ticker).write(next);
  };
  const isSignedIn = address !== null;
  const action = ticketActionOf({ market, side, amount: order.amount, notionalPips, isSignedIn, isBusy });
  return {
    order,
    notionalPips,
    largestPips,
    largestText: largestSizeText(market, order, largestPips),
    limit,
    rates: rates.data,
    ratesError: rates.error,
    estimate,
    wallet,
    warnings,
    isAccepted,
    action,
    suggestion: suggestedOrderOf(market, order, opening.error),
    opening,
    change: (next) => {
      // A refusal is of the order that was reviewed.
      if (opening.error !== null && opening.state === null) opening.discard();
      setOrder(next);
    },
    replace: (next) => {
      setOrder(next);
      opening.draft({ ...next, ticker: market.ticker, notionalPips: notionalOf(next) ?? 0n });
    },
    review: () => {
      if (notionalPips === null || action.hint !== null) return;
      if (warnings.length > 0 && !isAccepted) setAccepted(kindsOf(warnings));
      else opening.draft({ ...order, ticker: market.ticker, notionalPips });
    },
  };
}

/** Return the kinds of the warnings. Their numbers follow the price and are accepted together. */
const kindsOf = (warnings: readonly string[]): string => warnings.join(' ').replaceAll(/[\d.,]+/g, '');

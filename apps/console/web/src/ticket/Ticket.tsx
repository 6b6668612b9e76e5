import { leverageBps, pricePips, usdPips } from '@core/pricing';
import type { Market } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DraftDrawer } from '../drawer/DraftDrawer.tsx';
import { cents, pipsOfText, times } from '../money.ts';
import { Opening } from '../opening/Opening.tsx';
import { useOpening } from '../opening/useOpening.ts';
import { errorText } from '../parts/errorText.ts';
import { queryKeys } from '../queryKeys.ts';
import { estimateOf } from '../quotes/estimateOf.ts';
import { QuoteFigures } from '../quotes/QuoteFigures.tsx';
import { useFeeRates } from '../quotes/useFeeRates.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { OrderChanges } from './OrderChanges.tsx';
import { ticketActionOf } from './ticketAction.ts';
import { useWalletFigures } from './useWalletFigures.ts';

type Side = 'yes' | 'no';

interface Order {
  readonly side: Side;
  readonly notional: string;
  readonly leverageBps: number;
}

/** Sizes a position; its figures move with every change, and the opening that follows from it is shown below. */
export function Ticket({ market }: { readonly market: Market }) {
  const { address } = useSession();
  const first: Side = market.sided_eligibility.yes.accepting_new_positions ? 'yes' : 'no';
  const [order, setOrder] = useState<Order>({ side: first, notional: '100', leverageBps: market.leverage.min_bps });
  const opening = useOpening(market);
  const notionalPips = pipsOfText(order.notional);
  const chosen = { ...order, leverageBps: Math.min(order.leverageBps, highestOf(market, order.side)) };
  const figures = useFigures(market, chosen);
  const { isBusy } = opening;
  const action = ticketActionOf({ market, side: order.side, notionalPips, isSignedIn: address !== null, isBusy });
  if (opening.state !== null) return <Opening opening={opening} market={market} />;
  const review = (): void => {
    if (notionalPips === null || action.hint !== null) return;
    opening.draft({ ...chosen, ticker: market.ticker, notionalPips });
  };
  return (
    <form
      className="card ticket"
      aria-label="Ticket"
      onSubmit={(event) => {
        event.preventDefault();
        review();
      }}
    >
      <h2>Open a position</h2>
      <Inputs market={market} order={chosen} onChange={setOrder} />
      {figures}
      {opening.error === null ? null : <p role="alert">{errorText(opening.error)}</p>}
      <button type="submit" aria-disabled={action.hint !== null} aria-describedby="ticket-hint">
        {action.text}
      </button>
      <p id="ticket-hint" className="hint">
        {action.hint ?? 'Shows the binding figures. Nothing is sent yet.'}
      </p>
      <DraftDrawer
        ticker={market.ticker}
        side={order.side}
        leverageBps={chosen.leverageBps}
        notionalPips={notionalPips}
      />
    </form>
  );
}

/** Highest leverage of a side that the slider offers; the lowest where the side takes none. */
function highestOf({ leverage }: Market, side: Side): number {
  return Math.max(leverage.min_bps, leverage[`max_${side}_bps`]);
}

interface InputsProps {
  readonly market: Market;
  readonly order: Order;
  readonly onChange: (order: Order) => void;
}

function Inputs({ market, order, onChange }: InputsProps) {
  const { min_bps: min, step_bps: step } = market.leverage;
  return (
    <>
      <fieldset>
        <legend>Side</legend>
        {(['yes', 'no'] as const).map((side) => (
          <label key={side} className="check">
            <input
              type="radio"
              name="side"
              checked={order.side === side}
              onChange={() => onChange({ ...order, side })}
            />
            {side.toUpperCase()} {cents(market.prices?.[`${side}_ask_price_usd_pips`])}
          </label>
        ))}
      </fieldset>
      <label>
        Notional, USD
        <input
          inputMode="decimal"
          value={order.notional}
          onChange={({ target }) => onChange({ ...order, notional: target.value })}
        />
      </label>
      <label>
        Leverage <output>{times(order.leverageBps)}</output>
        <input
          type="range"
          min={min}
          max={highestOf(market, order.side)}
          step={step}
          value={order.leverageBps}
          aria-valuetext={times(order.leverageBps)}
          onChange={({ target }) => onChange({ ...order, leverageBps: Number(target.value) })}
        />
      </label>
    </>
  );
}

/** Figures of the order, with what it changes, or the sentence that says why there are none. */
function useFigures(market: Market, { side, notional, leverageBps: leverage }: Order): ReactNode {
  const { user } = useSession();
  const { ticker } = market;
  const rates = useFeeRates(ticker);
  const accepts = market.sided_eligibility[side].accepting_new_positions;
  // A draft is the only place where the service says how much room it asks for above the debt.
  const terms = useQuery({
    queryKey: queryKeys.terms(ticker, side),
    queryFn: () => user.quotes.draft({ ticker, side, leverage: '2', notionalUsd: '100', allowRevision: true }),
    enabled: accepts,
  });
  const wallet = useWalletFigures(terms.data);
  const notionalPips = pipsOfText(notional);
  const askPips = market.prices?.[`${side}_ask_price_usd_pips`] ?? null;
  if (rates.isError) return <p role="alert">{errorText(rates.error)}</p>;
  if (rates.data === undefined) return <p className="hint">Reading fee rates …</p>;
  if (askPips === null) return <p className="hint">This side is not offered now.</p>;
  if (notionalPips === null || notionalPips === 0n) return <p className="hint">Give a size.</p>;
  const estimate = estimateOf({
    feeRates: rates.data,
    leverageBps: leverageBps(BigInt(leverage)),
    notionalUsdPips: usdPips(notionalPips),
    entryPricePips: pricePips(BigInt(askPips)),
    exitBufferBps: terms.data?.basis?.exit_buffer_bps ?? 0,
  });
  return (
    <>
      <QuoteFigures quote={estimate} market={market} side={side} feeRates={rates.data} />
      {wallet === null ? null : <OrderChanges quote={estimate} wallet={wallet} />}
    </>
  );
}

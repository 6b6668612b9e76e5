import { raw } from '@core/pricing';
import type { Market } from '@core/sdk';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { DraftDrawer } from '../drawer/DraftDrawer.tsx';
import type { OpeningProps } from '../opening/Opening.tsx';
import { OpeningDialog } from '../opening/OpeningDialog.tsx';
import { Boundary } from '../parts/Boundary.tsx';
import { errorText } from '../parts/errorText.ts';
import { Sentence } from '../parts/Sentence.tsx';
import { QuoteFigures } from '../quotes/QuoteFigures.tsx';
import { Warnings } from '../quotes/Warnings.tsx';
import { OrderChanges } from './OrderChanges.tsx';
import { OrderInputs } from './OrderInputs.tsx';
import { SlippageInput } from './SlippageInput.tsx';
import type { Side } from './ticketOrder.ts';
import { type TicketState, useTicket } from './useTicket.ts';

/** Price at which the order in a ticket would be liquidated. */
export interface OrderLevel {
  readonly side: Side;
  readonly liquidationPips: number;
}

interface TicketProps {
  readonly market: Market;
  /** Called when the liquidation price of the order changes; null without a valid order. */
  readonly onLevel: (level: OrderLevel | null) => void;
}

/** Order ticket; its figures follow every change. A dialog confirms the opening. */
export function Ticket({ market, onLevel }: TicketProps) {
  const ticket = useTicket(market);
  const { order, opening, estimate } = ticket;
  const { side } = order;
  const liquidationPips = estimate.ticket === null ? null : Number(raw(estimate.ticket.liquidationPricePips));
  useEffect(() => {
    onLevel(liquidationPips === null ? null : { side, liquidationPips });
  }, [onLevel, side, liquidationPips]);
  return (
    <form
      className="card ticket"
      aria-label="Ticket"
      onSubmit={(event) => {
        event.preventDefault();
        ticket.review();
      }}
    >
      <h2>Open a position</h2>
      <OrderInputs market={market} {...ticket} />
      <div className="ticket-figures">
        <Boundary of={ticket.estimate.quote}>
          <Figures market={market} ticket={ticket} />
        </Boundary>
      </div>
      <SlippageInput
        slippageBps={order.slippageBps}
        onChange={(slippageBps) => ticket.change({ ...order, slippageBps })}
      />
      <Warnings warnings={ticket.warnings} />
      {opening.error === null || opening.state !== null ? null : (
        <p role="alert">{errorText(opening.error, ticket.suggestion !== null)}</p>
      )}
      <SuggestionButton ticket={ticket} />
      <ReviewButton ticket={ticket} />
      <p className="hint">
        <Link to="/risk">How you lose money here</Link>
      </p>
      <DraftDrawer
        ticker={market.ticker}
        side={order.side}
        leverageBps={order.leverageBps}
        notionalPips={ticket.notionalPips}
      />
      {opening.state === null ? null : (
        <Boundary of={opening.state} fallback={<UnshownOpening onDiscard={opening.discard} />}>
          <OpeningDialog opening={opening} market={market} alternative={alternativeOf(ticket)} />
        </Boundary>
      )}
    </form>
  );
}

/** Return the order in place of the refused one under review, which is shown in its dialog. */
function alternativeOf({ opening, suggestion, replace }: TicketState): OpeningProps['alternative'] {
  if (opening.error === null || suggestion === null) return null;
  return { text: suggestion.text, take: () => replace(suggestion.order) };
}

function UnshownOpening({ onDiscard }: { readonly onDiscard: () => void }) {
  return (
    <div role="alert" className="banner">
      <p>This opening could not be shown. If it was sent, its position is in Portfolio.</p>
      <button type="button" onClick={onDiscard}>
        Discard
      </button>
    </div>
  );
}

interface TicketPartProps {
  readonly market: Market;
  readonly ticket: TicketState;
}

function Figures({ market, ticket: { order, estimate, rates, ratesError, wallet } }: TicketPartProps) {
  const { quote } = estimate;
  if (quote === null) return <p className="hint">{ratesError === null ? estimate.reason : errorText(ratesError)}</p>;
  return (
    <>
      <QuoteFigures quote={quote} market={market} side={order.side} feeRates={rates} />
      {wallet === null ? null : <OrderChanges quote={quote} wallet={wallet} />}
    </>
  );
}

/** Button that fills in the order which the service or the market names in place of a refused one. */
function SuggestionButton({ ticket: { suggestion, change } }: Pick<TicketPartProps, 'ticket'>) {
  return suggestion === null ? null : (
    <button type="button" className="quiet small" onClick={() => change(suggestion.order)}>
      <Sentence text={suggestion.text} />
    </button>
  );
}

/** Button of the ticket. With warnings it is red, and the first click accepts them. */
function ReviewButton({ ticket: { action, warnings, isAccepted } }: Pick<TicketPartProps, 'ticket'>) {
  return (
    <>
      <button
        type="submit"
        className={warnings.length > 0 ? 'danger-button' : undefined}
        aria-disabled={action.hint !== null}
        aria-describedby="ticket-hint"
      >
        {isAccepted ? 'Accept the risk and review' : action.text}
      </button>
      <p id="ticket-hint" className="hint">
        <Sentence text={action.hint ?? 'Shows the binding figures. Nothing is sent yet.'} />
      </p>
    </>
  );
}

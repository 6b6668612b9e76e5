import type { Market, Position, Quote } from '@core/sdk';
import { bidOf, midOf, signedFieldNames, ticketOf } from '@core/sdk';
import { Link } from '@tanstack/react-router';
import { serviceNowMs } from '../live/serviceClock.ts';
import { OutcomeMark } from '../markets/OutcomeMark.tsx';
import { dollars, times } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { Sentence } from '../parts/Sentence.tsx';
import { ShortHash } from '../parts/ShortHash.tsx';
import { statusText } from '../positions/statusTexts.ts';
import { usePositions } from '../positions/usePositions.ts';
import { orderWarnings } from '../quotes/orderWarnings.ts';
import { QuoteFigures } from '../quotes/QuoteFigures.tsx';
import { useFeeRates } from '../quotes/useFeeRates.ts';
import { Warnings } from '../quotes/Warnings.tsx';
import { useSession } from '../session/SessionProvider.tsx';
import { useNow } from '../useNow.ts';
import {
  expiryMsOf,
  isExpired,
  type OpeningStage,
  type OpeningState,
  openingStages,
  stageTexts,
} from './openingState.ts';
import { useObstacle } from './useObstacle.ts';
import type { OpeningControl } from './useOpening.ts';

export interface OpeningProps {
  readonly opening: OpeningControl;
  readonly market: Market;
  /** Order that is likely to be granted in place of a refused one; null without a refusal that names one. */
  readonly alternative: { readonly text: string; readonly take: () => void } | null;
}

/** Pending opening: its steps, the binding figures, warnings, and the signed values. */
export function Opening({ opening, market, alternative }: OpeningProps) {
  const { state, error } = opening;
  const { explorerUrl } = useSession().config;
  const rates = useFeeRates(market.ticker);
  if (state === null) return null;
  if (state.stage === 'filled') return <Filled positionId={state.positionId} onDone={opening.discard} />;
  const quote = 'quote' in state ? state.quote : state.draft;
  const side = quote.effective_side;
  const prices = { markPricePips: bidOf(market, side), midPricePips: midOf(market, side) };
  return (
    <section aria-label="Opening">
      <p>
        <OutcomeMark market={market} side={side} />{' '}
        <Sentence text={`${dollars(quote.notional_amount_usd_pips)} at ${times(quote.leverage_bps)}`} />
      </p>
      <Steps reached={state.stage} isBusy={opening.isBusy} />
      <QuoteFigures quote={quote} market={market} side={side} feeRates={rates.data} />
      <Warnings warnings={orderWarnings(ticketOf(quote, { ...prices, feeRates: rates.data }))} />
      {state.stage === 'sent' && state.hash !== null ? (
        <p>
          Transaction <ShortHash hash={state.hash} explorerUrl={explorerUrl} />
        </p>
      ) : null}
      {state.stage === 'draft' || state.stage === 'promoted' ? null : <SignedFields quote={state.quote} />}
      {state.stage === 'sent' ? <SentPosition positionKey={state.quote.on_chain_position_key} /> : null}
      {error === null ? null : <p role="alert">{errorText(error)}</p>}
      {alternative === null ? null : (
        <button type="button" className="quiet small" onClick={alternative.take}>
          <Sentence text={alternative.text} />
        </button>
      )}
      <Buttons opening={opening} state={state} isOpen={market.accepting_new_positions} />
    </section>
  );
}

function Steps({ reached, isBusy }: { readonly reached: OpeningStage; readonly isBusy: boolean }) {
  const at = openingStages.indexOf(reached);
  return (
    <ol className="steps">
      {openingStages.map((stage, index) => (
        <li
          key={stage}
          data-state={index <= at ? 'done' : 'open'}
          aria-current={index === at + 1 && isBusy ? 'step' : undefined}
        >
          {`${index <= at ? '✓' : '·'} ${stageTexts[stage]}`}
        </li>
      ))}
    </ol>
  );
}

/** Return the name of a signed value as a label. */
const nameText = (name: string): string => name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());

/** List of every signed value, checked against the signature, the chain and the market. */
function SignedFields({ quote }: { readonly quote: Quote }) {
  return (
    <details>
      <summary>
        <Sentence text={`✓ ${signedFieldNames.length} signed values verified`} />
      </summary>
      <ul className="signed">
        {signedFieldNames.map((name) => (
          <li key={name}>
            <span>{`✓ ${nameText(name)}`}</span> <code translate="no">{String(Reflect.get(quote, name))}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface ButtonsProps {
  readonly opening: OpeningControl;
  readonly state: OpeningState;
  readonly isOpen: boolean;
}

/** Return the text of the opening's button and the reason why it is disabled. */
function useButton({ opening, state, isOpen }: ButtonsProps): { readonly text: string; readonly hint: string | null } {
  const nowMs = useNow(expiryMsOf(state) !== null, serviceNowMs);
  const missing = useObstacle(state.stage === 'draft' ? state.draft : null);
  const isOver = isExpired(state, nowMs);
  const text = isOver ? 'Get a new quote and open' : state.stage === 'draft' ? 'Open this position' : 'Continue';
  if (opening.isBusy) return { text: 'Working …', hint: 'Confirm in your wallet if it asks.' };
  if (opening.obstacle !== null) return { text, hint: opening.obstacle };
  // A call that may have been sent can be resumed in any market state.
  const isSent = state.stage === 'approved' || state.stage === 'sent';
  if (!isSent && !isOpen) return { text, hint: 'This market accepts no new positions now.' };
  return { text, hint: missing };
}

function Buttons(props: ButtonsProps) {
  const { opening, state } = props;
  const { text, hint } = useButton(props);
  return (
    <>
      <div className="bar">
        <button
          type="button"
          aria-disabled={hint !== null}
          aria-describedby="opening-hint"
          onClick={() => (hint === null ? opening.proceed() : undefined)}
        >
          {text}
        </button>
        {opening.isBusy || state.stage === 'sent' ? null : (
          <button type="button" className="quiet" onClick={opening.discard}>
            Discard
          </button>
        )}
      </div>
      <p id="opening-hint" className="hint" role="status">
        {hint ?? 'A signed quote expires quickly: it is verified and sent immediately.'}
      </p>
    </>
  );
}

/** Sent opening, updated by the socket: the position exists before its order is filled. */
function SentPosition({ positionKey }: { readonly positionKey: string }) {
  const position = usePositions().data?.find(({ on_chain_position_key: key }) => key === positionKey);
  if (position === undefined) return null;
  return (
    <>
      <PositionStatus position={position} />
      <p>
        <PositionLink position={position} />
      </p>
    </>
  );
}

function PositionStatus({ position }: { readonly position: Position }) {
  return (
    <p role="status" data-figure="position-status">
      {statusText(position)}
    </p>
  );
}

function PositionLink({ position, className }: { readonly position: Position; readonly className?: string }) {
  return (
    <Link to="/positions/$id" params={{ id: position.id }} className={className}>
      View position
    </Link>
  );
}

function Filled({ positionId, onDone }: { readonly positionId: string; readonly onDone: () => void }) {
  const position = usePositions().data?.find(({ id }) => id === positionId);
  return (
    <section aria-label="Opening">
      {position === undefined ? (
        <p role="status">Order received. Waiting for the fill.</p>
      ) : (
        <PositionStatus position={position} />
      )}
      <div className="bar">
        {position === undefined ? null : <PositionLink position={position} className="button" />}
        <button type="button" className="quiet" onClick={onDone}>
          Open another
        </button>
      </div>
    </section>
  );
}

import type { Market, Position, Quote } from '@core/sdk';
import { signedFieldNames } from '@core/sdk';
import { Link } from '@tanstack/react-router';
import { times } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { useNow } from '../parts/useNow.ts';
import { statusText } from '../positions/statusTexts.ts';
import { usePositions } from '../positions/usePositions.ts';
import { QuoteFigures } from '../quotes/QuoteFigures.tsx';
import { useFeeRates } from '../quotes/useFeeRates.ts';
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

/** An opening under way: its steps, the binding figures, and what is signed. */
export function Opening({ opening, market }: { readonly opening: OpeningControl; readonly market: Market }) {
  const { state, error } = opening;
  const rates = useFeeRates(market.ticker);
  if (state === null) return null;
  if (state.stage === 'filled') return <Filled positionId={state.positionId} onDone={opening.discard} />;
  const quote = 'quote' in state ? state.quote : state.draft;
  return (
    <section className="card ticket" aria-label="Opening">
      <h2>
        {quote.effective_side.toUpperCase()} at {times(quote.leverage_bps)}
      </h2>
      <Steps reached={state.stage} isBusy={opening.isBusy} />
      <QuoteFigures quote={quote} market={market} side={quote.effective_side} feeRates={rates.data} />
      {state.stage === 'draft' || state.stage === 'promoted' ? null : <SignedFields quote={state.quote} />}
      {state.stage === 'sent' ? <SentPosition positionKey={state.quote.on_chain_position_key} /> : null}
      {error === null ? null : <p role="alert">{errorText(error)}</p>}
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
          {index <= at ? '✓' : '·'} {stageTexts[stage]}
        </li>
      ))}
    </ol>
  );
}

/** Every signed value, checked against the signature, the chain and the market. */
function SignedFields({ quote }: { readonly quote: Quote }) {
  return (
    <details>
      <summary>✓ {signedFieldNames.length} signed values checked</summary>
      <ul className="signed">
        {signedFieldNames.map((name) => (
          <li key={name}>
            ✓ {name} <code>{String(Reflect.get(quote, name))}</code>
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

/** The one place that decides what the opening's button says, and why it cannot be pressed. */
function useButton({ opening, state, isOpen }: ButtonsProps): { readonly text: string; readonly hint: string | null } {
  const nowMs = useNow(expiryMsOf(state) !== null);
  const missing = useObstacle(state.stage === 'draft' ? state.draft : null);
  const isOver = isExpired(state, nowMs);
  const text = isOver ? 'Get a new quote and open' : state.stage === 'draft' ? 'Open this position' : 'Go on';
  if (opening.isBusy) return { text: 'Working …', hint: 'Your wallet may ask you to sign.' };
  if (opening.obstacle !== null) return { text, hint: opening.obstacle };
  // What may have been sent already can be gone on with whatever the market does.
  const isSent = state.stage === 'approved' || state.stage === 'sent';
  if (!isSent && !isOpen) return { text, hint: 'The market takes no positions now.' };
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
        {hint ?? 'A signed quote is good for a short time: it is verified and sent at once.'}
      </p>
    </>
  );
}

/** What was sent, followed by the socket: the position is there before its order is filled. */
function SentPosition({ positionKey }: { readonly positionKey: string }) {
  const position = usePositions().data?.find(({ on_chain_position_key: key }) => key === positionKey);
  return position === undefined ? null : <PositionLink position={position} />;
}

function PositionLink({ position }: { readonly position: Position }) {
  return (
    <>
      <p role="status" data-figure="position-status">
        {statusText(position)}
      </p>
      <p>
        <Link to="/positions/$id" params={{ id: position.id }}>
          Look at it
        </Link>
      </p>
    </>
  );
}

function Filled({ positionId, onDone }: { readonly positionId: string; readonly onDone: () => void }) {
  const position = usePositions().data?.find(({ id }) => id === positionId);
  return (
    <section className="card ticket" aria-label="Opening">
      <h2>Your position</h2>
      {position === undefined ? <p role="status">The vault has it.</p> : <PositionLink position={position} />}
      <button type="button" className="quiet" onClick={onDone}>
        Open another
      </button>
    </section>
  );
}

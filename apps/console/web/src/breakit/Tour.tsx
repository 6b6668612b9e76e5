import type { Market, Position } from '@core/sdk';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ApiDrawer } from '../drawer/ApiDrawer.tsx';
import { serviceNowMs } from '../live/serviceClock.ts';
import { titleOf } from '../markets/filterMarkets.ts';
import { dollars } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { Sentence } from '../parts/Sentence.tsx';
import { usePositions } from '../positions/usePositions.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { controlCodeOf } from './controlCode.ts';
import { priceDropOf, type TourStep, tourMarketOf, tourPositionOf, tourStepsOf } from './tourSteps.ts';
import { type PlayRequest, venueClient } from './venueClient.ts';

/**
 * Five-minute tour from sign-in to a liquidated position. A step is done when its effect is observed, not at a click.
 */
export function Tour({ markets }: { readonly markets: readonly Market[] }) {
  const { address } = useSession();
  const positions = usePositions();
  const [dismissedIds, setDismissedIds] = useState<ReadonlySet<string>>(new Set());
  const position = address === null ? null : tourPositionOf(positions.data ?? [], dismissedIds);
  const steps = tourStepsOf({ isSignedIn: address !== null, position });
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <section className="card" aria-labelledby="tour">
      <h2 id="tour">From clone to a liquidated position</h2>
      <p className="hint">A step is done once it has happened, on this page or in another program.</p>
      <ol className="events">
        {steps.map((step) => (
          <li
            key={step.name}
            data-step={step.name}
            data-done={step.isDone}
            aria-current={step === next ? 'step' : undefined}
          >
            <strong>
              <span>{`${step.isDone ? '✓' : '○'} ${step.title}`}</span>
              <span className="unseen">{step.isDone ? ', done' : ', not yet'}</span>
            </strong>
            <br />
            <span className="hint">{step.text}</span>
            {step === next ? <StepAction step={step} markets={markets} position={position} /> : null}
          </li>
        ))}
      </ol>
      <p role="status">{next === undefined ? 'All steps are done.' : ''}</p>
      {next === undefined && position !== null ? (
        <Ended position={position} onAgain={() => setDismissedIds(new Set([...dismissedIds, position.id]))} />
      ) : null}
    </section>
  );
}

interface StepActionProps {
  readonly step: TourStep;
  readonly markets: readonly Market[];
  readonly position: Position | null;
}

/** Control that performs a step of the tour. */
function StepAction({ step, markets, position }: StepActionProps): ReactNode {
  switch (step.name) {
    case 'sign-in':
      return <SignInAction />;
    case 'open':
      return <OpenAction market={tourMarketOf(markets, serviceNowMs())} />;
    case 'filled':
    case 'liquidated':
      return <p role="status">Waiting for the keeper …</p>;
    case 'fall':
      return <PriceDropAction request={priceDropOf(position)} />;
  }
}

function SignInAction() {
  const { config, wallets, signIn } = useSession();
  const named = wallets.filter(({ name }) => config.accounts.some((account) => account.name === name));
  const signing = useMutation({ mutationFn: signIn });
  return (
    <div className="bar">
      {named.slice(0, 1).map((wallet) => (
        <button key={wallet.name} type="button" disabled={signing.isPending} onClick={() => signing.mutate(wallet)}>
          {`Sign in as ${wallet.name}`}
        </button>
      ))}
      {signing.isError ? <p role="alert">{errorText(signing.error)}</p> : null}
    </div>
  );
}

function OpenAction({ market }: { readonly market: Market | null }) {
  if (market === null) return <p role="status">No market accepts positions at the moment. Try again shortly.</p>;
  return (
    <p>
      <Link to="/markets/$ticker" params={{ ticker: market.ticker }}>
        {`Open one in ${titleOf(market)}`}
      </Link>{' '}
      and return here.
    </p>
  );
}

function PriceDropAction({ request }: { readonly request: PlayRequest | null }) {
  const play = useMutation({ mutationFn: (asked: PlayRequest) => venueClient.play(asked) });
  if (request === null) return null;
  return (
    <>
      <button type="button" disabled={play.isPending} onClick={() => play.mutate(request)}>
        <Sentence text={`Let the price fall to ${request.params['to']}`} />
      </button>
      {play.isError ? <p role="alert">{errorText(play.error)}</p> : null}
      <ApiDrawer action="Price drop" actionCode={controlCodeOf('scenarios', request)} />
    </>
  );
}

function Ended({ position, onAgain }: { readonly position: Position; readonly onAgain: () => void }) {
  return (
    <>
      <p>
        {'result' in position ? <Sentence text={`Paid out ${dollars(position.result.proceeds_usd_pips)}. `} /> : null}
        <Link to="/positions/$id" params={{ id: position.id }}>
          View position
        </Link>
      </p>
      <button type="button" className="quiet" onClick={onAgain}>
        Start again
      </button>
    </>
  );
}

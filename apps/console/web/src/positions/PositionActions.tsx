import { add, raw } from '@core/pricing';
import type { OpenPosition, Position } from '@core/sdk';
import { type ReactNode, useState } from 'react';
import { CloseDrawer } from '../drawer/CloseDrawer.tsx';
import { debtAt } from '../live/positionAt.ts';
import { serviceNowMs } from '../live/serviceClock.ts';
import { useLivePosition } from '../live/useLivePositions.ts';
import { dollarsOfUnits, tokens } from '../money.ts';
import { Boundary } from '../parts/Boundary.tsx';
import { errorText } from '../parts/errorText.ts';
import { Sentence } from '../parts/Sentence.tsx';
import { useSession } from '../session/SessionProvider.tsx';
import { CloseDialog } from './CloseDialog.tsx';
import { MarginDialog } from './MarginDialog.tsx';
import { type ChainActionControl, useChainAction } from './useChainAction.ts';
import { useClaimable } from './useClaimable.ts';

/** Actions that the owner can take now. */
export function PositionActions({ position }: { readonly position: Position }) {
  const action = useChainAction();
  return (
    <section className="card ticket" aria-label="Actions">
      <h2>Actions</h2>
      {'current' in position ? (
        <Active position={position} action={action} />
      ) : (
        <ClosedActions position={position} action={action} />
      )}
      {action.error === null ? null : <p role="alert">{errorText(action.error)}</p>}
      <p role="status" className="hint">
        {action.text}
      </p>
    </section>
  );
}

interface ChoiceProps<Kind extends Position> {
  readonly position: Kind;
  readonly action: ChainActionControl;
}

interface ChoiceButtonProps {
  readonly action: ChainActionControl;
  readonly onChoose: Parameters<ChainActionControl['begin']>[0];
  readonly children: ReactNode;
  readonly isQuiet?: boolean;
}

function ChoiceButton({ action, onChoose, children, isQuiet = false }: ChoiceButtonProps) {
  return (
    <button
      type="button"
      className={isQuiet ? 'quiet' : undefined}
      disabled={action.isBusy}
      onClick={() => action.begin(onChoose)}
    >
      {children}
    </button>
  );
}

function ClosedActions({ position, action }: ChoiceProps<Position>) {
  const isClaimable = useClaimable(position.on_chain_position_key);
  return (
    <>
      <p className="hint">
        {isClaimable
          ? 'Funds that arrived after the position closed can be claimed.'
          : 'Everything was paid out. There is nothing to claim.'}
      </p>
      {isClaimable ? (
        <ChoiceButton action={action} onChoose={(positions, wallet) => positions.claim(position, { wallet })}>
          Claim
        </ChoiceButton>
      ) : null}
    </>
  );
}

function Active({ position, action }: ChoiceProps<OpenPosition>) {
  const { position: live } = useLivePosition(position);
  if (position.status === 'pending') {
    return (
      <ChoiceButton action={action} onChoose={(positions, wallet) => positions.cancel(position, { wallet })}>
        Cancel opening
      </ChoiceButton>
    );
  }
  const operation = position.pending_operation?.type;
  const isSalePending = operation === 'close' || operation === 'partial_close';
  return (
    <>
      {isSalePending ? (
        <ChoiceButton action={action} onChoose={(positions, wallet) => positions.withdrawClose(position, { wallet })}>
          Withdraw sale request
        </ChoiceButton>
      ) : (
        <Sales position={live} action={action} />
      )}
      <Boundary of={live}>
        <Repayments position={live} action={action} />
      </Boundary>
    </>
  );
}

function Sales({ position, action }: ChoiceProps<OpenPosition>) {
  const { position_token_units: positionUnits, max_partial_close_token_units: maximumUnits } = position.current;
  /** Part that the dialog begins with, in quarters; null while it is closed. */
  const [quarters, setQuarters] = useState<bigint | null>(null);
  return (
    <>
      <button type="button" disabled={action.isBusy} onClick={() => setQuarters(4n)}>
        <Boundary of={position} fallback={<span>Sell all tokens</span>}>
          <SellAllText positionUnits={positionUnits} />
        </Boundary>
      </button>
      {maximumUnits === '0' ? null : (
        <button type="button" className="quiet" disabled={action.isBusy} onClick={() => setQuarters(2n)}>
          Sell a part
        </button>
      )}
      {quarters === null ? null : (
        <CloseDialog position={position} firstQuarters={quarters} onClose={() => setQuarters(null)} />
      )}
      <Boundary>
        <CloseDrawer position={position} />
      </Boundary>
    </>
  );
}

function SellAllText({ positionUnits }: { readonly positionUnits: string }) {
  return <Sentence text={`Sell all ${tokens(positionUnits)} tokens`} />;
}

/** Payments from the wallet: part of the debt, or all of it to withdraw the tokens. */
function Repayments({ position, action }: ChoiceProps<OpenPosition>) {
  const { address } = useSession();
  const [isPaying, setPaying] = useState(false);
  const debt = debtAt(position, serviceNowMs());
  if (debt === null) return null;
  const owed = raw(add(debt.principalUsdcUnits, debt.feesUsdcUnits));
  return (
    <>
      {owed === 0n ? null : (
        <button type="button" className="quiet" disabled={action.isBusy} onClick={() => setPaying(true)}>
          Add margin
        </button>
      )}
      {isPaying ? <MarginDialog position={position} onClose={() => setPaying(false)} /> : null}
      <ChoiceButton
        isQuiet
        action={action}
        onChoose={(positions, wallet) => positions.exit(position, { wallet, to: address ?? '' })}
      >
        <Sentence text={`Repay ${dollarsOfUnits(owed)} and withdraw tokens`} />
      </ChoiceButton>
    </>
  );
}

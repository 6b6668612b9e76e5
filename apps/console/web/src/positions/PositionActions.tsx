import { raw } from '@core/pricing';
import type { OpenPosition, Position, PositionDebt } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { anyPriceUsd } from '../chain/vaultCalls.ts';
import { CloseDrawer } from '../drawer/CloseDrawer.tsx';
import { dollarsOfUnits, tokens } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { AddMargin } from './AddMargin.tsx';
import { owedOf } from './debtEffects.ts';
import { SellPart } from './SellPart.tsx';
import { type ChainActionControl, useChainAction } from './useChainAction.ts';

/** What the owner can do with a position now. */
export function PositionActions({ position }: { readonly position: Position }) {
  const action = useChainAction();
  return (
    <section className="card ticket" aria-label="What you can do">
      <h2>What you can do</h2>
      {'current' in position ? (
        <Active position={position} action={action} />
      ) : (
        <Ended position={position} action={action} />
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

function Ended({ position, action }: ChoiceProps<Position>) {
  return (
    <>
      <p className="hint">USDC or tokens that came to its account after the end are handed out by a claim.</p>
      <ChoiceButton action={action} onChoose={(positions, wallet) => positions.claim(position, { wallet })}>
        Claim
      </ChoiceButton>
    </>
  );
}

function Active({ position, action }: ChoiceProps<OpenPosition>) {
  const { user, config } = useSession();
  const debt = useQuery({
    queryKey: queryKeys.debt(position.on_chain_position_key),
    queryFn: () => user.positions.debt(position, config.rpcUrl),
    enabled: position.status !== 'pending',
  });
  if (position.status === 'pending') {
    return (
      <ChoiceButton action={action} onChoose={(positions, wallet) => positions.cancel(position, { wallet })}>
        Cancel the opening
      </ChoiceButton>
    );
  }
  const operation = position.pending_operation?.type;
  const isSaleAsked = operation === 'close' || operation === 'partial_close';
  return (
    <>
      {isSaleAsked ? (
        <ChoiceButton action={action} onChoose={(positions, wallet) => positions.withdrawClose(position, { wallet })}>
          Withdraw the request to sell
        </ChoiceButton>
      ) : (
        <Sales position={position} action={action} debt={debt.data} />
      )}
      {debt.data === undefined ? null : <Repayments position={position} action={action} debt={debt.data} />}
    </>
  );
}

function Sales({ position, action, debt }: ChoiceProps<OpenPosition> & { readonly debt: PositionDebt | undefined }) {
  const { position_token_units: held, max_partial_close_token_units: most } = position.current;
  return (
    <>
      <ChoiceButton
        action={action}
        onChoose={(positions, wallet) => positions.close(position, { wallet, minPriceUsd: anyPriceUsd })}
      >
        Sell all {tokens(held)} tokens
      </ChoiceButton>
      <CloseDrawer position={position} />
      {debt === undefined || BigInt(most) === 0n ? null : (
        <SellPart
          position={position}
          debt={debt}
          isBusy={action.isBusy}
          onSell={(units) =>
            action.begin((positions, wallet) =>
              positions.closePart(position, { wallet, tokens: units, minPriceUsd: anyPriceUsd }),
            )
          }
        />
      )}
    </>
  );
}

/** What is paid from the wallet: a part of the debt, or all of it to take the tokens out. */
function Repayments({ position, action, debt }: ChoiceProps<OpenPosition> & { readonly debt: PositionDebt }) {
  const { address } = useSession();
  const owed = owedOf(debt);
  return (
    <>
      {raw(owed) === 0n ? null : (
        <AddMargin
          debt={debt}
          isBusy={action.isBusy}
          onPay={(units) =>
            action.begin((positions, wallet) => positions.addMargin(position, { wallet, amountUsd: units }))
          }
        />
      )}
      <ChoiceButton
        isQuiet
        action={action}
        onChoose={(positions, wallet) => positions.exit(position, { wallet, to: address ?? '' })}
      >
        Repay {dollarsOfUnits(raw(owed))} and take the tokens
      </ChoiceButton>
    </>
  );
}

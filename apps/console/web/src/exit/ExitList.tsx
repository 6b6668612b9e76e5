import { useEffect, useMemo, useState } from 'react';
import { send } from '../chain/chain.ts';
import { useLoadedWallet } from '../chain/loadWallet.ts';
import { type KeyOwner, rememberedKeysOf, rememberKeys } from '../chain/rememberedKeys.ts';
import type { Hex } from '../chain/wallet.ts';
import { Boundary } from '../parts/Boundary.tsx';
import { errorText } from '../parts/errorText.ts';
import { Figure } from '../parts/Figure.tsx';
import { HistoryProgress, useLogState } from '../parts/HistoryProgress.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import type { Act, ExitOwner } from './exitOwner.ts';
import { Holding } from './Holding.tsx';
import { KeyForm } from './KeyForm.tsx';
import { PoolDeposit } from './PoolDeposit.tsx';
import { openingsOf, readUsdc } from './readHoldings.ts';

/** List of a wallet's positions and pool share, each with its exits. Each part is read on its own. */
export function ExitList({ owner }: { readonly owner: ExitOwner }) {
  const { source, chainId, wallet, address } = owner;
  useLoadedWallet();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [version, setVersion] = useState(0);
  const reload = (): void => setVersion((before) => before + 1);
  const { keys, addKeys, history, state } = usePositionKeys(owner);
  const act: Act = (call, paidUsdcUnits = 0n) => {
    const sender = { wallet, address, rpcUrl: source.rpcUrl, chainId };
    const work = async (): Promise<void> => {
      const payment = async () => ({ token: await readUsdc(source), spender: source.vault, units: paidUsdcUnits });
      await send(sender, call, paidUsdcUnits > 0n ? [await payment()] : []);
      reload();
    };
    setBusy(true);
    setError(null);
    void work()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return (
    <>
      <h2>
        Holdings of <Figure>{address}</Figure>
      </h2>
      <fieldset disabled={isBusy}>
        <p role="status" className="hint">
          <Sentence
            text={isBusy ? 'Your wallet may ask you to sign.' : `${keys.length} positions found on this chain.`}
          />
        </p>
        {error === null ? null : <p role="alert">{errorText(error)}</p>}
        <Boundary of={version}>
          <PoolDeposit owner={owner} version={version} act={act} onRetry={reload} />
        </Boundary>
        <ul className="markets">
          {keys.map((key) => (
            <Boundary key={key} of={version}>
              <Holding positionKey={key} owner={owner} version={version} act={act} onRetry={reload} />
            </Boundary>
          ))}
        </ul>
      </fieldset>
      <Boundary of={state}>
        <HistoryProgress
          state={state}
          onStop={() => history.stop()}
          onResume={() => void history.resume()}
          missing="Positions created in them are not listed: add those below."
        />
      </Boundary>
      <KeyForm owner={owner} onKeys={addKeys} />
    </>
  );
}

/** Return the keys of the wallet's positions: entered ones, those in the vault's log, and those of earlier visits. */
function usePositionKeys(owner: ExitOwner) {
  const { source, address, chainId } = owner;
  const keyOwner = useMemo<KeyOwner>(
    () => ({ chainId, vault: source.vault, address }),
    [chainId, source.vault, address],
  );
  const history = useMemo(() => openingsOf(source, address), [source, address]);
  const state = useLogState(history);
  const [entered, setEntered] = useState<readonly Hex[]>([]);
  const [remembered] = useState(() => rememberedKeysOf(keyOwner));
  useEffect(() => {
    void history.resume();
    return () => history.stop();
  }, [history]);
  const keys = useMemo(() => {
    const logged = state.logs.map(({ args }) => args.positionKey).toReversed();
    return [...new Set([...entered, ...logged, ...remembered])];
  }, [entered, state.logs, remembered]);
  useEffect(() => rememberKeys(keyOwner, keys), [keyOwner, keys]);
  const addKeys = (added: readonly Hex[]): void => setEntered((before) => [...added, ...before]);
  return { keys, addKeys, history, state };
}

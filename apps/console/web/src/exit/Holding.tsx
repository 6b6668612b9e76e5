import { useCallback } from 'react';
import { vaultCallsOf } from '../chain/vaultCalls.ts';
import type { Hex } from '../chain/wallet.ts';
import { dollarsOfUnits, tokens } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { Fact } from '../parts/Fact.tsx';
import type { Act, ExitOwner } from './exitOwner.ts';
import { readHolding } from './readHoldings.ts';
import { useLoaded } from './useLoaded.ts';

/** Extra allowance in USDC units: fees accrue until the transaction is in a block. */
const accrualUsdcUnits = 100_000n;

interface HoldingProps {
  readonly positionKey: Hex;
  readonly owner: ExitOwner;
  /** Number that changes when the position is to be read again. */
  readonly version: number;
  readonly act: Act;
  readonly onRetry: () => void;
}

/** Position of a wallet with its exits. */
export function Holding({ positionKey: key, owner: { source, address }, version, act, onRetry }: HoldingProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is another reading.
  const load = useCallback(() => readHolding(source, key), [source, key, version]);
  const { value: holding, error } = useLoaded(load);
  const calls = vaultCallsOf(source.vault, key);
  return (
    <li className="card" aria-label={`Position ${key}`}>
      <code translate="no">{`${key.slice(0, 10)}…${key.slice(-8)}`}</code>
      {error === null ? null : (
        <p role="alert">
          <span>{`This position could not be read. ${errorText(error)}`}</span>{' '}
          <button type="button" className="quiet" onClick={onRetry}>
            Try again
          </button>
        </p>
      )}
      {holding === null ? null : (
        <>
          <dl>
            <Fact name="State">{holding.state}</Fact>
            <Fact name="Tokens">{tokens(holding.tokenUnits)}</Fact>
            <Fact name="Owed">{dollarsOfUnits(holding.owedUsdcUnits)}</Fact>
          </dl>
          <div className="bar">
            {holding.state === 'open' ? (
              <>
                <button
                  type="button"
                  onClick={() => act(calls.exitByRepaying(address), holding.owedUsdcUnits + accrualUsdcUnits)}
                >
                  Repay and withdraw tokens
                </button>
                <button type="button" onClick={() => act(calls.settle())}>
                  Settle
                </button>
              </>
            ) : null}
            {holding.state === 'pending' ? (
              <button type="button" onClick={() => act(calls.cancel())}>
                Cancel
              </button>
            ) : null}
            {holding.state === 'ended' ? (
              <button type="button" onClick={() => act(calls.claim())}>
                Claim
              </button>
            ) : (
              <button type="button" className="quiet" onClick={() => act(calls.finalize())}>
                Finalize
              </button>
            )}
          </div>
        </>
      )}
    </li>
  );
}

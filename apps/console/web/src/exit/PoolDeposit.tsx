import { useCallback } from 'react';
import { minimumOf, poolCallsOf } from '../chain/vaultCalls.ts';
import { dollarsHeld, timeText } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { Fact } from '../parts/Fact.tsx';
import type { Act, ExitOwner } from './exitOwner.ts';
import { readPoolShare } from './readHoldings.ts';
import { useLoaded } from './useLoaded.ts';

interface PoolDepositProps {
  readonly owner: ExitOwner;
  /** Number that changes when the share is to be read again. */
  readonly version: number;
  readonly act: Act;
  readonly onRetry: () => void;
}

/** Pool share of a wallet with its withdrawal; nothing for a wallet without one. */
export function PoolDeposit({ owner: { source, address }, version, act, onRetry }: PoolDepositProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is another reading.
  const load = useCallback(() => readPoolShare(source, address), [source, address, version]);
  const { value: share, error } = useLoaded(load);
  const calls = poolCallsOf(source.pool, address);
  if (error !== null) {
    return (
      <p role="alert">
        <span>{`The pool deposit could not be read. ${errorText(error)}`}</span>{' '}
        <button type="button" className="quiet" onClick={onRetry}>
          Try again
        </button>
      </p>
    );
  }
  if (share === null) return null;
  const { shares, valueUsdcUnits, requestedShares, capUsdcUnits, maturesAt, redeemableShares } = share;
  if (shares === 0n && requestedShares === 0n) return null;
  return (
    <section className="card" aria-labelledby="pool-deposit">
      <h2 id="pool-deposit">Pool deposit</h2>
      <dl>
        <Fact name="Value now">{dollarsHeld(valueUsdcUnits)}</Fact>
        <Fact name="Requested, maximum payout">{requestedShares === 0n ? 'none' : dollarsHeld(capUsdcUnits)}</Fact>
        {maturesAt === 0 ? null : (
          <Fact name="Withdrawable from">{timeText(new Date(maturesAt * 1_000).toISOString())}</Fact>
        )}
      </dl>
      <div className="bar">
        {shares === 0n ? null : (
          <button type="button" onClick={() => act(calls.requestRedeem(shares, minimumOf(valueUsdcUnits)))}>
            Request withdrawal of everything (cannot be undone)
          </button>
        )}
        {redeemableShares === 0n ? null : (
          <button type="button" onClick={() => act(calls.redeem(redeemableShares))}>
            Withdraw available amount
          </button>
        )}
      </div>
    </section>
  );
}

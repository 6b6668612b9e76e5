import { useState } from 'react';
import { approve, type Payment, receiptOf, send } from '../chain/chain.ts';
import { minimumOf, poolCallsOf, vaultCallsOf } from '../chain/vaultCalls.ts';
import type { ContractCall, Hex, Wallet } from '../chain/wallet.ts';
import { dollarsHeld, dollarsOfUnits, timeText, tokens } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { Fact } from '../parts/Fact.tsx';
import { Figure } from '../parts/Figure.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import type { ChainHolding, ExitSource, PoolShare } from './readHoldings.ts';

/** Holdings of a wallet, with the node and contracts they were read from. */
export interface WalletHoldings {
  readonly source: ExitSource;
  readonly wallet: Wallet;
  readonly address: Hex;
  readonly holdings: readonly ChainHolding[];
  readonly share: PoolShare;
}

/** Extra allowance in USDC units: fees accrue until the transaction is in a block. */
const accrualUsdcUnits = 100_000n;

type Act = (call: ContractCall, payments?: readonly Payment[]) => void;

interface ExitListProps {
  readonly owner: WalletHoldings;
  /** Called after a transaction has changed the holdings. */
  readonly onChange: () => void;
}

/** List of a wallet's positions and pool share, each with its exits. */
export function ExitList({ owner, onChange }: ExitListProps) {
  const { source, wallet, address, holdings, share } = owner;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const act: Act = (call, payments = []) => {
    const sender = { wallet, address, rpcUrl: source.rpcUrl };
    const work = async (): Promise<void> => {
      await approve(sender, payments);
      await receiptOf(sender, await send(sender, call));
      onChange();
    };
    setBusy(true);
    setError(null);
    void work()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return (
    <fieldset disabled={isBusy}>
      <h2>
        Holdings of <Figure>{address}</Figure>
      </h2>
      <p role="status" className="hint">
        <Sentence text={isBusy ? 'Your wallet may ask you to sign.' : `${holdings.length} positions on this chain.`} />
      </p>
      {error === null ? null : <p role="alert">{errorText(error)}</p>}
      <ul className="markets">
        {holdings.map((holding) => (
          <Holding key={holding.key} holding={holding} owner={owner} act={act} />
        ))}
      </ul>
      <Share share={share} calls={poolCallsOf(source.pool, address)} act={act} />
    </fieldset>
  );
}

interface HoldingProps {
  readonly holding: ChainHolding;
  readonly owner: WalletHoldings;
  readonly act: Act;
}

function Holding({ holding, owner: { source, address, share }, act }: HoldingProps) {
  const { key, state, tokenUnits, owedUsdcUnits } = holding;
  const calls = vaultCallsOf(source.vault, key);
  const repay = { token: share.usdc, spender: source.vault, units: owedUsdcUnits + accrualUsdcUnits };
  return (
    <li className="card" aria-label={`Position ${key}`}>
      <code translate="no">{`${key.slice(0, 10)}…${key.slice(-8)}`}</code>
      <dl>
        <Fact name="State">{state}</Fact>
        <Fact name="Tokens">{tokens(tokenUnits)}</Fact>
        <Fact name="Owed">{dollarsOfUnits(owedUsdcUnits)}</Fact>
      </dl>
      <div className="bar">
        {state === 'open' ? (
          <>
            <button type="button" onClick={() => act(calls.exitByRepaying(address), [repay])}>
              Repay and withdraw tokens
            </button>
            <button type="button" onClick={() => act(calls.settle())}>
              Settle
            </button>
          </>
        ) : null}
        {state === 'pending' ? (
          <button type="button" onClick={() => act(calls.cancel())}>
            Cancel
          </button>
        ) : null}
        {state === 'ended' ? (
          <button type="button" onClick={() => act(calls.claim())}>
            Claim
          </button>
        ) : (
          <button type="button" className="quiet" onClick={() => act(calls.finalize())}>
            Finalize
          </button>
        )}
      </div>
    </li>
  );
}

interface ShareProps {
  readonly share: PoolShare;
  readonly calls: ReturnType<typeof poolCallsOf>;
  readonly act: Act;
}

function Share({ share, calls, act }: ShareProps) {
  const { shares, valueUsdcUnits, requestedShares, capUsdcUnits, maturesAt, redeemableShares } = share;
  if (shares === 0n && requestedShares === 0n) return null;
  return (
    <section className="card">
      <h2>Pool deposit</h2>
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

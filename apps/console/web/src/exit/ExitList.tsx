import { useState } from 'react';
import { approve, type Payment, receiptOf, send } from '../chain/chain.ts';
import { minimumOf, poolCallsOf, vaultCallsOf } from '../chain/vaultCalls.ts';
import type { ContractCall, Hex, Wallet } from '../chain/wallet.ts';
import { dollarsHeld, dollarsOfUnits, timeText, tokens } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { Fact } from '../parts/Fact.tsx';
import type { ChainHolding, ExitPlace, PoolShare } from './readHoldings.ts';

/** What a wallet owns, and where. */
export interface Found {
  readonly place: ExitPlace;
  readonly wallet: Wallet;
  readonly address: Hex;
  readonly holdings: readonly ChainHolding[];
  readonly share: PoolShare;
}

/** Fees go on until the transaction is in a block: this much more is allowed than is owed now, in USDC units. */
const accrualUsdcUnits = 100_000n;

type Act = (call: ContractCall, payments?: readonly Payment[]) => void;

interface ExitListProps {
  readonly found: Found;
  /** Called when the chain has something new. */
  readonly onChange: () => void;
}

/** Positions and the pool share of a wallet, each with its ways out. */
export function ExitList({ found, onChange }: ExitListProps) {
  const { place, wallet, address, holdings, share } = found;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const act: Act = (call, payments = []) => {
    const sender = { wallet, address, rpcUrl: place.rpcUrl };
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
      <h2>What {address} owns</h2>
      <p role="status" className="hint">
        {isBusy ? 'Your wallet may ask you to sign.' : `${holdings.length} positions were ever created.`}
      </p>
      {error === null ? null : <p role="alert">{errorText(error)}</p>}
      <ul className="markets">
        {holdings.map((holding) => (
          <Holding key={holding.key} holding={holding} found={found} act={act} />
        ))}
      </ul>
      <Share share={share} calls={poolCallsOf(place.pool, address)} act={act} />
    </fieldset>
  );
}

interface HoldingProps {
  readonly holding: ChainHolding;
  readonly found: Found;
  readonly act: Act;
}

function Holding({ holding, found: { place, address, share }, act }: HoldingProps) {
  const { key, state, tokenUnits, owedUsdcUnits } = holding;
  const calls = vaultCallsOf(place.vault, key);
  const repay = { token: share.usdc, spender: place.vault, units: owedUsdcUnits + accrualUsdcUnits };
  return (
    <li className="card" aria-label={`Position ${key}`}>
      <code>{`${key.slice(0, 10)}…${key.slice(-8)}`}</code>
      <dl>
        <Fact name="State">{state}</Fact>
        <Fact name="Tokens">{tokens(tokenUnits)}</Fact>
        <Fact name="Owed">{dollarsOfUnits(owedUsdcUnits)}</Fact>
      </dl>
      <div className="bar">
        {state === 'open' ? (
          <>
            <button type="button" onClick={() => act(calls.exitByRepaying(address), [repay])}>
              Repay and take the tokens
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
  const { shares, worthUsdcUnits, requestedShares, capUsdcUnits, maturesAt, redeemableShares } = share;
  if (shares === 0n && requestedShares === 0n) return null;
  return (
    <section className="card">
      <h2>Lent to the pool</h2>
      <dl>
        <Fact name="Worth now">{dollarsHeld(worthUsdcUnits)}</Fact>
        <Fact name="Asked for, brings at most">{requestedShares === 0n ? 'nothing' : dollarsHeld(capUsdcUnits)}</Fact>
        {maturesAt === 0 ? null : <Fact name="From">{timeText(new Date(maturesAt * 1_000).toISOString())}</Fact>}
      </dl>
      <div className="bar">
        {shares === 0n ? null : (
          <button type="button" onClick={() => act(calls.requestRedeem(shares, minimumOf(worthUsdcUnits)))}>
            Ask for everything, for good
          </button>
        )}
        {redeemableShares === 0n ? null : (
          <button type="button" onClick={() => act(calls.redeem(redeemableShares))}>
            Withdraw what can be withdrawn now
          </button>
        )}
      </div>
    </section>
  );
}

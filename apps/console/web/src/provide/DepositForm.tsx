import { raw, toUsdcUnits, usdPips } from '@core/pricing';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { poolCallsOf } from '../chain/vaultCalls.ts';
import { ApiDrawer } from '../drawer/ApiDrawer.tsx';
import { poolCodeOf } from '../drawer/poolCode.ts';
import { amountFault, pipsOfText } from '../money.ts';
import { Sentence } from '../parts/Sentence.tsx';
import { useSession } from '../session/SessionProvider.tsx';
import { poolKeys } from './poolKeys.ts';
import { type PoolReading, readDepositShares } from './readPool.ts';
import { sharesText } from './shares.ts';
import type { PoolRequest } from './usePoolCall.ts';

export interface PoolFormProps {
  readonly pool: PoolReading;
  readonly onRequest: (request: PoolRequest) => void;
  readonly isBusy: boolean;
}

/** Form that deposits USDC into the pool. */
export function DepositForm({ pool, onRequest, isBusy }: PoolFormProps) {
  const { config, address } = useSession();
  const [text, setText] = useState('');
  const pips = pipsOfText(text);
  const units = pips === null ? 0n : raw(toUsdcUnits(usdPips(pips)));
  const preview = useQuery({
    queryKey: poolKeys.depositShares(String(units)),
    queryFn: () => readDepositShares(config, units),
    enabled: units > 0n,
    staleTime: 0,
  });
  const hint = depositHint({ isSignedIn: address !== null, isBusy, units, text });
  const deposit = (event: FormEvent): void => {
    event.preventDefault();
    if (hint !== null) return;
    onRequest({ call: (calls) => calls.deposit(units), payment: { token: pool.usdc, units } });
    setText('');
  };
  const actionCode =
    address === null || units === 0n
      ? null
      : poolCodeOf({
          rpcUrl: config.rpcUrl,
          from: address,
          call: poolCallsOf(config.pool, address).deposit(units),
          functionName: 'deposit',
          args: [units, address],
        });
  return (
    <form aria-label="Deposit" onSubmit={deposit}>
      <label>
        Deposit, USD
        <input inputMode="decimal" value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <button type="submit" aria-disabled={hint !== null} aria-describedby="deposit-hint">
        Deposit
      </button>
      <p id="deposit-hint" className="hint">
        <Sentence
          text={hint ?? (preview.data === undefined ? 'Loading …' : `You receive ${sharesText(preview.data)} shares.`)}
        />
      </p>
      <p className="hint">
        When positions lose more than their collateral, the reserve pays first and then the share price falls. A
        withdrawal takes 24 hours, and longer while the USDC is lent. The contracts, the venue or the stablecoin may
        fail, and a deposit is not insured.
      </p>
      <ApiDrawer action="Deposit" actionCode={actionCode} />
    </form>
  );
}

/** Return the reason why nothing can be deposited; null when it can. */
function depositHint(input: {
  readonly isSignedIn: boolean;
  readonly isBusy: boolean;
  readonly units: bigint;
  readonly text: string;
}): string | null {
  if (!input.isSignedIn) return 'Sign in with a wallet to deposit.';
  if (input.isBusy) return 'A transaction is pending.';
  return input.units === 0n ? (amountFault(input.text) ?? 'Enter an amount above 0.') : null;
}

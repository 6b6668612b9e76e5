import { raw, toUsdcUnits, usdPips } from '@core/pricing';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { poolCallsOf } from '../chain/vaultCalls.ts';
import { ApiDrawer } from '../drawer/ApiDrawer.tsx';
import { poolCodeOf } from '../drawer/poolCode.ts';
import { pipsOfText } from '../money.ts';
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

/** Lends USDC to the pool. */
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
  const hint = depositHint({ isSignedIn: address !== null, isBusy, units });
  const deposit = (event: FormEvent): void => {
    event.preventDefault();
    if (hint !== null) return;
    onRequest({ call: (calls) => calls.deposit(units), payment: { token: pool.usdc, units } });
    setText('');
  };
  const shown =
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
        Lend, USD
        <input inputMode="decimal" value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <button type="submit" aria-disabled={hint !== null} aria-describedby="deposit-hint">
        Deposit
      </button>
      <p id="deposit-hint" className="hint">
        {hint ?? (preview.data === undefined ? 'Asking the pool …' : `You get ${sharesText(preview.data)} shares.`)}
      </p>
      <ApiDrawer action="Deposit" shown={shown} />
    </form>
  );
}

/** Why nothing can be deposited; null when it can. */
function depositHint(input: {
  readonly isSignedIn: boolean;
  readonly isBusy: boolean;
  readonly units: bigint;
}): string | null {
  if (!input.isSignedIn) return 'Sign in with a wallet to lend.';
  if (input.isBusy) return 'A transaction is on its way.';
  return input.units === 0n ? 'Give an amount in dollars, such as 250 or 99.50.' : null;
}

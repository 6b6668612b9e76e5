import { type FormEvent, useState } from 'react';
import { minimumOf, poolCallsOf } from '../chain/vaultCalls.ts';
import { ApiDrawer } from '../drawer/ApiDrawer.tsx';
import { poolCodeOf } from '../drawer/poolCode.ts';
import type { PoolShare } from '../exit/readHoldings.ts';
import { dollarsHeld } from '../money.ts';
import { useSession } from '../session/SessionProvider.tsx';
import type { PoolFormProps } from './DepositForm.tsx';
import { oneShare } from './readPool.ts';
import { sharesOfText, sharesText } from './shares.ts';

/** Asks to leave. A request cannot be taken back, so that its button wants the reader to say that they know. */
export function RequestForm({ pool, share, onRequest, isBusy }: PoolFormProps & { readonly share: PoolShare }) {
  const { config, address } = useSession();
  const [text, setText] = useState('');
  const [isSure, setSure] = useState(false);
  const shares = text.trim() === '' ? share.shares : sharesOfText(text);
  const minUsdcUnits = minimumOf(((shares ?? 0n) * pool.leavingPriceUsdcUnits) / oneShare);
  const hint = requestHint({ shares, held: share.shares, isSure, isBusy });
  const ask = (event: FormEvent): void => {
    event.preventDefault();
    if (hint !== null || shares === null) return;
    onRequest({ call: (calls) => calls.requestRedeem(shares, minUsdcUnits), payment: null });
    setText('');
    setSure(false);
  };
  const shown =
    address === null || shares === null
      ? null
      : poolCodeOf({
          rpcUrl: config.rpcUrl,
          from: address,
          call: poolCallsOf(config.pool, address).requestRedeem(shares, minUsdcUnits),
          functionName: 'requestRedeem',
          args: [shares, minUsdcUnits],
        });
  return (
    <form aria-label="Ask to leave" onSubmit={ask}>
      <h3>Leave</h3>
      <p className="hint">
        Ask, wait 24 hours, withdraw. From asking on these shares earn nothing and still bear losses; asking again
        starts the time of all of them anew.
      </p>
      <label>
        Shares to ask for; empty for all
        <input
          inputMode="decimal"
          placeholder={sharesText(share.shares)}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <label className="check">
        <input type="checkbox" checked={isSure} onChange={({ target }) => setSure(target.checked)} />I know that this
        cannot be taken back
      </label>
      <button type="submit" aria-disabled={hint !== null} aria-describedby="request-hint">
        Ask to leave
      </button>
      <p id="request-hint" className="hint">
        {hint ?? `It is refused when they are worth less than ${dollarsHeld(minUsdcUnits)} by then.`}
      </p>
      <ApiDrawer action="Ask to leave" shown={shown} />
    </form>
  );
}

/** Why nothing can be asked for; null when it can. */
function requestHint(input: {
  readonly shares: bigint | null;
  readonly held: bigint;
  readonly isSure: boolean;
  readonly isBusy: boolean;
}): string | null {
  const { shares, held } = input;
  if (input.isBusy) return 'A transaction is on its way.';
  if (shares === null || shares === 0n) return 'Give a number of shares, such as 100 or 2.5.';
  if (shares > held) return `You hold ${sharesText(held)} shares.`;
  return input.isSure ? null : 'Say that you know it cannot be taken back.';
}

import { type FormEvent, useState } from 'react';
import { minimumOf, poolCallsOf } from '../chain/vaultCalls.ts';
import { ApiDrawer } from '../drawer/ApiDrawer.tsx';
import { poolCodeOf } from '../drawer/poolCode.ts';
import type { PoolShare } from '../exit/readHoldings.ts';
import { dollarsHeld } from '../money.ts';
import { Sentence } from '../parts/Sentence.tsx';
import { useSession } from '../session/SessionProvider.tsx';
import type { PoolFormProps } from './DepositForm.tsx';
import { oneShare } from './readPool.ts';
import { sharesOfText, sharesText } from './shares.ts';

/** Form that requests a withdrawal. It cannot be cancelled, so the button requires a confirmation. */
export function RequestForm({ pool, share, onRequest, isBusy }: PoolFormProps & { readonly share: PoolShare }) {
  const { config, address } = useSession();
  const [text, setText] = useState('');
  const [isSure, setSure] = useState(false);
  const shares = text.trim() === '' ? share.shares : sharesOfText(text);
  const minUsdcUnits = minimumOf(((shares ?? 0n) * pool.redemptionPriceUsdcUnits) / oneShare);
  const hint = requestHint({ shares, ownShares: share.shares, isSure, isBusy });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (hint !== null || shares === null) return;
    onRequest({ call: (calls) => calls.requestRedeem(shares, minUsdcUnits), payment: null });
    setText('');
    setSure(false);
  };
  const actionCode =
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
    <form aria-label="Request withdrawal" onSubmit={submit}>
      <h3>Withdraw</h3>
      <p className="hint">
        Request, wait 24 hours, withdraw. Requested shares earn nothing and still bear losses. A second request restarts
        the 24 hours for all of them.
      </p>
      <label>
        Shares to withdraw (empty for all)
        <input
          inputMode="decimal"
          placeholder={sharesText(share.shares)}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <label className="check">
        <input type="checkbox" checked={isSure} onChange={({ target }) => setSure(target.checked)} />I understand that
        this cannot be undone
      </label>
      <button type="submit" aria-disabled={hint !== null} aria-describedby="request-hint">
        Request withdrawal
      </button>
      <p id="request-hint" className="hint">
        <Sentence
          text={
            hint ?? `Fails if the shares are worth less than ${dollarsHeld(minUsdcUnits)} when the request is mined.`
          }
        />
      </p>
      <ApiDrawer action="Request withdrawal" actionCode={actionCode} />
    </form>
  );
}

/** Return the reason why no withdrawal can be requested; null when it can. */
function requestHint(input: {
  readonly shares: bigint | null;
  readonly ownShares: bigint;
  readonly isSure: boolean;
  readonly isBusy: boolean;
}): string | null {
  const { shares, ownShares } = input;
  if (input.isBusy) return 'A transaction is pending.';
  if (shares === null || shares === 0n) return 'Enter a number of shares, such as 100 or 2.5.';
  if (shares > ownShares) return `You hold ${sharesText(ownShares)} shares.`;
  return input.isSure ? null : 'Confirm that this cannot be undone.';
}

import { poolCallsOf } from '../chain/vaultCalls.ts';
import { ApiDrawer } from '../drawer/ApiDrawer.tsx';
import { poolCodeOf } from '../drawer/poolCode.ts';
import type { PoolShare } from '../exit/readHoldings.ts';
import { dollarsHeld, timeText } from '../money.ts';
import { Sentence } from '../parts/Sentence.tsx';
import { spanText } from '../quotes/lifeText.ts';
import { useSession } from '../session/SessionProvider.tsx';
import type { PoolFormProps } from './DepositForm.tsx';
import type { Redeemable } from './readPool.ts';

interface RedeemButtonProps extends PoolFormProps {
  readonly share: PoolShare;
  readonly redeemable: Redeemable | null;
}

/** Button that redeems the available part of a withdrawal request, with the reason why the rest waits. */
export function RedeemButton({ pool, share, redeemable, onRequest, isBusy }: RedeemButtonProps) {
  const { config, address } = useSession();
  const shares = redeemable?.shares ?? 0n;
  const hint = isBusy ? 'A transaction is pending.' : waitText(pool.atSeconds, share, shares);
  const redeem = (): void => {
    if (shares > 0n && !isBusy) onRequest({ call: (calls) => calls.redeem(shares), payment: null });
  };
  const actionCode =
    address === null || shares === 0n
      ? null
      : poolCodeOf({
          rpcUrl: config.rpcUrl,
          from: address,
          call: poolCallsOf(config.pool, address).redeem(shares),
          functionName: 'redeem',
          args: [shares, address, address],
        });
  return (
    <>
      <button
        type="button"
        aria-disabled={shares === 0n || isBusy}
        aria-describedby={hint === null ? undefined : 'redeem-hint'}
        onClick={redeem}
      >
        <Sentence text={`Withdraw ${dollarsHeld(redeemable?.usdcUnits ?? 0n)}`} />
      </button>
      {hint === null ? null : (
        <p id="redeem-hint" className="hint">
          <Sentence text={hint} />
        </p>
      )}
      <ApiDrawer action="Withdraw" actionCode={actionCode} />
    </>
  );
}

/** Return the reason why all or part of the request waits, by the chain's time; null when all of it is available. */
function waitText(nowSeconds: number, { maturesAt, requestedShares }: PoolShare, shares: bigint): string | null {
  if (nowSeconds < maturesAt) {
    const span = spanText((maturesAt - nowSeconds) * 1_000);
    return `Withdrawable from ${timeText(new Date(maturesAt * 1_000).toISOString())}, in ${span}.`;
  }
  return shares < requestedShares ? 'The rest is lent. It can be withdrawn when positions repay.' : null;
}

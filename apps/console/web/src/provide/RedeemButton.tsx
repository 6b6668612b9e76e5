import { poolCallsOf } from '../chain/vaultCalls.ts';
import { ApiDrawer } from '../drawer/ApiDrawer.tsx';
import { poolCodeOf } from '../drawer/poolCode.ts';
import type { PoolShare } from '../exit/readHoldings.ts';
import { dollarsHeld, timeText } from '../money.ts';
import { useSession } from '../session/SessionProvider.tsx';
import type { PoolFormProps } from './DepositForm.tsx';
import type { Redeemable } from './readPool.ts';

interface RedeemButtonProps extends PoolFormProps {
  readonly share: PoolShare;
  readonly redeemable: Redeemable | null;
}

/** Takes out what may leave now of what was asked for, and says what the rest waits for. */
export function RedeemButton({ pool, share, redeemable, onRequest, isBusy }: RedeemButtonProps) {
  const { config, address } = useSession();
  const shares = redeemable?.shares ?? 0n;
  const hint = isBusy ? 'A transaction is on its way.' : waitText(pool.atSeconds, share, shares);
  const redeem = (): void => {
    if (shares > 0n && !isBusy) onRequest({ call: (calls) => calls.redeem(shares), payment: null });
  };
  const shown =
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
        Withdraw {dollarsHeld(redeemable?.usdcUnits ?? 0n)}
      </button>
      {hint === null ? null : (
        <p id="redeem-hint" className="hint">
          {hint}
        </p>
      )}
      <ApiDrawer action="Withdraw" shown={shown} />
    </>
  );
}

/** What the request, or the rest of it, waits for; null when all of it may leave. By the time of the chain. */
function waitText(nowSeconds: number, { maturesAt, requestedShares }: PoolShare, shares: bigint): string | null {
  if (nowSeconds < maturesAt) {
    return `Its waiting time ends ${timeText(new Date(maturesAt * 1_000).toISOString())}.`;
  }
  return shares < requestedShares ? 'The rest is lent: it can leave when positions repay.' : null;
}

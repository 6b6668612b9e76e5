import { useQuery } from '@tanstack/react-query';
import { type PoolShare, readPoolShare } from '../exit/readHoldings.ts';
import { dollarsHeld, timeText } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { Fact } from '../parts/Fact.tsx';
import { useSession } from '../session/SessionProvider.tsx';
import { DepositForm } from './DepositForm.tsx';
import { poolKeys, refetchMs } from './poolKeys.ts';
import { RedeemButton } from './RedeemButton.tsx';
import { RequestForm } from './RequestForm.tsx';
import { type PoolReading, type Redeemable, readRedeemable } from './readPool.ts';
import { sharesText } from './shares.ts';
import { usePoolCall } from './usePoolCall.ts';

/** Share of a provider in the pool, with deposit and withdrawal. */
export function ShareCard({ pool }: { readonly pool: PoolReading }) {
  const { config, address } = useSession();
  const call = usePoolCall();
  const share = useQuery({
    queryKey: poolKeys.share(address),
    queryFn: () => (address === null ? null : readPoolShare(config, address)),
    staleTime: 0,
    refetchInterval: refetchMs,
  });
  const redeemable = useQuery({
    queryKey: poolKeys.redeemable(address),
    queryFn: () => (address === null ? null : readRedeemable(config, address)),
    staleTime: 0,
    refetchInterval: refetchMs,
  });
  return (
    <section className="card ticket" aria-label="Your deposit">
      <h2>Your deposit</h2>
      {address === null ? null : <ShareFacts share={share.data ?? null} redeemable={redeemable.data ?? null} />}
      {share.isError ? <p role="alert">{errorText(share.error)}</p> : null}
      {call.isError ? <p role="alert">{errorText(call.error)}</p> : null}
      <p role="status" className="hint">
        {call.isPending ? 'Your wallet may ask you to sign.' : call.isSuccess ? 'Confirmed.' : ''}
      </p>
      <DepositForm pool={pool} onRequest={call.mutate} isBusy={call.isPending} />
      {share.data && share.data.shares > 0n ? (
        <RequestForm pool={pool} share={share.data} onRequest={call.mutate} isBusy={call.isPending} />
      ) : null}
      {share.data && share.data.requestedShares > 0n ? (
        <RedeemButton
          pool={pool}
          share={share.data}
          redeemable={redeemable.data ?? null}
          onRequest={call.mutate}
          isBusy={call.isPending}
        />
      ) : null}
    </section>
  );
}

interface ShareFactsProps {
  /** Null before it is loaded. */
  readonly share: PoolShare | null;
  readonly redeemable: Redeemable | null;
}

function ShareFacts({ share, redeemable }: ShareFactsProps) {
  return (
    <dl>
      <Fact name="Shares" id="own-shares">
        {share === null ? '–' : sharesText(share.shares)}
      </Fact>
      <Fact name="Value now" id="own-value">
        {share === null ? '–' : dollarsHeld(share.valueUsdcUnits)}
      </Fact>
      {share === null || share.requestedShares === 0n ? null : <RequestFacts share={share} redeemable={redeemable} />}
    </dl>
  );
}

function RequestFacts({ share, redeemable }: { readonly share: PoolShare; readonly redeemable: Redeemable | null }) {
  return (
    <>
      <Fact name="Shares requested" id="requested-shares">
        {sharesText(share.requestedShares)}
      </Fact>
      <Fact name="Maximum payout" id="requested-cap">
        {dollarsHeld(share.capUsdcUnits)}
      </Fact>
      <Fact name="Withdrawable from" id="matures">
        {timeText(new Date(share.maturesAt * 1_000).toISOString())}
      </Fact>
      <Fact name="Withdrawable now" id="own-withdrawable">
        {dollarsHeld(redeemable?.usdcUnits ?? 0n)}
      </Fact>
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { type PoolShare, readPoolShare } from '../exit/readHoldings.ts';
import { dollarsHeld, timeText } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { Fact } from '../parts/Fact.tsx';
import { useSession } from '../session/SessionProvider.tsx';
import { DepositForm } from './DepositForm.tsx';
import { poolKeys, readAgainMs } from './poolKeys.ts';
import { RedeemButton } from './RedeemButton.tsx';
import { RequestForm } from './RequestForm.tsx';
import { type PoolReading, type Redeemable, readRedeemable } from './readPool.ts';
import { sharesText } from './shares.ts';
import { usePoolCall } from './usePoolCall.ts';

/** What a provider has in the pool, and the ways in and out. */
export function ShareCard({ pool }: { readonly pool: PoolReading }) {
  const { config, address } = useSession();
  const call = usePoolCall();
  const share = useQuery({
    queryKey: poolKeys.share(address),
    queryFn: () => (address === null ? null : readPoolShare(config, address)),
    staleTime: 0,
    refetchInterval: readAgainMs,
  });
  const redeemable = useQuery({
    queryKey: poolKeys.redeemable(address),
    queryFn: () => (address === null ? null : readRedeemable(config, address)),
    staleTime: 0,
    refetchInterval: readAgainMs,
  });
  return (
    <section className="card ticket" aria-label="Your part of the pool">
      <h2>Your part</h2>
      {share.data ? <ShareFacts share={share.data} redeemable={redeemable.data ?? null} /> : null}
      {share.isError ? <p role="alert">{errorText(share.error)}</p> : null}
      {call.isError ? <p role="alert">{errorText(call.error)}</p> : null}
      <p role="status" className="hint">
        {call.isPending ? 'Your wallet may ask you to sign.' : call.isSuccess ? 'The chain has it.' : ''}
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
  readonly share: PoolShare;
  readonly redeemable: Redeemable | null;
}

function ShareFacts({ share, redeemable }: ShareFactsProps) {
  const { shares, worthUsdcUnits, requestedShares, capUsdcUnits, maturesAt } = share;
  return (
    <dl>
      <Fact name="Shares" id="own-shares">
        {sharesText(shares)}
      </Fact>
      <Fact name="Worth now" id="own-worth">
        {dollarsHeld(worthUsdcUnits)}
      </Fact>
      {requestedShares === 0n ? null : (
        <>
          <Fact name="Shares asked for" id="asked-shares">
            {sharesText(requestedShares)}
          </Fact>
          <Fact name="They bring at most" id="asked-cap">
            {dollarsHeld(capUsdcUnits)}
          </Fact>
          <Fact name="They may leave from" id="matures">
            {timeText(new Date(maturesAt * 1_000).toISOString())}
          </Fact>
          <Fact name="You can withdraw now" id="own-withdrawable">
            {dollarsHeld(redeemable?.usdcUnits ?? 0n)}
          </Fact>
        </>
      )}
    </dl>
  );
}

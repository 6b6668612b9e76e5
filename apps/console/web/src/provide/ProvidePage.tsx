import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { dollarsHeld, dollarsOfUnits, percent, signedPercent } from '../money.ts';
import { Boundary } from '../parts/Boundary.tsx';
import { errorText } from '../parts/errorText.ts';
import { Fact } from '../parts/Fact.tsx';
import { HistoryProgress, useLogState } from '../parts/HistoryProgress.tsx';
import { Pending } from '../parts/Pending.tsx';
import { useSession } from '../session/SessionProvider.tsx';
import { useTitle } from '../useTitle.ts';
import { ExpectedYield } from './ExpectedYield.tsx';
import { PoolCharts } from './PoolCharts.tsx';
import { Loans, Losses } from './PoolHistory.tsx';
import { aprOf } from './poolApr.ts';
import { poolKeys } from './poolKeys.ts';
import { poolLogsOf } from './poolLogs.ts';
import { oneShare, type PoolReading } from './readPool.ts';
import { type PoolHistory, type PoolPoint, readPoolHistory } from './readPoolHistory.ts';
import { ShareCard } from './ShareCard.tsx';
import { sharePriceText } from './shares.ts';
import { usePool } from './usePool.ts';

/** Pool page for liquidity providers, read from the chain only. */
export function ProvidePage() {
  useTitle('Pool');
  const { config } = useSession();
  const pool = usePool();
  const poolLogs = poolLogsOf(config);
  const logState = useLogState(poolLogs);
  const fingerprint = fingerprintOf(pool.data);
  useEffect(() => {
    if (fingerprint !== '') void poolLogs.refresh();
  }, [poolLogs, fingerprint]);
  const history = useQuery({
    queryKey: poolKeys.history(logState.revision),
    queryFn: () => readPoolHistory(config, logState.logs),
    enabled: logState.revision > 0,
    placeholderData: keepPreviousData,
  });
  if (pool.data === undefined) {
    return <Pending title="Pool" name="the pool" error={pool.error} queryKey={poolKeys.reading} />;
  }
  return (
    <>
      <h1>Pool</h1>
      <Lead pool={pool.data} points={history.data?.points} />
      {pool.isError ? (
        <p role="alert">{`The node does not respond. These figures may be stale. ${errorText(pool.error)}`}</p>
      ) : null}
      <div className="columns">
        <div>
          <HistoryProgress
            state={logState}
            onStop={() => poolLogs.stop()}
            onResume={() => void poolLogs.resume()}
            missing="Charts, loans and losses below lack what happened in them."
          />
          {history.data === undefined ? (
            <p role="status" className="page-space">
              {history.isError ? errorText(history.error) : 'Loading history …'}
            </p>
          ) : (
            <Boundary>
              <Past history={history.data} />
            </Boundary>
          )}
          {/* Below the history, which would move it. */}
          {history.isLoading || (history.isPending && logState.isReading) ? null : <Book pool={pool.data} />}
        </div>
        <div>
          <ShareCard pool={pool.data} />
          <Boundary>
            <ExpectedYield pool={pool.data} />
          </Boundary>
        </div>
      </div>
    </>
  );
}

/** Return the assets that belong to the shares: idle USDC and performing loans. */
const totalOf = ({ totalShares, redemptionPriceUsdcUnits }: PoolReading): bigint =>
  (totalShares * redemptionPriceUsdcUnits) / oneShare;

/** Return a text that changes with every event of the pool; income that accrues over time has no event. */
function fingerprintOf(pool: PoolReading | undefined): string {
  if (pool === undefined) return '';
  const { idleUsdcUnits, lentUsdcUnits, impairedUsdcUnits, reserveUsdcUnits, totalShares, requestedShares } = pool;
  return [idleUsdcUnits, lentUsdcUnits, impairedUsdcUnits, reserveUsdcUnits, totalShares, requestedShares].join(' ');
}

interface LeadProps {
  readonly pool: PoolReading;
  /** Undefined until the history is loaded. */
  readonly points: readonly PoolPoint[] | undefined;
}

/** Key figures for a deposit. */
function Lead({ pool, points }: LeadProps) {
  const end = { atSeconds: pool.atSeconds, usdcUnits: pool.redemptionPriceUsdcUnits };
  const aprText = (days: number): string => {
    const apr = aprOf(points ?? [], end, days);
    if (apr !== null) return signedPercent(apr);
    return points === undefined ? '–' : `after ${days} days`;
  };
  return (
    <dl className="headline">
      <Fact name="Total value (TVL)" id="tvl">
        {dollarsHeld(totalOf(pool))}
      </Fact>
      <Fact name="APR, 7 days" id="apr-7">
        {aprText(7)}
      </Fact>
      <Fact name="APR, 30 days" id="apr-30">
        {aprText(30)}
      </Fact>
      <Fact name="Share price" id="share-price">
        {sharePriceText(pool.redemptionPriceUsdcUnits)}
      </Fact>
      <Fact name="Withdrawable now" id="withdrawable">
        {dollarsHeld(pool.idleUsdcUnits)}
      </Fact>
      <Fact name="Pending withdrawals" id="requested">
        {dollarsOfUnits(pool.requestedUsdcUnits)}
      </Fact>
      <Fact name="Utilisation" id="utilisation">
        {percent(pool.utilisationBps)}
      </Fact>
      <Fact name="Reserve (first loss)">{dollarsHeld(pool.reserveUsdcUnits)}</Fact>
    </dl>
  );
}

function Past({ history }: { readonly history: PoolHistory }) {
  return (
    <>
      <PoolCharts points={history.points} />
      <Loans loans={history.loans} />
      <Losses losses={history.losses} />
    </>
  );
}

function Book({ pool }: { readonly pool: PoolReading }) {
  return (
    <section className="card" aria-labelledby="pool-book">
      <h2 id="pool-book">Balance sheet</h2>
      <dl>
        <Fact name="Idle" id="idle">
          {dollarsHeld(pool.idleUsdcUnits)}
        </Fact>
        <Fact name="Lent to positions" id="lent">
          {dollarsHeld(pool.lentUsdcUnits)}
        </Fact>
        <Fact name="Impaired loans" id="impaired">
          {dollarsHeld(pool.impairedUsdcUnits)}
        </Fact>
        <Fact name="Income still vesting (7 days)">{dollarsHeld(pool.unreleasedUsdcUnits)}</Fact>
        <Fact name="Reserve (first loss)" id="reserve">
          {dollarsHeld(pool.reserveUsdcUnits)}
        </Fact>
        <Fact name="Deposit price">{sharePriceText(pool.depositPriceUsdcUnits)}</Fact>
        <Fact name="Utilisation cap">{percent(pool.utilisationCapBps)}</Fact>
        <Fact name="Borrow cap">{dollarsHeld(pool.totalCapUsdcUnits)}</Fact>
        <Fact name="Available to borrow">{dollarsHeld(pool.freeLiquidityUsdcUnits)}</Fact>
      </dl>
    </section>
  );
}

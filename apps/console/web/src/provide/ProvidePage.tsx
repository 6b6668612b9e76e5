import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { dollarsHeld, dollarsOfUnits, percent } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { Fact } from '../parts/Fact.tsx';
import { useSession } from '../session/SessionProvider.tsx';
import { Loans, Losses } from './PoolHistory.tsx';
import { poolKeys } from './poolKeys.ts';
import type { PoolReading } from './readPool.ts';
import { type PoolHistory, readPoolHistory } from './readPoolHistory.ts';
import { ShareCard } from './ShareCard.tsx';
import { SharePriceChart } from './SharePriceChart.tsx';
import { sharePriceText } from './shares.ts';
import { usePool } from './usePool.ts';

/** The pool as its providers see it, read from the chain alone. */
export function ProvidePage() {
  const { config } = useSession();
  const pool = usePool();
  const history = useQuery({
    queryKey: poolKeys.history(fingerprintOf(pool.data)),
    queryFn: () => readPoolHistory(config),
    enabled: pool.data !== undefined,
    placeholderData: keepPreviousData,
  });
  if (pool.data === undefined) {
    return pool.isError ? <p role="alert">{errorText(pool.error)}</p> : <p role="status">Reading the pool …</p>;
  }
  return (
    <>
      <h1>Pool</h1>
      <Lead pool={pool.data} />
      {pool.isError ? <p role="alert">The node does not answer: figures are old. {errorText(pool.error)}</p> : null}
      <div className="columns">
        <div>
          {history.data === undefined ? (
            <p role="status">{history.isError ? errorText(history.error) : 'Reading what has happened …'}</p>
          ) : (
            <Past history={history.data} />
          )}
          <Book pool={pool.data} />
        </div>
        <ShareCard pool={pool.data} />
      </div>
    </>
  );
}

/** Changes whenever an event of the pool has changed its book; income that comes in by time alone is no event. */
function fingerprintOf(pool: PoolReading | undefined): string {
  if (pool === undefined) return '';
  const { idleUsdcUnits, lentUsdcUnits, impairedUsdcUnits, reserveUsdcUnits, totalShares, requestedShares } = pool;
  return [idleUsdcUnits, lentUsdcUnits, impairedUsdcUnits, reserveUsdcUnits, totalShares, requestedShares].join(' ');
}

/** What a provider wants to know first. */
function Lead({ pool }: { readonly pool: PoolReading }) {
  return (
    <dl className="row">
      <Fact name="A share brings" id="share-price">
        {sharePriceText(pool.leavingPriceUsdcUnits)}
      </Fact>
      <Fact name="Can be withdrawn now" id="withdrawable">
        {dollarsHeld(pool.idleUsdcUnits)}
      </Fact>
      <Fact name="Asked for by requests" id="requested">
        {dollarsOfUnits(pool.requestedUsdcUnits)}
      </Fact>
      <Fact name="Lent" id="utilisation">
        {percent(pool.utilisationBps)}
      </Fact>
    </dl>
  );
}

function Past({ history }: { readonly history: PoolHistory }) {
  return (
    <>
      <SharePriceChart points={history.points} />
      <Loans loans={history.loans} />
      <Losses losses={history.losses} />
    </>
  );
}

function Book({ pool }: { readonly pool: PoolReading }) {
  return (
    <section className="card" aria-labelledby="pool-book">
      <h2 id="pool-book">The pool’s book</h2>
      <dl>
        <Fact name="Here, and not lent" id="idle">
          {dollarsHeld(pool.idleUsdcUnits)}
        </Fact>
        <Fact name="Lent to positions" id="lent">
          {dollarsHeld(pool.lentUsdcUnits)}
        </Fact>
        <Fact name="Lent, and marked as likely lost" id="impaired">
          {dollarsHeld(pool.impairedUsdcUnits)}
        </Fact>
        <Fact name="Income on its way into the share price">{dollarsHeld(pool.unreleasedUsdcUnits)}</Fact>
        <Fact name="Reserve, which bears losses first" id="reserve">
          {dollarsHeld(pool.reserveUsdcUnits)}
        </Fact>
        <Fact name="A share costs who enters">{sharePriceText(pool.enteringPriceUsdcUnits)}</Fact>
        <Fact name="At most lent, of all">{percent(pool.utilisationCapBps)}</Fact>
        <Fact name="At most lent">{dollarsHeld(pool.totalCapUsdcUnits)}</Fact>
        <Fact name="Could be lent now">{dollarsHeld(pool.freeLiquidityUsdcUnits)}</Fact>
      </dl>
    </section>
  );
}

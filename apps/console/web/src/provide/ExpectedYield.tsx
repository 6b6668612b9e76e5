import { useQuery } from '@tanstack/react-query';
import { percent } from '../money.ts';
import { Fact } from '../parts/Fact.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { expectedYieldBps } from './poolApr.ts';
import type { PoolReading } from './readPool.ts';

/** Yearly rate that shares earn from interest, at the utilisation now and at its cap, with the computation. */
export function ExpectedYield({ pool }: { readonly pool: PoolReading }) {
  const { user } = useSession();
  const rates = useQuery({ queryKey: queryKeys.feeRates(''), queryFn: () => user.feeRates() });
  const interestBps = rates.data?.lifetime_fee_apr_bps ?? null;
  const yieldAt = (utilisationBps: number | null): string => {
    if (interestBps === null) return rates.isError ? 'unknown' : '–';
    const terms = {
      interestAprBps: BigInt(interestBps),
      utilisationBps: BigInt(utilisationBps ?? 0),
      protocolCutBps: BigInt(pool.protocolCutBps),
    };
    return percent(Number(expectedYieldBps(terms)));
  };
  return (
    <section className="card" aria-labelledby="expected-yield">
      <h2 id="expected-yield">Expected yield</h2>
      <dl>
        <Fact name={`At the utilisation now (${percent(pool.utilisationBps)})`} id="yield-now">
          {yieldAt(pool.utilisationBps)}
        </Fact>
        <Fact name={`At the utilisation cap (${percent(pool.utilisationCapBps)})`} id="yield-cap">
          {yieldAt(pool.utilisationCapBps)}
        </Fact>
      </dl>
      <p className="hint">
        <Sentence
          text={
            `Interest of ${percent(interestBps)} a year × utilisation × ${percent(10_000 - pool.protocolCutBps)}: ` +
            `the protocol keeps ${percent(pool.protocolCutBps)}. Losses lower it, liquidation fees add to it.`
          }
        />
      </p>
      <p>
        <a href="./liquidity.txt" target="_blank" rel="noreferrer">
          Guide for liquidity providers
        </a>
      </p>
    </section>
  );
}

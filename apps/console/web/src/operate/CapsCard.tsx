import { useQuery } from '@tanstack/react-query';
import { dollarsHeld, percent } from '../money.ts';
import { Fact } from '../parts/Fact.tsx';
import { Loans } from '../provide/PoolHistory.tsx';
import { readAgainMs } from '../provide/poolKeys.ts';
import { readLoansNow } from '../provide/readPoolHistory.ts';
import { usePool } from '../provide/usePool.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** What may be lent, and how much of it is. */
export function CapsCard() {
  const { config } = useSession();
  const pool = usePool();
  const loans = useQuery({
    queryKey: ['operate', 'loans'],
    queryFn: () => readLoansNow(config),
    staleTime: 0,
    refetchInterval: readAgainMs,
  });
  if (pool.data === undefined) return null;
  const { lentUsdcUnits, impairedUsdcUnits, totalCapUsdcUnits, utilisationBps, utilisationCapBps } = pool.data;
  const lent = lentUsdcUnits + impairedUsdcUnits;
  return (
    <div className="sides wide">
      <section className="card" aria-labelledby="caps">
        <h2 id="caps">Caps</h2>
        <dl>
          <Fact name="Lent, of all that may be" id="cap-total">
            {dollarsHeld(lent)} of {dollarsHeld(totalCapUsdcUnits)}
          </Fact>
          <Fact name="Part of the pool that is lent" id="cap-utilisation">
            {percent(utilisationBps)} of {percent(utilisationCapBps)}
          </Fact>
          <Fact name="Could be lent now">{dollarsHeld(pool.data.freeLiquidityUsdcUnits)}</Fact>
        </dl>
      </section>
      <Loans loans={loans.data ?? []} />
    </div>
  );
}

import { dollarsHeld, percent } from '../money.ts';
import { Fact } from '../parts/Fact.tsx';
import { Loans } from '../provide/PoolHistory.tsx';
import type { PoolReading } from '../provide/readPool.ts';
import type { OutcomeLoan } from '../provide/readPoolHistory.ts';

interface CapsCardProps {
  readonly pool: PoolReading;
  readonly loans: readonly OutcomeLoan[];
}

/** Lending caps and their utilisation. */
export function CapsCard({ pool, loans }: CapsCardProps) {
  const { lentUsdcUnits, impairedUsdcUnits, totalCapUsdcUnits, utilisationBps, utilisationCapBps } = pool;
  const lent = lentUsdcUnits + impairedUsdcUnits;
  return (
    <div className="sides wide">
      <section className="card" aria-labelledby="caps">
        <h2 id="caps">Caps</h2>
        <dl>
          <Fact name="Lent of the cap" id="cap-total">
            {`${dollarsHeld(lent)} of ${dollarsHeld(totalCapUsdcUnits)}`}
          </Fact>
          <Fact name="Utilisation of the cap" id="cap-utilisation">
            {`${percent(utilisationBps)} of ${percent(utilisationCapBps)}`}
          </Fact>
          <Fact name="Available to borrow">{dollarsHeld(pool.freeLiquidityUsdcUnits)}</Fact>
        </dl>
      </section>
      <Loans loans={loans} />
    </div>
  );
}

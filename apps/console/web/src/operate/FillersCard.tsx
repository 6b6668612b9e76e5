import type { FillerFacts } from '../../../src/operateMessage.ts';
import { dollarsHeld } from '../money.ts';
import { DataTable } from '../parts/DataTable.tsx';

const figureHeads = ['USDC', 'Unsold tokens', 'Difference to the chain', 'Live grants', 'Unfinished'];

const money = (units: number | null): string => (units === null ? '–' : dollarsHeld(BigInt(Math.round(units))));
const count = (value: number | null): string => (value === null ? '–' : value.toLocaleString('en-US'));

/** Float of each filler, and what binds it. Nothing without fillers. */
export function FillersCard({ fillers }: { readonly fillers: readonly FillerFacts[] }) {
  if (fillers.length === 0) return null;
  return (
    <section className="card" aria-labelledby="fillers">
      <h2 id="fillers">Fillers</h2>
      <DataTable name="Fillers and their float" heads={['Filler', ...figureHeads, 'State']} numberHeads={figureHeads}>
        {fillers.map(({ name, figures }) => (
          <tr key={name} data-filler={name}>
            <td>{name}</td>
            <td data-live="true" className="number">
              {money(figures?.usdcUnits ?? null)}
            </td>
            <td data-live="true" className="number">
              {money(figures?.unsoldUsdcUnits ?? null)}
            </td>
            <td data-live="true" className="number">
              {money(figures?.differenceUsdcUnits ?? null)}
            </td>
            <td data-live="true" className="number">
              {count(figures?.liveGrants ?? null)}
            </td>
            <td data-live="true" className="number">
              {count(figures?.unfinished ?? null)}
            </td>
            <td data-live="true" className={figures === null || figures.isStopped ? 'closed' : undefined}>
              {figures === null ? 'no response' : figures.isStopped ? 'stopped' : 'running'}
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

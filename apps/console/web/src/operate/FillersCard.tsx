import type { FillerFacts } from '../../../src/operateMessage.ts';
import { dollarsHeld } from '../money.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { Figure } from '../parts/Figure.tsx';

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
            <td translate="no">{name}</td>
            <td data-live="true" className="number">
              <Figure>{money(figures?.usdcUnits ?? null)}</Figure>
            </td>
            <td data-live="true" className="number">
              <Figure>{money(figures?.unsoldUsdcUnits ?? null)}</Figure>
            </td>
            <td data-live="true" className="number">
              <Figure>{money(figures?.differenceUsdcUnits ?? null)}</Figure>
            </td>
            <td data-live="true" className="number">
              <Figure>{count(figures?.liveGrants ?? null)}</Figure>
            </td>
            <td data-live="true" className="number">
              <Figure>{count(figures?.unfinished ?? null)}</Figure>
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

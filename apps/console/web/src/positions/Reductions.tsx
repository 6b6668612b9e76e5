import type { Position } from '@core/sdk';
import { timeText } from '../money.ts';
import { rungText, unwindText } from './unwindTexts.ts';

/** Reductions of the debt that were made and why, and those that are planned. */
export function Reductions({ position: { unwinds, planned_unwinds: planned } }: { readonly position: Position }) {
  const made = unwinds?.data ?? [];
  const rungs = planned?.data ?? [];
  if (made.length + rungs.length === 0) return null;
  return (
    <section className="card" aria-label="Debt reduced">
      <h2>Debt reduced</h2>
      <ul>
        {made.map((unwind) => (
          <li key={unwind.executed_at}>
            {timeText(unwind.executed_at)}: {unwindText(unwind)}
          </li>
        ))}
      </ul>
      {rungs.length === 0 ? null : <h3>As the quote has fixed</h3>}
      <ul>
        {rungs.map((rung) => (
          <li key={rung.rung}>{rungText(rung)}</li>
        ))}
      </ul>
    </section>
  );
}

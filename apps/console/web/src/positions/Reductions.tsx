import type { Position } from '@core/sdk';
import { timeText } from '../money.ts';
import { Sentence } from '../parts/Sentence.tsx';
import { rungText, unwindText } from './unwindTexts.ts';

/** Executed reductions of the debt with reasons, and planned ones. */
export function Reductions({ position: { unwinds, planned_unwinds: planned } }: { readonly position: Position }) {
  const executions = unwinds?.data ?? [];
  const rungs = planned?.data ?? [];
  if (executions.length + rungs.length === 0) return null;
  return (
    <section className="card" aria-label="Debt reduced">
      <h2>Debt reduced</h2>
      <ul>
        {executions.map((unwind) => (
          <li key={unwind.executed_at}>
            <Sentence text={`${timeText(unwind.executed_at)}: ${unwindText(unwind)}`} />
          </li>
        ))}
      </ul>
      {rungs.length === 0 ? null : <h3>Planned by the quote</h3>}
      <ul>
        {rungs.map((rung) => (
          <li key={rung.rung}>
            <Sentence text={rungText(rung)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

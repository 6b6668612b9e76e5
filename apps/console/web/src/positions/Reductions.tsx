import type { Position } from '@core/sdk';
import { Sentence } from '../parts/Sentence.tsx';
import { rungText } from './unwindTexts.ts';

/** Reductions of the debt that the quote planned. Executed ones are in the history. */
export function Reductions({ position: { planned_unwinds: planned } }: { readonly position: Position }) {
  const rungs = planned?.data ?? [];
  if (rungs.length === 0) return null;
  return (
    <section className="card" aria-label="Planned reductions of the debt">
      <h2>Reductions of the debt planned by the quote</h2>
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

import type { Position } from '@core/sdk';
import { ledgerText } from '../ledgerTexts.ts';
import { timeText } from '../money.ts';
import { Sentence } from '../parts/Sentence.tsx';

/** Movements of a position's tokens and money, the newest first. */
export function History({ position: { ledger } }: { readonly position: Position }) {
  if (ledger === undefined || ledger.data.length === 0) return null;
  return (
    <section className="card" aria-label="History">
      <h2>History</h2>
      <ul>
        {ledger.data.toReversed().map((row) => (
          <li key={`${row.transaction_hash} ${row.kind}`}>
            <Sentence text={`${timeText(row.executed_at)}: ${ledgerText(row)}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}

import { useLivePositions } from '../live/useLivePositions.ts';
import { OpenPositions } from './PositionsTable.tsx';
import { useOwnPositions } from './useOwnPositions.ts';

/** Open positions of the user in a market. */
export function OwnPositions({ ticker }: { readonly ticker: string }) {
  const own = useOwnPositions(ticker);
  const rows = useLivePositions(own);
  if (own.length === 0) return null;
  return (
    <section aria-label="Your positions">
      <h2>Your positions</h2>
      <OpenPositions rows={rows} />
    </section>
  );
}

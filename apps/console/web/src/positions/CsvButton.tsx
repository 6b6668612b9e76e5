import type { Position } from '@core/sdk';
import { positionsCsv } from './positionsCsv.ts';

/** Button that saves the positions as a CSV file. */
export function CsvButton({ positions }: { readonly positions: readonly Position[] }) {
  const save = (): void => {
    const url = URL.createObjectURL(new Blob([positionsCsv(positions)], { type: 'text/csv' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'positions.csv';
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <button type="button" className="quiet small" onClick={save}>
      Export CSV
    </button>
  );
}

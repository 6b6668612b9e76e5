import { useTitle } from '../useTitle.ts';
import { ChartSections } from './ChartSections.tsx';
import { FigureSections } from './FigureSections.tsx';
import { InputSections } from './InputSections.tsx';
import { OverlaySections } from './OverlaySections.tsx';
import { TableSections } from './TableSections.tsx';

/** Page of all components in all their states, for developers. The colours follow the browser. */
export function ComponentsPage() {
  useTitle('Components');
  return (
    <>
      <h1>Components</h1>
      <FigureSections />
      <TableSections />
      <ChartSections />
      <InputSections />
      <OverlaySections />
    </>
  );
}

import {
  closedFeeFigures,
  currentFigures,
  entryFigures,
  openFeeFigures,
  originationFigures,
  resultFigures,
  riskFigures,
} from '@core/position';
import { feeReportFigures, maxGainFigures, quoteFigures, usdPips, wireFiguresOf } from '@core/pricing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { figureShape } from './figures.ts';

/** Domain figures in which every quantity is one unit. */
const oneOfEach = new Proxy({}, { get: () => usdPips(1n) });

test.each([
  ['quoteFigures', quoteFigures],
  ['maxGainFigures', maxGainFigures],
  ['feeReportFigures', feeReportFigures],
  ['entryFigures', entryFigures],
  ['originationFigures', originationFigures],
  ['currentFigures', currentFigures],
  ['riskFigures', riskFigures],
  ['openFeeFigures', openFeeFigures],
  ['resultFigures', resultFigures],
  ['closedFeeFigures', closedFeeFigures],
])('figureShape: %s has exactly the fields of its values, each with meaning, unit and rounding', (_name, table) => {
  const shape: Readonly<Record<string, z.ZodType>> = figureShape(table);
  const fields = wireFiguresOf(table, oneOfEach as Parameters<typeof wireFiguresOf<typeof table>>[1]);
  expect(Object.keys(z.strictObject(shape).parse(fields))).toEqual(Object.keys(fields));
  for (const [name, row] of Object.entries(table)) {
    const names = Object.keys(shape).filter((field) => field === name || field.startsWith(`${name}_usd`));
    expect(names.length).toBeGreaterThan(0);
    for (const field of names) {
      const description = z.globalRegistry.get(shape[field] ?? z.never())?.description ?? '';
      expect(description).toMatch(/(?:10,000 =|1,000,000 =|pips are authoritative)/);
      expect(description.startsWith(row.text)).toBe(true);
      expect(description.includes('Rounded')).toBe('rounding' in row && !field.endsWith('_usd'));
    }
  }
});

import type { FigureKind, FigureRow, FigureTable } from '@core/pricing';
import type { z } from 'zod';
import { usdText } from './formats.ts';
import {
  leverageBpsNumber,
  pricePipsText,
  rateBpsNumber,
  signedUsdcUnitsText,
  signedUsdPipsText,
  tokenUnitsText,
  usdcUnitsText,
  usdPipsText,
} from './quantities.ts';

/** Schemas of the fields of each kind, by the suffix that follows the figure's name. */
const schemasOfKind = {
  rate: { '': rateBpsNumber },
  'rate?': { '': rateBpsNumber.nullable() },
  leverage: { '': leverageBpsNumber },
  'leverage?': { '': leverageBpsNumber.nullable() },
  tokens: { '': tokenUnitsText },
  price: { _usd_pips: pricePipsText, _usd: usdText },
  'price?': { _usd_pips: pricePipsText.nullable(), _usd: usdText.nullable() },
  pips: { _usd_pips: usdPipsText, _usd: usdText },
  signedPips: { _usd_pips: signedUsdPipsText, _usd: usdText },
  money: { _usd_pips: usdPipsText, _usd: usdText, _usdc_units: usdcUnitsText },
  signedMoney: { _usd_pips: signedUsdPipsText, _usd: usdText, _usdc_units: signedUsdcUnitsText },
  units: { _usdc_units: usdcUnitsText },
  signedUnits: { _usdc_units: signedUsdcUnitsText },
} as const satisfies Record<FigureKind, Readonly<Record<string, z.ZodType>>>;

type SchemasOf<Row extends FigureRow> = (typeof schemasOfKind)[Row['kind']];
type Union<Table extends FigureTable> = {
  [Name in keyof Table & string]: {
    [Suffix in keyof SchemasOf<Table[Name]> & string]: readonly [`${Name}${Suffix}`, SchemasOf<Table[Name]>[Suffix]];
  }[keyof SchemasOf<Table[Name]> & string];
}[keyof Table & string];
type ShapeOf<Table extends FigureTable> = {
  [Field in Union<Table> as Field[0]]: Field[1] extends z.ZodType ? Field[1] : never;
};

const unitNotes: Readonly<Record<string, string>> = {
  rate: 'Basis points: 10,000 = 100 %',
  leverage: 'Basis points: 10,000 = 1x',
  tokens: 'Token units: 1,000,000 = 1 token',
  price: 'Pips: 10,000 = 1.00 USD per token',
  _usd_pips: 'Pips: 10,000 = 1.00 USD. Authoritative',
  _usdc_units: 'USDC units: 1,000,000 = 1.00 USD',
};

/** Describe a field: meaning, unit and rounding. The display decimal refers to its pips. */
function descriptionOf({ kind, rounding, text }: FigureRow, suffix: string): string {
  if (suffix === '_usd') return `${text}. Dollars, for display; the pips are authoritative`;
  const base = kind.replace('?', '');
  const unit = unitNotes[base] ?? unitNotes[suffix] ?? '';
  const notes = [unit, ...(rounding === undefined ? [] : [`Rounded ${rounding}`])];
  return [text, ...notes].join('. ');
}

/** Build the described schemas of every field of a table. */
export function figureShape<const Table extends FigureTable>(table: Table): ShapeOf<Table> {
  const fields = Object.entries(table).flatMap(([name, row]) =>
    Object.entries(schemasOfKind[row.kind]).map(([suffix, schema]: [string, z.ZodType]) => [
      `${name}${suffix}`,
      schema.meta({ description: descriptionOf(row, suffix) }),
    ]),
  );
  return Object.fromEntries(fields) as ShapeOf<Table>;
}

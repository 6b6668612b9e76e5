import type { Rounding } from '../units/arithmetic.ts';
import { formatUsd } from '../units/formatUsd.ts';
import {
  type LeverageBps,
  type PricePips,
  type RateBps,
  raw,
  type TokenUnits,
  type UsdcUnits,
  type UsdPips,
} from '../units/quantity.ts';

/**
 * Wire form of a figure. A trailing question mark marks a figure that may be null.
 * - `rate`, `leverage`: a number of basis points under the name itself.
 * - `tokens`: text of token units under the name itself.
 * - `price`, `pips`: `name_usd_pips` and `name_usd`.
 * - `money`: `name_usd_pips`, `name_usd` and `name_usdc_units`.
 * - `units`: `name_usdc_units`.
 *
 * Signed kinds may be negative.
 */
export type FigureKind =
  | 'rate'
  | 'rate?'
  | 'leverage'
  | 'leverage?'
  | 'tokens'
  | 'price'
  | 'price?'
  | 'pips'
  | 'signedPips'
  | 'money'
  | 'signedMoney'
  | 'units'
  | 'signedUnits';

/** Row of a table of figures. */
export interface FigureRow {
  readonly kind: FigureKind;
  /** Direction in which the figure is rounded; absent for an exact one. */
  readonly rounding?: Rounding;
  /** Meaning of the figure, for the reference: a noun phrase without a full stop. */
  readonly text: string;
}

/**
 * Figures by wire name, in wire order. The domain stores each under the same name in camelCase with its unit: the rate
 * `fee_bps` as `feeBps`, the price `entry` as `entryPips`, the money `fee` as `feeUsdPips` and `feeUsdcUnits`. One row
 * therefore gives schema, reference, values and verification.
 */
export type FigureTable = Readonly<Record<string, FigureRow>>;

type NamesOf<Table extends FigureTable, Kind extends FigureKind> = {
  [Name in keyof Table]: Table[Name]['kind'] extends Kind ? Name : never;
}[keyof Table] &
  string;
type PipsNames<Table extends FigureTable> = NamesOf<Table, 'pips' | 'signedPips' | 'money' | 'signedMoney'>;
type PriceNames<Table extends FigureTable> = NamesOf<Table, 'price' | 'price?'>;
type UnitsNames<Table extends FigureTable> = NamesOf<Table, 'money' | 'signedMoney' | 'units' | 'signedUnits'>;
type ScalarNames<Table extends FigureTable> = NamesOf<Table, 'rate' | 'rate?' | 'leverage' | 'leverage?'>;
type Null<Kind> = Kind extends `${string}?` ? null : never;

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** Domain figures of a table. Money has pips and units, because a total in pips is the sum of the displayed pips. */
export type FiguresOf<Table extends FigureTable> = {
  readonly [Name in NamesOf<Table, 'rate' | 'rate?'> as Camel<Name>]: RateBps | Null<Table[Name]['kind']>;
} & {
  readonly [Name in NamesOf<Table, 'leverage' | 'leverage?'> as Camel<Name>]: LeverageBps | Null<Table[Name]['kind']>;
} & {
  readonly [Name in NamesOf<Table, 'tokens'> as Camel<Name>]: TokenUnits;
} & {
  readonly [Name in PriceNames<Table> as `${Camel<Name>}Pips`]: PricePips | Null<Table[Name]['kind']>;
} & {
  readonly [Name in PipsNames<Table> as `${Camel<Name>}UsdPips`]: UsdPips;
} & {
  readonly [Name in UnitsNames<Table> as `${Camel<Name>}UsdcUnits`]: UsdcUnits;
};

/** Wire fields of a table. */
export type WireFiguresOf<Table extends FigureTable> = {
  [Name in ScalarNames<Table>]: number | Null<Table[Name]['kind']>;
} & {
  [Name in NamesOf<Table, 'tokens'>]: string;
} & {
  [Name in PriceNames<Table> as `${Name}_usd_pips` | `${Name}_usd`]: string | Null<Table[Name]['kind']>;
} & {
  [Name in PipsNames<Table> as `${Name}_usd_pips` | `${Name}_usd`]: string;
} & {
  [Name in UnitsNames<Table> as `${Name}_usdc_units`]: string;
};

/** Names of one figure in the domain and on the wire, with its wire form. */
interface WireField {
  readonly domain: string;
  readonly wire: string;
  readonly form: 'number' | 'text' | 'usd';
}

type Fields = Record<string, string | number | null>;

/** Table with all names resolved: a quote has twenty figures. */
interface ResolvedTable {
  readonly fields: readonly WireField[];
  /** Every field in wire order, without its value. */
  readonly blank: Readonly<Fields>;
}

const resolvedTables = new WeakMap<FigureTable, ResolvedTable>();

function wireFieldsOf(name: string, kind: FigureKind): readonly WireField[] {
  const camel = name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
  const pips = (domain: string): readonly WireField[] => [
    { domain, wire: `${name}_usd_pips`, form: 'text' },
    { domain, wire: `${name}_usd`, form: 'usd' },
  ];
  const units: WireField = { domain: `${camel}UsdcUnits`, wire: `${name}_usdc_units`, form: 'text' };
  switch (kind) {
    case 'rate':
    case 'rate?':
    case 'leverage':
    case 'leverage?':
      return [{ domain: camel, wire: name, form: 'number' }];
    case 'tokens':
      return [{ domain: camel, wire: name, form: 'text' }];
    case 'price':
    case 'price?':
      return pips(`${camel}Pips`);
    case 'pips':
    case 'signedPips':
      return pips(`${camel}UsdPips`);
    case 'money':
    case 'signedMoney':
      return [...pips(`${camel}UsdPips`), units];
    case 'units':
    case 'signedUnits':
      return [units];
  }
}

function resolve(table: FigureTable): ResolvedTable {
  const cache = resolvedTables.get(table);
  if (cache !== undefined) return cache;
  const fields = Object.entries(table).flatMap(([name, { kind }]) => wireFieldsOf(name, kind));
  // Parsed from JSON: the engine copies such an object ten times as fast as one that was built name by name.
  const blank: Fields = JSON.parse(JSON.stringify(Object.fromEntries(fields.map(({ wire }) => [wire, '']))));
  resolvedTables.set(table, { fields, blank });
  return { fields, blank };
}

/**
 * Convert domain figures to the wire fields of a table.
 *
 * @param table Figures to convert; other figures of the domain are ignored.
 * @returns Numbers for rates and leverage, decimal text for everything else.
 * @throws RangeError when the domain lacks a figure of the table.
 * @example
 * ```ts
 * const { total_user_amount_usd } = wireFiguresOf(quoteFigures, report);
 * ```
 */
export function wireFiguresOf<const Table extends FigureTable>(
  table: Table,
  figures: FiguresOf<Table>,
): WireFiguresOf<Table> {
  const values = figures as Readonly<Record<string, (RateBps & UsdPips) | null>>;
  const { fields, blank } = resolve(table);
  const wireFields: Fields = { ...blank };
  for (const { domain, wire, form } of fields) {
    const value = values[domain];
    if (value === undefined) throw new RangeError(`the figure ${domain} is missing`);
    if (value === null) wireFields[wire] = null;
    else if (form === 'usd') wireFields[wire] = formatUsd(value);
    else wireFields[wire] = form === 'number' ? Number(raw(value)) : String(raw(value));
  }
  return wireFields as WireFiguresOf<Table>;
}

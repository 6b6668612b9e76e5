import { formatUsd, type RateBps, raw, type UsdcUnits, type UsdPips } from '@core/pricing';
import type { usdText } from './formats.ts';
import { moneyUnitsShape, signedMoneyUnitsShape } from './moneyShapes.ts';
import {
  rateBpsNumber,
  signedUsdcUnitsText,
  type signedUsdPipsText,
  usdcUnitsText,
  type usdPipsText,
} from './quantities.ts';

/**
 * What a row of a table of figures shows: `rate` the field `name`, `money` the fields `name_usd_pips`, `name_usd` and
 * `name_usdc_units`, `units` the last of them alone; signed ones may be negative.
 */
export type FigureKind = 'rate' | 'money' | 'signedMoney' | 'units' | 'signedUnits';

/**
 * Figures by wire name, in the order they are shown. The domain keeps each under the same name in camelCase: a rate
 * `fee_bps` as `feeBps`, money `fee` as `feeUsdPips` and `feeUsdcUnits`. So one row gives schema, companions and value.
 */
export type FigureTable = Readonly<Record<string, FigureKind>>;

type NamesOf<Table, Kind> = { [Name in keyof Table]: Table[Name] extends Kind ? Name : never }[keyof Table] & string;
type MoneyNames<Table> = NamesOf<Table, 'money' | 'signedMoney'>;
type UnitsNames<Table> = NamesOf<Table, 'money' | 'signedMoney' | 'units' | 'signedUnits'>;
type IsSigned<Kind> = Kind extends 'signedMoney' | 'signedUnits' ? true : false;

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** The domain's figures behind a table. Money comes in pips and units: a total in pips is the sum of those shown. */
export type FiguresOf<Table> = { readonly [Name in NamesOf<Table, 'rate'> as Camel<Name>]: RateBps } & {
  readonly [Name in MoneyNames<Table> as `${Camel<Name>}UsdPips`]: UsdPips;
} & { readonly [Name in UnitsNames<Table> as `${Camel<Name>}UsdcUnits`]: UsdcUnits };

type ShapeOf<Table> = { [Name in NamesOf<Table, 'rate'>]: typeof rateBpsNumber } & {
  [Name in MoneyNames<Table> as `${Name}_usd_pips`]: IsSigned<Table[Name]> extends true
    ? typeof signedUsdPipsText
    : typeof usdPipsText;
} & { [Name in MoneyNames<Table> as `${Name}_usd`]: typeof usdText } & {
  [Name in UnitsNames<Table> as `${Name}_usdc_units`]: IsSigned<Table[Name]> extends true
    ? typeof signedUsdcUnitsText
    : typeof usdcUnitsText;
};

type WireOf<Table> = { [Name in NamesOf<Table, 'rate'>]: number } & {
  [Name in MoneyNames<Table> as `${Name}_usd_pips` | `${Name}_usd`]: string;
} & { [Name in UnitsNames<Table> as `${Name}_usdc_units`]: string };

/** The schemas of every field a table shows. */
export function figureShape<const Table extends FigureTable>(table: Table): ShapeOf<Table> {
  const fields = Object.entries(table).map(([name, kind]) => {
    if (kind === 'rate') return { [name]: rateBpsNumber };
    if (kind === 'money') return moneyUnitsShape(name);
    if (kind === 'signedMoney') return signedMoneyUnitsShape(name);
    return { [`${name}_usdc_units`]: kind === 'units' ? usdcUnitsText : signedUsdcUnitsText };
  });
  return Object.assign({}, ...fields) as ShapeOf<Table>;
}

/** Where the values of a row come from and go to. */
interface FigureRow {
  readonly name: string;
  readonly kind: FigureKind;
  readonly rate: string;
  readonly pips: string;
  readonly units: string;
  readonly pipsText: string;
  readonly usdText: string;
  readonly unitsText: string;
}

type Fields = Record<string, string | number>;

/** A table spelt out: a quote shows twenty figures. */
interface SpeltTable {
  readonly rows: readonly FigureRow[];
  /** Every field, in order and without its value. */
  readonly blank: Readonly<Fields>;
}

const spelt = new WeakMap<FigureTable, SpeltTable>();

function spell(table: FigureTable): SpeltTable {
  const known = spelt.get(table);
  if (known !== undefined) return known;
  const rows = Object.entries(table).map(([name, kind]): FigureRow => {
    const camel = name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
    return {
      name,
      kind,
      rate: camel,
      pips: `${camel}UsdPips`,
      units: `${camel}UsdcUnits`,
      pipsText: `${name}_usd_pips`,
      usdText: `${name}_usd`,
      unitsText: `${name}_usdc_units`,
    };
  });
  const names = rows.flatMap(({ name, kind, pipsText, usdText: usd, unitsText }) => {
    if (kind === 'rate') return [name];
    return kind === 'money' || kind === 'signedMoney' ? [pipsText, usd, unitsText] : [unitsText];
  });
  // Read from JSON, because the engine copies such an object ten times as fast as one that was built name by name.
  const blank = JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, ''])))) as Fields;
  spelt.set(table, { rows, blank });
  return { rows, blank };
}

/** The values of every field a table shows. */
export function figuresOf<const Table extends FigureTable>(table: Table, figures: FiguresOf<Table>): WireOf<Table> {
  const held = figures as Readonly<Record<string, RateBps & UsdPips & UsdcUnits>>;
  const figureOf = (name: string) => {
    const figure = held[name];
    if (figure === undefined) throw new Error(`no figure ${name}`);
    return figure;
  };
  const { rows, blank } = spell(table);
  const fields: Fields = { ...blank };
  for (const { name, kind, rate, pips, units, pipsText, usdText: usd, unitsText } of rows) {
    if (kind === 'rate') {
      fields[name] = Number(raw(figureOf(rate)));
      continue;
    }
    if (kind === 'money' || kind === 'signedMoney') {
      const shown = figureOf(pips);
      fields[pipsText] = String(raw(shown));
      fields[usd] = formatUsd(shown);
    }
    fields[unitsText] = String(raw(figureOf(units)));
  }
  return fields as WireOf<Table>;
}

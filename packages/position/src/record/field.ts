import type { LeverageBps, PricePips, RateBps, TokenUnits, UsdcUnits } from '@core/pricing';
import type { Hex } from './hex.ts';

/** Value of each kind of field. An instant is in milliseconds since 1970, and its field's name ends in `Ms`. */
interface KindValues {
  readonly text: string;
  readonly texts: readonly string[];
  /** An address, a hash or a key of the chain: 0x-prefixed lower-case hexadecimal. */
  readonly hex: Hex;
  readonly hexes: readonly Hex[];
  readonly flag: boolean;
  readonly integer: number;
  readonly bigint: bigint;
  /** Up to 256 bits without a sign: its column is decimal text. */
  readonly uint256: bigint;
  readonly uint256s: readonly bigint[];
  readonly instant: number;
  readonly usdcUnits: UsdcUnits;
  readonly tokenUnits: TokenUnits;
  readonly pricePips: PricePips;
  readonly leverageBps: LeverageBps;
  readonly rateBps: RateBps;
}

/** One field of a record: its kind, or its possible values, or the type of its JSON, and whether it may be null. */
export type Field =
  | { readonly kind: keyof KindValues; readonly isNullable: boolean }
  | { readonly kind: 'json'; readonly isNullable: boolean; readonly type?: unknown }
  | { readonly kind: 'oneOf'; readonly values: readonly string[]; readonly isNullable: boolean };

export type FieldTable = Readonly<Record<string, Field>>;

type KnownValueOf<Of extends Field> = Of extends { readonly kind: infer Kind extends keyof KindValues }
  ? KindValues[Kind]
  : Of extends { readonly values: readonly (infer Value)[] }
    ? Value
    : Of extends { readonly kind: 'json'; readonly type?: infer Value }
      ? Value | null
      : never;

type ValueOf<Of extends Field> = KnownValueOf<Of> | (Of['isNullable'] extends true ? null : never);

/** The record that a table of fields describes. */
export type RecordOf<Table extends FieldTable> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

export const text = { kind: 'text', isNullable: false } as const;
export const texts = { kind: 'texts', isNullable: false } as const;
export const hex = { kind: 'hex', isNullable: false } as const;
export const hexes = { kind: 'hexes', isNullable: false } as const;
export const flag = { kind: 'flag', isNullable: false } as const;
export const integer = { kind: 'integer', isNullable: false } as const;
export const bigint = { kind: 'bigint', isNullable: false } as const;
export const uint256 = { kind: 'uint256', isNullable: false } as const;
export const uint256s = { kind: 'uint256s', isNullable: false } as const;
export const instant = { kind: 'instant', isNullable: false } as const;
export const usdcUnits = { kind: 'usdcUnits', isNullable: false } as const;
export const tokenUnits = { kind: 'tokenUnits', isNullable: false } as const;
export const pricePips = { kind: 'pricePips', isNullable: false } as const;
export const leverageBps = { kind: 'leverageBps', isNullable: false } as const;
export const rateBps = { kind: 'rateBps', isNullable: false } as const;

export function oneOf<const Values extends readonly string[]>(values: Values) {
  return { kind: 'oneOf', values, isNullable: false } as const;
}

/** An object in a JSON column. Its value is null where the stored one cannot be read. */
export function json<Value>(): { readonly kind: 'json'; readonly isNullable: false; readonly type?: Value } {
  return { kind: 'json', isNullable: false };
}

export function nullable<Of extends Field>(
  field: Of,
): { readonly [Part in keyof Of]: Part extends 'isNullable' ? true : Of[Part] } {
  return { ...field, isNullable: true } as { [Part in keyof Of]: Part extends 'isNullable' ? true : Of[Part] };
}

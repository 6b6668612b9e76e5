import { types } from 'pg';
import { decodeDomainJson } from './domainJson.ts';
import { instantOf } from './instant.ts';

/** PostgreSQL's type of a transaction's number that is never used again. */
const xid8 = 5_069;

/** Parsers of returned values: int8, xid8 and whole numerics as bigint, timestamptz as epoch milliseconds. */
export const rowTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
    switch (oid) {
      case types.builtins.INT8:
      case xid8:
        return BigInt;
      case types.builtins.NUMERIC:
        return readableWhole;
      case types.builtins.TIMESTAMPTZ:
        return readableInstant;
      case types.builtins.JSONB:
        return readableJson;
      default:
        return types.getTypeParser(oid, format);
    }
  },
};

/** Parse a jsonb column; null for content that this package did not write. */
export const readableJson = (text: string): unknown => readable(() => decodeDomainJson(text), SyntaxError, null);

/** Parse a numeric; NaN for one that is no whole number: no computation with bigints accepts it. */
const readableWhole = (text: string): bigint | number =>
  readable<bigint | number>(() => BigInt(text), SyntaxError, Number.NaN);

/** Parse a time; NaN for one that is none, such as `infinity`. */
const readableInstant = (text: string): number => readable(() => instantOf(text), RangeError, Number.NaN);

/** Return a value, or a substitute: an error thrown in the driver would discard all other rows of the answer. */
function readable<Value>(parse: () => Value, fault: ErrorConstructor, substitute: Value): Value {
  try {
    return parse();
  } catch (cause) {
    if (cause instanceof fault) return substitute;
    throw cause;
  }
}

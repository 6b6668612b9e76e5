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
      case types.builtins.NUMERIC:
        return BigInt;
      case types.builtins.TIMESTAMPTZ:
        return instantOf;
      case types.builtins.JSONB:
        return readableJson;
      default:
        return types.getTypeParser(oid, format);
    }
  },
};

/**
 * Parse a jsonb column; null for content that this package did not write. An error thrown in the driver would discard
 * all other rows of the answer.
 */
function readableJson(text: string): unknown {
  try {
    return decodeDomainJson(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

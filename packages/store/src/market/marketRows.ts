import { identityFields, marketFields, refreshedFields } from '@core/market';
import { fieldNamesOf, selectListOf } from '../database/columns.ts';

/** Columns that a new listing writes. */
export const insertFields = [
  'id',
  ...identityFields,
  ...refreshedFields,
  'status',
  'discoveredAtMs',
  'updatedAtMs',
] as const;

/** Every column of a market, as its statements name them. */
export const columns = selectListOf(fieldNamesOf(marketFields));
/** Assignments of every change of a row; `$2` is the time of the change. */
export const touched = 'version = next_market_version(), updated_at = $2';

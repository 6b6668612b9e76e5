import type { ErrorCode } from './rejection.ts';
import { errorTable } from './table.ts';

/** Every code, in the order of the table. */
export const errorCodes: readonly ErrorCode[] = Object.keys(errorTable).filter(
  (key): key is ErrorCode => key in errorTable,
);

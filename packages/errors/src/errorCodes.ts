import type { ErrorGroup } from './definition.ts';
import type { ErrorCode } from './rejection.ts';
import { errorTable } from './table.ts';

/** All codes in the order of the table. */
export const errorCodes: readonly ErrorCode[] = Object.keys(errorTable).filter(
  (key): key is ErrorCode => key in errorTable,
);

/** Return the codes of the given groups in the order of the table. */
export function codesOfGroups(...groups: readonly ErrorGroup[]): readonly ErrorCode[] {
  return errorCodes.filter((code) => groups.includes(errorTable[code].group));
}

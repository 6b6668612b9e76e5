import type { ErrorDefinition } from './definition.ts';
import type { ErrorCode } from './rejection.ts';
import { errorTable } from './table.ts';

/** Return every HTTP status of a code: its own, then the one for transient failures where it has one. */
export function statusesOf(code: ErrorCode): readonly number[] {
  const { status, transientStatus }: ErrorDefinition = errorTable[code];
  return transientStatus === undefined ? [status] : [status, transientStatus];
}

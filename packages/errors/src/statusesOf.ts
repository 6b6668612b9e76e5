import type { ErrorDefinition } from './definition.ts';
import type { ErrorCode } from './rejection.ts';
import { errorTable } from './table.ts';

/** Every status a code is answered with: its own, then the one for failures that pass, where it has one. */
export function statusesOf(code: ErrorCode): readonly number[] {
  const { status, passingStatus }: ErrorDefinition = errorTable[code];
  return passingStatus === undefined ? [status] : [status, passingStatus];
}

import type { Operated, Operations } from './command.ts';
import { callOf } from './commandTable.ts';

export { partnersWithKeys } from './partners.ts';

/**
 * Run one command line.
 * @throws FriendlyError with the reason of a rejection, and with the usage for an unknown command.
 */
export function operate(words: readonly string[], operations: Operations): Promise<Operated> {
  const { row, call } = callOf(words);
  return row.run(operations, call);
}

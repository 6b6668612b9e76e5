import { Fault } from '@core/errors';

/** The chain did not answer, or not in time: nothing follows from it about what was sent. */
export function chainFault(message: string, cause: unknown): Fault {
  return new Fault({ origin: 'chain', kind: 'retryable', message, cause });
}

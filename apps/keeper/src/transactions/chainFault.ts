import { Fault } from '@core/errors';

/** Return the fault of a chain that did not answer in time: it proves nothing about sent transactions. */
export function chainFault(message: string, cause: unknown): Fault {
  return new Fault({ origin: 'chain', kind: 'retryable', message, cause });
}

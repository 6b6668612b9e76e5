import { Fault } from '@core/errors';
import { isDatabaseFault, StaleLeaseError } from '@core/store';
import { isVenueFault } from '@core/venue';

/**
 * Return the class of a failure, as metrics and logs name it. A failure without a class is a bug. Several failures have
 * the gravest of their classes.
 */
export function failureKindOf(error: unknown): string {
  if (error instanceof AggregateError) {
    const kinds = error.errors.map(failureKindOf);
    return kinds.find((kind) => kind === 'lease_lost') ?? kinds.find((kind) => kind !== 'retryable') ?? 'retryable';
  }
  if (error instanceof StaleLeaseError) {
    return 'lease_lost';
  }
  if (error instanceof Fault || isVenueFault(error)) {
    return error.kind;
  }
  return isDatabaseFault(error) ? 'retryable' : 'bug';
}

import type { Logger } from 'pino';
import { Backoff } from '../runner/backoff.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import type { CallOperation } from '../transactions/intentTable.ts';

/**
 * Pauses of a call that the vault refuses, by the simulation or in a block. The first is that of a poll: a node behind
 * the block of the cause refuses as well. The longest is the time for which a position may wait when the cause is gone.
 */
const refusalPauses = { firstMs: 300, longestMs: 30_000 };
/** Refusals in a row from which a call needs an operator: about twenty seconds. */
const refusedForGoodCount = 7;

/** A call of a position, by its operation. */
export interface PositionCall {
  readonly positionKey: string;
  readonly operation: CallOperation;
}

export interface RefusedCallsOptions {
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'refusedCalls'>;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/**
 * Calls of positions that the vault refused, each with a pause of its own that grows: a refusal that repeats costs less
 * and less. A process that starts without any tries once more.
 */
export class RefusedCalls {
  readonly #options: RefusedCallsOptions;
  readonly #now: () => number;
  readonly #pauses = new Backoff(refusalPauses);

  constructor(options: RefusedCallsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Return the milliseconds until the call may be tried again; 0 when it may be now. */
  remainingMs(call: PositionCall): number {
    return this.#pauses.remainingMs(keyOf(call), this.#now());
  }

  /** Record the outcome of a call. Return the milliseconds until its next attempt; null for one that was accepted. */
  record(call: PositionCall, outcome: { readonly kind: string; readonly revert?: string }): number | null {
    const { logger } = this.#options;
    const { kind, revert = 'reverted' } = outcome;
    if (kind === 'included') {
      this.#pauses.forget(keyOf(call));
      return null;
    }
    const count = this.#pauses.postpone(keyOf(call), this.#now());
    logger[count >= refusedForGoodCount ? 'error' : 'info']({ ...call, revert, count }, 'call refused by the vault');
    return this.remainingMs(call);
  }

  /** Set the metric of calls that are refused for good. */
  measure(): void {
    this.#options.metrics.refusedCalls.set(this.#pauses.countFrom(refusedForGoodCount, this.#now()));
  }
}

const keyOf = ({ positionKey, operation }: PositionCall): string => `${operation} ${positionKey}`;

import { VenueFault } from '../port/venueFault.ts';

/** Endpoints that the venue limits together. */
export type EndpointGroup =
  | 'orders'
  | 'ledger'
  | 'books'
  | 'catalogue'
  | 'data'
  | 'credentials'
  | 'relayer'
  | 'spot'
  | 'games';

/** Shortest pause that is kept for others: a request that waits less simply waits. */
const shortestPauseMs = 1_000;

/** Monotonic milliseconds, as `performance.now`. */
export type MonotonicNow = () => number;

/**
 * Pauses requested by the venue, by group of endpoints. All clients of one address at the venue share one: a request
 * during a pause costs nothing at the venue and fails at once with the remaining time.
 */
export class EndpointPauses {
  readonly #now: MonotonicNow;
  /** Faults of `check`: they repeat a pause and are none of their own. */
  readonly #repeated = new WeakSet<VenueFault>();
  readonly #ends = new Map<EndpointGroup, { readonly endsAtMs: number; readonly fault: VenueFault }>();

  constructor(now: MonotonicNow = () => performance.now()) {
    this.#now = now;
  }

  /** Record the pause of a fault, if it has one. */
  note(group: EndpointGroup, fault: VenueFault): void {
    if (fault.retryAfterMs === null || fault.retryAfterMs < shortestPauseMs || this.#repeated.has(fault)) return;
    const endsAtMs = this.#now() + fault.retryAfterMs;
    if (endsAtMs > (this.#ends.get(group)?.endsAtMs ?? 0)) this.#ends.set(group, { endsAtMs, fault });
  }

  /**
   * Refuse a request while its group pauses.
   * @param waitedFor Fault whose pause the request has just waited for: it goes first, unless another one came since.
   * @throws VenueFault with the rest of the pause as `retryAfterMs` and without any effect.
   */
  check(group: EndpointGroup, waitedFor: VenueFault | null = null): void {
    const pause = this.#ends.get(group);
    if (pause?.fault === waitedFor) return;
    const retryAfterMs = pause === undefined ? 0 : Math.ceil(pause.endsAtMs - this.#now());
    if (pause === undefined || retryAfterMs <= 0) return;
    const { code, status } = pause.fault;
    const message = `the venue asked for a pause: ${retryAfterMs} ms of it are left`;
    const repeated = new VenueFault({ code, kind: 'retryable', effect: 'no', status, retryAfterMs, message });
    this.#repeated.add(repeated);
    throw repeated;
  }
}

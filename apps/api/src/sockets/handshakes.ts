import type { LimitState } from '@core/store';
import { socketLimits } from '@core/wire';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../auth/authenticate.ts';
import { ownerKeyOf } from '../auth/ownerKey.ts';

const windowMs = 60_000;
/** Wallets and partners one process remembers. */
const maxRemembered = 50_000;

interface Window {
  readonly endsAtMs: number;
  count: number;
}

/**
 * Accepted handshakes of each wallet and of each partner's keys in a minute. Each costs a reading of the past, so they
 * are not free; there is room for all who come back several times over. Counted per process, as open connections are:
 * a rush after a restart asks no database whether it may come.
 */
export class Handshakes {
  readonly #nowMs: () => number;
  readonly #windows = new LRUCache<string, Window>({ max: maxRemembered });

  /** @param nowMs Monotonic clock, milliseconds. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Count a handshake and return the state of its bucket. */
  take(caller: Caller): LimitState {
    const key = ownerKeyOf(caller);
    const { handshakesPerWallet, handshakesPerPartner } = socketLimits;
    const limit = caller.kind === 'user' ? handshakesPerWallet : handshakesPerPartner;
    const nowMs = this.#nowMs();
    let window = this.#windows.get(key);
    if (window === undefined || nowMs >= window.endsAtMs) {
      window = { endsAtMs: nowMs + windowMs, count: 0 };
      this.#windows.set(key, window);
    }
    window.count += 1;
    return {
      allowed: window.count <= limit,
      limit,
      remaining: Math.max(0, limit - window.count),
      resetMs: window.endsAtMs - nowMs,
    };
  }
}

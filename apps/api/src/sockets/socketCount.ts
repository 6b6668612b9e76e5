import type { LimitState } from '@core/store';
import type { ProcessLimits } from '../processLimits.ts';

/** Time after which a refused client may try again: sockets end at any moment. */
const retryMs = 5_000;

/** Sockets of one process, in all and per address, those that are being opened included. */
export class SocketCount {
  readonly #limits: Pick<ProcessLimits, 'sockets' | 'socketsPerAddress'>;
  readonly #byAddress = new Map<string, number>();
  #size = 0;

  constructor(limits: Pick<ProcessLimits, 'sockets' | 'socketsPerAddress'>) {
    this.#limits = limits;
  }

  /** The bound that keeps one more socket of an address out, or null. */
  refusalOf(address: string): LimitState | null {
    const { sockets, socketsPerAddress } = this.#limits;
    if (this.#size >= sockets) return boundReached(sockets);
    return (this.#byAddress.get(address) ?? 0) < socketsPerAddress ? null : boundReached(socketsPerAddress);
  }

  /** Count one socket of an address until the returned function is called. */
  enter(address: string): () => void {
    this.#size += 1;
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#size -= 1;
      const count = (this.#byAddress.get(address) ?? 0) - 1;
      if (count > 0) this.#byAddress.set(address, count);
      else this.#byAddress.delete(address);
    };
  }
}

const boundReached = (limit: number): LimitState => ({ allowed: false, limit, remaining: 0, resetMs: retryMs });

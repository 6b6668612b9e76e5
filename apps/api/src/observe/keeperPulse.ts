import type { HeartbeatStore } from '@core/store';

/** Heartbeats whose name starts with this are the keeper's. */
const keeperPrefix = 'keeper';

/** The youngest sign of life of any keeper. */
export class KeeperPulse {
  readonly #heartbeats: HeartbeatStore;
  #lastBeatAtMs: number | null = null;

  constructor(heartbeats: HeartbeatStore) {
    this.#heartbeats = heartbeats;
  }

  async refresh(): Promise<void> {
    const beats = (await this.#heartbeats.all()).filter(({ name }) => name.startsWith(keeperPrefix));
    this.#lastBeatAtMs = beats.length === 0 ? null : Math.max(...beats.map(({ lastBeatAtMs }) => lastBeatAtMs));
  }

  /** Silence of the keeper on the service clock; null when none ever reported. */
  ageMs(nowMs: number): number | null {
    return this.#lastBeatAtMs === null ? null : Math.max(0, nowMs - this.#lastBeatAtMs);
  }
}

/** Prefix of the names under which keepers report that they are alive. */
export const keeperHeartbeat = 'keeper';

/** The name of one keeper's heartbeat: each key reports for itself. */
export const keeperHeartbeatOf = (address: string): string => `${keeperHeartbeat}:${address.toLowerCase()}`;

/** A recorded sign of life. */
export interface Heartbeat {
  readonly name: string;
  /** On the service clock. */
  readonly lastHeartbeatAtMs: number;
  /** Report of the program about itself. */
  readonly detail: unknown;
}

/** A heartbeat as it is known here. */
export interface Heard extends Heartbeat {
  /** Since when, in monotonic milliseconds. */
  readonly seenAtMs: number;
}

/** The heartbeats of one kind of program, the last of each, as last read from where heartbeats are kept. */
export class HeartbeatReader {
  readonly #heartbeats: { all(): Promise<readonly Heartbeat[]> };
  readonly #prefix: string;
  readonly #now: () => number;
  #heard: readonly Heard[] = [];

  /** Reads the heartbeats whose name begins with the prefix. @param now Monotonic milliseconds. */
  constructor(
    heartbeats: { all(): Promise<readonly Heartbeat[]> },
    prefix: string,
    now: () => number = () => performance.now(),
  ) {
    this.#heartbeats = heartbeats;
    this.#prefix = prefix;
    this.#now = now;
  }

  async refresh(): Promise<void> {
    const byName = new Map(this.#heard.map((heard) => [heard.name, heard]));
    const rows = (await this.#heartbeats.all()).filter(({ name }) => name.startsWith(this.#prefix));
    this.#heard = rows
      .map((heartbeat) => {
        const before = byName.get(heartbeat.name);
        const isOld = before?.lastHeartbeatAtMs === heartbeat.lastHeartbeatAtMs;
        return isOld ? before : { ...heartbeat, seenAtMs: this.#now() };
      })
      .toSorted((left, right) => right.lastHeartbeatAtMs - left.lastHeartbeatAtMs);
  }

  /** The last of each, the youngest first; the same objects until another one comes. */
  heard(): readonly Heard[] {
    return this.#heard;
  }

  /** For how long one has been known here, on the process's own clock: moving the service clock makes it no older. */
  knownForMs({ seenAtMs }: Heard): number {
    return this.#now() - seenAtMs;
  }
}

/** Silence on the service clock. A heartbeat ahead of the clock has age 0. */
export function ageMsOf({ lastHeartbeatAtMs }: Heartbeat, nowMs: number): number {
  return Math.max(0, nowMs - lastHeartbeatAtMs);
}

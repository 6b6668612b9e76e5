import type { EventAudience, Store } from '@core/store';
import { gateways } from '@core/wire';
import { type ReceivedFrame, SocketClient } from './socketClient.ts';
import type { SpawnedApi } from './spawnApi.ts';
import { fieldOf } from './startTestApi.ts';

/** Caller of a follower, its credential, and the process it connects to next. */
export interface Following {
  readonly audience: Extract<EventAudience, { readonly partnerId: string }>;
  readonly authorization: string;
  readonly apiOf: () => SpawnedApi | undefined;
}

/** State of one client, which reconnects and resumes as a front end would. */
export class SocketFollower {
  readonly audience: Following['audience'];
  /** In lower case; null for a partner's client, which sees every wallet's. */
  readonly wallet: string | null;
  /** Events in the order received, each once. */
  readonly events: ReceivedFrame[] = [];
  /** Positions as the last snapshot or event showed them, by id. */
  readonly positions = new Map<string, unknown>();
  /** Violations: a gap, a repetition, a position of another wallet. */
  readonly faults: string[] = [];
  resyncCount = 0;
  /** True once it was shown what there is: from then on every event is sent to it. */
  hasSnapshot = false;
  readonly #ids = new Set<string>();
  readonly #following: Following;
  #client: SocketClient | null = null;
  #isEnded = false;

  constructor(following: Following) {
    this.#following = following;
    this.audience = following.audience;
    this.wallet = following.audience.kind === 'user' ? following.audience.walletAddress.toLowerCase() : null;
  }

  connect(): void {
    if (this.#isEnded) return;
    const { apiOf, authorization } = this.#following;
    const api = apiOf();
    if (api === undefined) {
      this.#comeBack();
      return;
    }
    const base = api.url.replace('http', 'ws').replace('/v1/', '/v1/ws/');
    const last = this.events.at(-1)?.id;
    const query = last === undefined ? '' : `?resume_from=${last}`;
    const client = new SocketClient(`${base}${gateways[this.audience.kind].path}${query}`, {
      headers: { Authorization: authorization },
    });
    this.#client = client;
    let seq = 0;
    client.socket.on('message', () => {
      const frame = client.frames.shift();
      if (frame === undefined || client !== this.#client) return;
      if (frame.frame === 'snapshot') this.#takeSnapshot(frame);
      if (frame.frame === 'resync_required') this.resyncCount += 1;
      if (frame.frame !== 'event') return;
      seq += 1;
      if (frame.seq !== seq) this.faults.push(`seq ${frame.seq} for ${seq}`);
      this.#takeEvent(frame);
    });
    client.socket.on('close', () => {
      if (client === this.#client) this.#comeBack();
    });
  }

  /** The connection is gone, with whatever was on its way. */
  cut(): void {
    this.#client?.end();
  }

  end(): void {
    this.#isEnded = true;
    this.#client?.end();
  }

  #comeBack(): void {
    setTimeout(() => this.connect(), 20 + Math.random() * 200);
  }

  #takeSnapshot({ positions }: ReceivedFrame): void {
    if (!Array.isArray(positions)) throw new Error('a snapshot has positions');
    this.hasSnapshot = true;
    for (const position of positions) this.#take(position);
  }

  #takeEvent(frame: ReceivedFrame): void {
    const id = frame.id ?? '';
    if (this.#ids.has(id)) this.faults.push(`twice: ${id}`);
    this.#ids.add(id);
    this.events.push(frame);
    if (frame.type?.startsWith('position.') === true) this.#take(frame.data);
  }

  #take(position: unknown): void {
    const wallet = String(fieldOf(position, 'wallet_address')).toLowerCase();
    if (this.wallet !== null && wallet !== this.wallet) {
      this.faults.push(`foreign: ${String(fieldOf(position, 'id'))}`);
    }
    this.positions.set(String(fieldOf(position, 'id')), position);
  }
}

/** The first process that runs, the wanted one before the others: a front end behind a balancer. */
export function runningApi(apis: readonly SpawnedApi[], wanted: number): SpawnedApi | undefined {
  const [before, from] = [apis.slice(0, wanted), apis.slice(wanted)];
  return [...from, ...before].find(({ child }) => child.exitCode === null && child.signalCode === null);
}

/** The ids that a follower got, and those that were written for it from its first one on: they are to be the same. */
export async function idsOf(
  { audience, events }: SocketFollower,
  outbox: Store['outbox'],
): Promise<{ readonly received: readonly string[]; readonly written: readonly string[] }> {
  const upTo = await outbox.settledPlace();
  const after = { transactionId: 0n, sequence: 0n };
  const records = await outbox.ownAfter({ audience, after, upTo, limit: 10_000 });
  const received = events.map(({ id }) => String(id));
  const first = records.findIndex(({ id }) => id === received[0]);
  return { received, written: first === -1 ? [] : records.slice(first).map(({ id }) => id) };
}

/** Return the fields of a position that do not move with the clock and the mark. */
export function lastingOf(position: unknown): unknown {
  if (typeof position !== 'object' || position === null) return position;
  const current = fieldOf(position, 'current');
  return {
    ...position,
    effective_leverage_bps: null,
    current: { units: fieldOf(current, 'position_token_units'), collateral: fieldOf(current, 'collateral_usd_pips') },
    risk: null,
    fees: null,
    timing: null,
  };
}

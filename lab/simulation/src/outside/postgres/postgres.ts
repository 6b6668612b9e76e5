import type net from 'node:net';
import { Client, type QueryResult } from 'pg';
import { reachingOut } from '../../runtime/leakWatch.ts';
import { realSocket } from '../../runtime/realSocket.ts';
import { realLimit } from '../../runtime/realTime.ts';
import type { Scheduler } from '../../runtime/scheduler.ts';
import type { VirtualNetwork } from '../../runtime/virtualNetwork.ts';
import type { Disturbance, Statement } from './disturbance.ts';
import { HeldProcesses } from './heldProcesses.ts';
import { isBlocked, type LockWait, observeLockWaits } from './lockWaits.ts';
import { Session } from './session.ts';
import { settingsView } from './sessionLimits.ts';
import type { SessionServer } from './sessionServer.ts';

/** Real time between two checks for a lock: twice as long after each one. It decides nothing but the cost. */
const firstCheckMs = 2;
const maxCheckMs = 64;
/** Real time after which a process was stopped while it had the tables of locks to itself. */
const stoppedInsideMs = 100;
/** The server looks for deadlocks after so long, in real time, while the scheduler waits. */
const deadlockTimeoutMs = 1;

/** Takes the clocks of a disposable database from the server: its vacuum, and its search for deadlocks. */
const stopClocks = `DO $clocks$ DECLARE own regclass; BEGIN
    EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = ${deadlockTimeoutMs}', current_database());
    FOR own IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace NOT IN
      ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    LOOP EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', own); END LOOP;
  END $clocks$`;

/** A real PostgreSQL behind a port of the simulated network, one statement at a time. */
export class Postgres implements SessionServer<Session> {
  readonly scheduler: Scheduler;
  readonly realPort: number;
  /** Fault of statements. It is asked for each request before the server sees it. */
  onStatement: ((statement: Statement) => Disturbance | null) | null = null;
  /** True while it takes no further session, as one that ends does. */
  isStopping = false;
  readonly #network: VirtualNetwork;
  readonly #databaseUrl: string;
  readonly #admin: Client;
  readonly #sessions = new Set<Session>();
  /** Processes of faults that keep locks. */
  readonly #holders = new Set<number>();
  readonly #held = new HeldProcesses();
  #snapshot = '';
  #mayHaveNotified = false;
  #mayHaveEnded = false;

  private constructor(options: PostgresOptions, admin: Client) {
    this.scheduler = options.scheduler;
    this.#network = options.network;
    this.#databaseUrl = options.databaseUrl;
    this.realPort = Number(new URL(options.databaseUrl).port);
    this.#admin = admin;
  }

  /** Take the clocks and limits of a disposable database, or of a template of such, from the server. */
  static async prepare(databaseUrl: string): Promise<void> {
    const admin = await connect(databaseUrl);
    await admin.query(stopClocks);
    await admin.query('SET allow_system_table_mods = on');
    await admin.query(settingsView);
    await admin.end();
  }

  /** Connect to a real server and serve a disposable database of it at a port of the network. */
  static async open(options: PostgresOptions): Promise<Postgres> {
    await Postgres.prepare(options.databaseUrl);
    const postgres = new Postgres(options, await connect(options.databaseUrl));
    options.network.serve(options.port, (socket) => {
      if (postgres.isStopping) socket.destroy();
      else postgres.#sessions.add(new Session(postgres, socket));
    });
    return postgres;
  }

  /** Run a statement as no program of the world, when the scheduler has come to it. */
  async query(text: string, values: readonly unknown[] = []): Promise<readonly Record<string, unknown>[]> {
    return this.#outside(async () => {
      const { rows } = await this.#ask(text, values);
      this.#mayHaveNotified = true;
      await this.settle();
      return rows;
    });
  }

  /**
   * Keep the locks of a statement in a transaction of no program, for a fault.
   * @returns What ends the transaction. Both take effect as operations of the scheduler.
   */
  async hold(text: string): Promise<() => Promise<void>> {
    const holder = await this.#outside(async () => {
      const client = await connect(this.#databaseUrl);
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
      await client.query(`BEGIN; ${text}`);
      this.#holders.add(rows[0].pid);
      return client;
    });
    return () =>
      this.#outside(async () => {
        await holder.query('ROLLBACK');
        await holder.end();
        await this.settle();
      });
  }

  async close(): Promise<void> {
    await this.#admin.end();
  }

  programOf(client: net.Socket): string {
    return this.#network.peerOf(client);
  }

  disturb(program: string, texts: readonly string[]): Disturbance | null {
    return this.onStatement?.({ program, texts }) ?? null;
  }

  async advance(session: Session): Promise<void> {
    await this.#awaitRest(session);
    await this.settle();
  }

  async settle(): Promise<void> {
    for (let next = await this.#released(); next !== undefined; next = await this.#released()) {
      this.#held.release(next.real.pid);
      await this.#awaitRest(next);
    }
    if (this.#mayHaveNotified || this.#mayHaveEnded) {
      const pinged = [...this.#sessions].filter((session) => this.#mayHaveEnded || session.isListener);
      this.#mayHaveNotified = false;
      this.#mayHaveEnded = false;
      for (const session of pinged) {
        this.scheduler.count('sql ping');
        await session.ping();
      }
    }
  }

  observeSnapshot(snapshot: string): void {
    this.#mayHaveNotified ||= snapshot !== this.#snapshot;
    this.#snapshot = snapshot;
  }

  expectEnds(): void {
    this.#mayHaveEnded = true;
  }

  async cancelStatement(pid: number): Promise<void> {
    await this.#ask('SELECT pg_cancel_backend($1)', [pid]);
    this.#held.release(pid);
  }

  async terminate(pid: number): Promise<void> {
    await this.#ask('SELECT pg_terminate_backend($1)', [pid]);
  }

  async cancelAsClient(pid: number, key: number): Promise<void> {
    for (const session of this.#sessions) {
      if (session.real.pid === pid && session.real.key === key) await session.cancel();
    }
  }

  remove(session: Session): void {
    this.#sessions.delete(session);
  }

  /** Wait until a request is answered, or waits for a lock of a session at rest. */
  async #awaitRest(session: Session): Promise<void> {
    for (let checkMs = firstCheckMs; ; checkMs = Math.min(2 * checkMs, maxCheckMs)) {
      if ((await realLimit(session.real.answer, checkMs)) === 'answered') break;
      const { waits, resting } = await this.#observeWaits();
      const wait = waits.get(session.real.pid);
      if (wait === undefined || wait.id === session.cancelledWait) continue;
      if (isBlocked(wait.pid, waits, resting) && (await this.#hold(session, wait))) {
        session.block(wait);
        return;
      }
    }
    await session.finish();
  }

  /** Stop the process of a blocked session, and return false when its wait was over before. */
  async #hold({ real }: Session, { id }: LockWait): Promise<boolean> {
    this.#held.hold(real);
    const observed = this.#observeWaits();
    if ((await realLimit(observed, stoppedInsideMs)) === 'late') this.#held.release(real.pid);
    const isSame = (await observed).waits.get(real.pid)?.id === id;
    if (!isSame) this.#held.release(real.pid);
    return isSame;
  }

  /** Return the first blocked session that continues now, in the order of their connections. */
  async #released(): Promise<Session | undefined> {
    const blocked = [...this.#sessions].filter((session) => session.isBlocked);
    if (blocked.length === 0) return undefined;
    const { waits, resting } = await this.#observeWaits();
    return blocked.find((session) => {
      const wait = waits.get(session.real.pid);
      const isStillBlocked = wait !== undefined && isBlocked(wait.pid, waits, resting);
      if (isStillBlocked) session.block(wait);
      return !isStillBlocked;
    });
  }

  /** Read who waits, and which processes do nothing until an operation lets them. */
  async #observeWaits() {
    const sessions = [...this.#sessions];
    const unanswered = sessions.filter(({ isResting }) => !isResting).map(({ real }) => real.pid);
    const waits = await observeLockWaits((text, values) => this.#ask(text, values), unanswered);
    const resting = sessions.filter(
      ({ isResting, real }) => isResting || (this.#held.has(real.pid) && !waits.has(real.pid)),
    );
    return { waits, resting: new Set([...resting.map(({ real }) => real.pid), ...this.#holders]) };
  }

  #ask(text: string, values: readonly unknown[]): Promise<QueryResult> {
    return reachingOut(() => this.#admin.query(text, [...values]));
  }

  /** Run an operation when the scheduler has come to it. */
  #outside<Result>(run: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.scheduler.outside('sql fault', () => run().then(resolve, reject));
    });
  }
}

interface PostgresOptions {
  readonly scheduler: Scheduler;
  readonly network: VirtualNetwork;
  readonly databaseUrl: string;
  readonly port: number;
}

async function connect(databaseUrl: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl, stream: realSocket });
  await reachingOut(() => client.connect());
  return client;
}

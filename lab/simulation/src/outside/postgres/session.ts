import type net from 'node:net';
import type { Scheduled } from '../../runtime/scheduler.ts';
import { ClientMessages, type ClientRequest, StatementTexts, startupCodes } from './clientMessages.ts';
import { failing } from './disturbance.ts';
import type { LockWait } from './lockWaits.ts';
import { type IsLast, RealSession, untilAuthenticated, untilFlushed, untilReady } from './realSession.ts';
import { messageOf, type ServerError, type ServerMessage, shownTypesOf, withError } from './serverMessages.ts';
import {
  hideDefaults,
  hideLimits,
  noLimits,
  readAtRest,
  readInTransaction,
  readingOf,
  type SessionLimits,
  showLimits,
  syncMessage,
} from './sessionLimits.ts';

import type { Running, SessionServer } from './sessionServer.ts';

const limitErrors = {
  statement: { code: '57014', message: 'canceling statement due to statement timeout' },
  lock: { code: '55P03', message: 'canceling statement due to lock timeout' },
  idleTransaction: { code: '25P03', message: 'terminating connection due to idle-in-transaction timeout' },
  idleSession: { code: '57P05', message: 'terminating connection due to idle-session timeout' },
} as const satisfies Readonly<Record<string, ServerError>>;

/** Errors with which the server reports that another session ended a statement or a session. */
const endedByOthers = { statement: '57014', session: '57P01' } as const;
/** Messages that the server sends besides an answer: notifications, notices, changed settings. */
const asides: ReadonlySet<string> = new Set(['A', 'N', 'S']);
const none = Buffer.alloc(0);

/** One client's session: its requests go to a session of the real server, one after the other. */
export class Session {
  isListener = false;
  readonly real: RealSession;
  readonly #server: SessionServer<Session>;
  readonly #client: net.Socket;
  readonly #messages = new ClientMessages();
  readonly #texts = new StatementTexts();
  #work: (ClientRequest | 'end')[] = [];
  #isScheduled = false;
  #isPrepared = false;
  #isOver = false;
  #running: Running | null = null;
  #defaults: SessionLimits = noLimits;
  #limits: SessionLimits = noLimits;
  /** Limits outside transactions: those of one that failed cannot be read. */
  #ownLimits: SessionLimits = noLimits;
  #idleTimer: Scheduled | null = null;

  constructor(server: SessionServer<Session>, client: net.Socket) {
    this.#server = server;
    this.#client = client;
    this.real = new RealSession(server.realPort);
    client.on('error', () => undefined);
    client.on('data', (bytes: Buffer) => {
      for (const request of this.#messages.add(bytes)) this.#add(request.last === 'X' ? 'end' : request);
    });
    client.on('end', () => this.#add('end'));
    client.once('close', () => this.#add('end'));
  }

  /** True while the client waits for nothing: what the session has locked stays locked. */
  get isResting(): boolean {
    return this.real.isAnswered;
  }

  get isBlocked(): boolean {
    return this.#running?.wait !== null && this.#running !== null;
  }

  /** The wait that was cancelled, which the server is about to end. */
  get cancelledWait(): string | null {
    return this.#running?.isCancelled === true ? (this.#running.wait?.id ?? null) : null;
  }

  /** Begin a wait for a lock, or continue it. Limits count in virtual time from here on. */
  block(wait: LockWait): void {
    const running = this.#running;
    if (running === null || running.wait?.id === wait.id) return;
    const { scheduler } = this.#server;
    if (running.wait === null) scheduler.count('sql blocked');
    this.#unblock(running);
    const { statementMs, lockMs } = this.#limits;
    const leftMs = {
      lock: lockMs > 0 ? lockMs : Number.POSITIVE_INFINITY,
      statement: statementMs > 0 ? running.beganMs + statementMs - scheduler.nowMs : Number.POSITIVE_INFINITY,
    };
    const limit = leftMs.lock <= leftMs.statement ? 'lock' : 'statement';
    const timer = Number.isFinite(leftMs[limit])
      ? this.#later(leftMs[limit], async () => {
          if (this.#running === running && running.wait?.id === wait.id) await this.cancel(limitErrors[limit]);
        })
      : null;
    running.wait = { id: wait.id, timer };
    scheduler.note(`sql ${this.#server.programOf(this.#client)} blocked`);
  }

  /** Cancel a blocked statement, with an error of a limit or the server's own. */
  async cancel(error: ServerError | null = null): Promise<void> {
    const running = this.#running;
    if (running === null || running.wait === null) return;
    running.error = error;
    running.isCancelled = true;
    await this.#server.cancelStatement(this.real.pid);
    await this.#server.advance(this);
  }

  /** Deliver the answer of the real server, and observe the state in which it leaves the session. */
  async finish(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.#unblock(running);
    const { request, error } = running;
    const received = this.real.take();
    const answer = error === null ? received : received.map((each) => withError(each, endedByOthers.statement, error));
    const last = answer.at(-1)?.type;
    this.#messages.isCopying = last === 'G' && request.last === 'Q';
    const extra = last === 'Z' ? await this.#observe() : [];
    const deliver = (): void => {
      this.#running = null;
      this.#send([...answer, ...extra]);
      if (this.real.isEnded) this.#close();
      else if (last === 'Z') this.#limitIdleness();
      this.#schedule();
    };
    if (running.isCutAfter) await this.#cut();
    else if (running.delayMs === 0) deliver();
    else this.#server.scheduler.at(running.delayMs, deliver, undefined);
  }

  /** Fetch what the server has announced to a session without a statement, or its end. */
  async ping(): Promise<void> {
    if (this.#running !== null || this.#isOver || this.real.pid === 0 || this.real.status !== 'I') return;
    const received = await this.real.ask(syncMessage);
    this.#send(received.filter(({ type }) => asides.has(type) || this.real.isEnded));
    if (this.real.isEnded) this.#close();
  }

  #add(work: ClientRequest | 'end'): void {
    if (this.#isOver) return;
    this.#work.push(work);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#running !== null || this.#work.length === 0) return;
    this.#isScheduled = true;
    this.#server.scheduler.outside(this.#work[0] === 'end' ? 'sql end' : 'sql', async () => {
      this.#isScheduled = false;
      const work = this.#work.shift();
      this.#stopIdleTimer();
      if (work === 'end') await this.#cut();
      else if (work !== undefined && !this.#isOver) await this.#execute(work);
      this.#schedule();
    });
  }

  async #execute(request: ClientRequest): Promise<void> {
    if (await this.#answerHere(request)) return;
    const texts = this.#texts.of(request);
    const program = this.#server.programOf(this.#client);
    const disturbance = this.#server.disturb(program, texts);
    if (disturbance?.kind === 'cut' && !disturbance.isExecuted) {
      await this.#cut();
      return;
    }
    this.#server.scheduler.note(`sql ${program} ${request.types}`);
    if (texts.some((text) => text.includes('pg_terminate_backend'))) this.#server.expectEnds();
    this.#running = {
      request,
      beganMs: this.#server.scheduler.nowMs,
      delayMs: disturbance?.kind === 'delay' ? disturbance.delayMs : 0,
      isCutAfter: disturbance?.kind === 'cut',
      wait: null,
      error: null,
      isCancelled: false,
    };
    if (disturbance?.kind === 'refuse') {
      await this.real.send(messageOf('Q', Buffer.from(`${failing(disturbance.error)}\0`)), untilReady);
    } else await this.real.send(hideLimits(request.bytes), endOf(request));
    await this.#server.advance(this);
  }

  /** Answer what concerns the connection and no statement. */
  async #answerHere({ bytes, last, types }: ClientRequest): Promise<boolean> {
    if (last === 'H') return types === 'H';
    if (last !== 'startup' || bytes.length < 8) return false;
    const code = bytes.readUInt32BE(4);
    if (code === startupCodes.tls || code === startupCodes.gss) {
      this.#client.write('N');
      return true;
    }
    if (code !== startupCodes.cancel) return false;
    await this.#server.cancelAsClient(bytes.readUInt32BE(8), bytes.readUInt32BE(12));
    await this.#cut();
    return true;
  }

  /** Read the limits in force, and whether anything was announced. */
  async #observe(): Promise<readonly ServerMessage[]> {
    const { real } = this;
    const hidden = this.#isPrepared ? [] : await real.ask(hideDefaults);
    if (real.status === 'E') {
      this.#limits = this.#ownLimits;
      return [];
    }
    const received = await real.ask(real.status === 'I' ? readAtRest : readInTransaction);
    if (real.isEnded) return received;
    const { limits, isListener, snapshot } = readingOf(received, this.#defaults);
    if (!this.#isPrepared) this.#defaults = limits;
    this.#isPrepared = true;
    this.#limits = limits;
    if (isListener !== null) {
      this.isListener = isListener;
      this.#ownLimits = limits;
    }
    if (snapshot !== null) this.#server.observeSnapshot(snapshot);
    return [...hidden, ...received].filter(({ type }) => asides.has(type));
  }

  #limitIdleness(): void {
    const isIdle = this.real.status === 'I';
    const limitMs = isIdle ? this.#limits.idleSessionMs : this.#limits.idleTransactionMs;
    if (limitMs === 0) return;
    const error = isIdle ? limitErrors.idleSession : limitErrors.idleTransaction;
    const timer = this.#later(limitMs, async () => {
      if (this.#idleTimer === timer && this.#work.length === 0) await this.#expire(error);
    });
    this.#idleTimer = timer;
  }

  /** End the session as the server does when a limit of idleness is over. */
  async #expire(error: ServerError): Promise<void> {
    await this.#server.terminate(this.real.pid);
    await this.real.ended();
    this.#send(this.real.take().map((message) => withError(message, endedByOthers.session, error)));
    this.#close();
    await this.#server.settle();
  }

  /** Run an operation of the server after so many virtual milliseconds. */
  #later(delayMs: number, run: () => Promise<void>): Scheduled {
    const { scheduler } = this.#server;
    return scheduler.at(delayMs, () => scheduler.outside('sql limit', run), undefined);
  }

  #unblock(running: Running): void {
    if (running.wait?.timer) running.wait.timer.isWanted = false;
    running.wait = null;
  }

  #stopIdleTimer(): void {
    if (this.#idleTimer !== null) this.#idleTimer.isWanted = false;
    this.#idleTimer = null;
  }

  #send(messages: readonly ServerMessage[]): void {
    if (messages.length === 0 || this.#client.destroyed || this.#client.writableEnded) return;
    this.#server.scheduler.note(`sql answer ${this.#server.programOf(this.#client)} ${shownTypesOf(messages)}`);
    this.#client.write(showLimits(Buffer.concat(messages.map(({ bytes }) => bytes))));
  }

  /** End the session of the real server, and then the connection. */
  async #cut(): Promise<void> {
    if (this.#isOver) return;
    await this.real.end();
    this.#running = null;
    this.#close();
    await this.#server.settle();
  }

  #close(): void {
    this.#isOver = true;
    this.#work = [];
    this.#stopIdleTimer();
    this.#server.remove(this);
    if (!this.#client.destroyed) this.#client.end(none);
  }
}

function endOf({ last, types }: ClientRequest): IsLast {
  if (last === 'H') return untilFlushed(types);
  return last === 'startup' || last === 'p' ? untilAuthenticated : untilReady;
}

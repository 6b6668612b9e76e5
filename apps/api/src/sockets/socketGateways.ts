import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, type Polling, pollRepeatedly } from '@core/runtime';
import type { EventAudience, LimitStore, PartnerStore, Store } from '@core/store';
import { socketLimits, socketProtocol } from '@core/wire';
import type { Logger } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import type { CallerDirectory } from '../auth/callerDirectory.ts';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import type { MarketBoard } from '../markets/marketBoard.ts';
import type { MarketDirectory } from '../markets/marketDirectory.ts';
import { positionObserver } from '../positions/observePositions.ts';
import { ClientMessages } from './clientMessages.ts';
import { Connection } from './connection.ts';
import { ConnectionCount } from './connectionCount.ts';
import { Connections } from './connections.ts';
import { EventDispatch } from './eventDispatch.ts';
import { EventFeed } from './eventFeed.ts';
import { Handshakes } from './handshakes.ts';
import { SampleRuns } from './sampleRuns.ts';
import { StreamJoins } from './streamJoins.ts';
import { sweep } from './sweep.ts';
import { Turnstile } from './turnstile.ts';
import { type AdmittedRequest, admit, failedRequestOf, refuse, type UpgradeOptions } from './upgrade.ts';

/** What the sockets report about themselves. */
export interface SocketObserver {
  opened(gateway: string): void;
  closed(gateway: string, code: number): void;
  sent(count: number): void;
}

export interface SocketOptions {
  readonly store: Store;
  readonly limits: LimitStore;
  readonly clock: Clock;
  readonly callers: CallerDirectory;
  readonly partners: Pick<PartnerStore, 'byId'>;
  readonly markets: MarketDirectory;
  readonly board: MarketBoard;
  readonly idNamespace: string;
  readonly allowedOrigins: readonly string[];
  readonly addressOf: (request: IncomingMessage) => string;
  /** Origin under which clients know the service. */
  readonly publicOrigin: () => string;
  readonly observer: SocketObserver;
  readonly logger: Logger;
  /** Counts the handshakes of each wallet and partner; as usual where it is left out. */
  readonly handshakes?: Pick<Handshakes, 'take'>;
}

/** Connections that may read the past at one time: the database has requests to answer, too. */
const joinsAtOnce = 4;
/** Some seconds of joins; with so many before it a client does better to come back. */
const waitingJoins = 2_000;
const sweepIntervalMs = 1_000;
const goodbyeMs = 1_500;

/** The three gateways of one process. */
export class SocketGateways {
  readonly #options: SocketOptions;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: socketLimits.frameBytes,
    perMessageDeflate: false,
    handleProtocols: (protocols) => (protocols.has(socketProtocol) ? socketProtocol : false),
  });
  readonly #connections = new Connections();
  readonly #count = new ConnectionCount();
  readonly #feed: EventFeed;
  readonly #dispatch: EventDispatch;
  readonly #samples: SampleRuns;
  readonly #joins: StreamJoins;
  readonly #upgrade: UpgradeOptions;
  #sweeping: Polling | null = null;
  #isDraining = false;

  constructor(options: SocketOptions) {
    this.#options = options;
    const { store, clock, markets, board, partners, idNamespace, observer, logger } = options;
    const failing = (what: string) => (err: unknown) => logger.error({ err, what }, 'events failed');
    this.#dispatch = new EventDispatch({
      connections: this.#connections,
      markets,
      board,
      partners,
      idNamespace,
      onRemoved: (owned, record) => {
        for (const connection of owned) this.#run(connection, this.#joins.startOver(connection, record));
      },
      onSent: (count) => observer.sent(count),
      onFailure: failing('markets'),
    });
    this.#feed = new EventFeed({
      outbox: store.outbox,
      onEvent: (record) => this.#dispatch.dispatch(record),
      onFailure: failing('feed'),
    });
    this.#samples = new SampleRuns({ connections: this.#connections, clock });
    this.#joins = new StreamJoins({
      store,
      feed: this.#feed,
      dispatch: this.#dispatch,
      observe: positionObserver({ positions: store.positions, markets }),
      turnstile: new Turnstile({ places: joinsAtOnce, maxWaiting: waitingJoins }),
      nowMs: () => clock.nowMs(),
      idNamespace,
    });
    this.#upgrade = {
      callers: options.callers,
      limits: options.limits,
      handshakes: options.handshakes ?? new Handshakes(),
      allowedOrigins: new Set(options.allowedOrigins),
      addressOf: options.addressOf,
      isDraining: () => this.#isDraining,
    };
  }

  /** Follows the events before the first client comes. */
  async start(): Promise<void> {
    const { store, clock, callers, logger } = this.#options;
    await this.#feed.start();
    await this.#samples.start(store.signals);
    this.#sweeping = pollRepeatedly({
      task: () => sweep(this.#connections, { clock, callers, runningMs: performance.now() }),
      intervalMs: sweepIntervalMs,
      onFailure: (err) => logger.warn({ err }, 'keys of connections could not be checked'),
    });
  }

  attach(server: Server): void {
    server.on('upgrade', (request, stream, head) => {
      // A client that goes away in the middle of its request is no fault of ours.
      stream.on('error', () => stream.destroy());
      this.#admit(request, stream, head).catch((err: unknown) => {
        this.#options.logger.error({ err }, 'a connection could not be opened');
        refuse(stream, this.#options.publicOrigin(), failedRequestOf(err));
      });
    });
  }

  /** Asks every client to come back later, each at its own time, and ends the connections. */
  async close(): Promise<void> {
    this.#isDraining = true;
    await this.#samples.stop();
    await this.#sweeping?.stop();
    for (const connection of this.#connections.all()) connection.postpone();
    const endMs = performance.now() + goodbyeMs;
    while (this.#connections.size > 0 && performance.now() < endMs) await delay(10);
    for (const connection of this.#connections.all()) connection.terminate();
    await this.#feed.stop();
    await this.#dispatch.close();
    this.#server.close();
  }

  async #admit(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const admitted = await admit(this.#upgrade, request);
    if (admitted.kind === 'refused') {
      refuse(stream, this.#options.publicOrigin(), admitted);
      return;
    }
    this.#server.handleUpgrade(request, stream, head, (socket) => this.#open(admitted, socket, stream));
  }

  #open(admitted: AdmittedRequest, socket: WebSocket, stream: Duplex): void {
    const { gateway, caller, authorization, resumeFrom } = admitted;
    const { observer, callers } = this.#options;
    const connection = new Connection(
      {
        gateway,
        caller,
        audience: audienceOf(admitted),
        token: caller.kind === 'user' ? caller.token : null,
        keyText: caller.kind === 'user' ? null : authorization,
      },
      socket,
      stream,
    );
    const messages = new ClientMessages(connection, callers);
    socket.on('message', (data, isBinary) => this.#run(connection, messages.receive(data, isBinary)));
    socket.on('pong', () => messages.hear());
    socket.on('ping', () => messages.hearPing());
    // A malformed or oversized frame: the library has closed the connection with its code.
    socket.on('error', () => undefined);
    observer.opened(gateway);
    const isWithinLimit = this.#count.add(caller);
    socket.on('close', (code) => {
      this.#connections.delete(connection);
      this.#count.delete(caller);
      observer.closed(gateway, code);
    });
    if (!isWithinLimit || this.#isDraining) {
      connection.close(isWithinLimit ? 'restart' : 'tooMany');
      return;
    }
    // Known to the stream before anything is read: what happens meanwhile waits for it. Nothing is awaited before, so
    // that a client which goes away is always known by then.
    this.#connections.add(connection);
    this.#run(connection, this.#joins.join(connection, resumeFrom));
  }

  /** What fails for one connection ends that one: its client comes back and resumes. */
  #run(connection: Connection, work: Promise<void>): void {
    work.catch((err: unknown) => {
      this.#options.logger.error({ err, connection: connection.id }, 'a connection failed');
      connection.close('restart');
    });
  }
}

function audienceOf({ gateway, caller }: Pick<AdmittedRequest, 'gateway' | 'caller'>): EventAudience {
  if (gateway === 'markets') return { kind: 'markets' };
  const partnerId = caller.partner.id;
  return caller.kind === 'user'
    ? { kind: 'user', partnerId, walletAddress: storedWalletAddressOf(caller.wallet) }
    : { kind: 'partner', partnerId };
}

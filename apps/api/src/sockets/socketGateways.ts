import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { PolicyConfig } from '@core/policy';
import { type Clock, type Polling, pollRepeatedly } from '@core/runtime';
import type { EventAudience, LimitStore, PartnerStore, Store } from '@core/store';
import { socketLimits, socketProtocol } from '@core/wire';
import type { Logger } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import type { CallerDirectory } from '../auth/callerDirectory.ts';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import type { Overload } from '../http/overload.ts';
import type { OnPoison } from '../http/soundOnes.ts';
import type { MarketBoard } from '../markets/marketBoard.ts';
import type { MarketDirectory } from '../markets/marketDirectory.ts';
import { positionObserver } from '../positions/observePositions.ts';
import type { ProcessLimits } from '../processLimits.ts';
import { ClientMessages } from './clientMessages.ts';
import { Connection } from './connection.ts';
import { ConnectionCount } from './connectionCount.ts';
import { Connections } from './connections.ts';
import { EventDispatch } from './eventDispatch.ts';
import { EventFeed } from './eventFeed.ts';
import { FollowedPrices } from './followedPrices.ts';
import { Handshakes } from './handshakes.ts';
import { SampleRuns } from './sampleRuns.ts';
import { SocketCount } from './socketCount.ts';
import { StreamJoins } from './streamJoins.ts';
import { sweep } from './sweep.ts';
import { Turnstile } from './turnstile.ts';
import {
  type AdmittedRequest,
  admit,
  failedRequestOf,
  type RefusedRequest,
  refuse,
  throttled,
  type UpgradeOptions,
} from './upgrade.ts';

/** Metrics of the sockets. */
export interface SocketObserver {
  opened(gateway: string): void;
  closed(gateway: string, code: number): void;
  sent(count: number): void;
}

export interface SocketOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly callers: CallerDirectory;
  readonly partners: Pick<PartnerStore, 'byId'>;
  readonly markets: MarketDirectory;
  readonly board: MarketBoard;
  /** Says which books are too old to be shown. */
  readonly config: PolicyConfig;
  readonly idNamespace: string;
  readonly allowedOrigins: readonly string[];
  readonly addressOf: (request: IncomingMessage) => string;
  /** Origin under which clients know the service. */
  readonly publicOrigin: () => string;
  readonly observer: SocketObserver;
  readonly logger: Logger;
  /** The report of an event, of a position of a snapshot, or of followed prices, that cannot be presented. */
  readonly onPoison: (kind: 'event' | 'position' | 'market') => OnPoison;
  readonly limits: LimitStore;
  readonly processLimits: Pick<ProcessLimits, 'sockets' | 'socketsPerAddress'>;
  /** A handshake takes a place among the requests handled at once until it is decided about. */
  readonly overload: Pick<Overload, 'refusalOf' | 'enter'>;
  /** Counter of handshakes per wallet and partner; the default one when absent. */
  readonly handshakes?: Pick<Handshakes, 'take'>;
}

/** Connections that may read the past at one time: the database has requests to answer, too. */
const joinsAtOnce = 4;
/** Longest queue of joins, some seconds of work. A client behind a longer one should reconnect later. */
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
  readonly #sockets: SocketCount;
  readonly #feed: EventFeed;
  readonly #dispatch: EventDispatch;
  readonly #samples: SampleRuns;
  readonly #joins: StreamJoins;
  readonly #upgrade: UpgradeOptions;
  readonly #prices: FollowedPrices;
  #sweeping: Polling | null = null;
  #sendingPrices: Polling | null = null;
  #isDraining = false;

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#sockets = new SocketCount(options.processLimits);
    const { store, clock, markets, board, partners, idNamespace, observer, logger } = options;
    const failing = (what: string) => (err: unknown) => logger.error({ err, what }, 'events failed');
    this.#dispatch = new EventDispatch({
      connections: this.#connections,
      markets,
      board,
      partners,
      policy: options.config,
      idNamespace,
      onRemoved: (owned, record) => {
        for (const connection of owned) this.#run(connection, this.#joins.startOver(connection, record));
      },
      onSent: (count) => observer.sent(count),
      onFailure: failing('markets'),
      onPoison: options.onPoison('event'),
    });
    this.#feed = new EventFeed({
      outbox: store.outbox,
      onEvent: (record) => this.#dispatch.dispatch(record),
      onFailure: failing('feed'),
      onPoison: options.onPoison('event'),
      onHeldUp: (writer) => logger.warn({ writer }, 'events wait for a running transaction'),
    });
    this.#samples = new SampleRuns({ connections: this.#connections, clock, onFailure: failing('samples') });
    this.#joins = new StreamJoins({
      store,
      feed: this.#feed,
      dispatch: this.#dispatch,
      observe: positionObserver({ positions: store.positions, markets, policy: options.config }),
      turnstile: new Turnstile({ places: joinsAtOnce, maxWaiting: waitingJoins }),
      nowMs: () => clock.nowMs(),
      idNamespace,
      onPoison: options.onPoison('position'),
    });
    this.#prices = new FollowedPrices({ markets, clock, config: options.config, onPoison: options.onPoison('market') });
    this.#upgrade = {
      callers: options.callers,
      limits: options.limits,
      handshakes: options.handshakes ?? new Handshakes(),
      allowedOrigins: new Set(options.allowedOrigins),
      isDraining: () => this.#isDraining,
    };
  }

  /** Follow the events before the first client comes. */
  async start(): Promise<void> {
    const { store, clock, callers, logger } = this.#options;
    await this.#feed.start();
    await this.#samples.start(store.signals);
    this.#sweeping = pollRepeatedly({
      task: () => sweep(this.#connections, { clock, callers, runningMs: performance.now() }),
      intervalMs: sweepIntervalMs,
      onFailure: (err) => logger.warn({ err }, 'keys of connections could not be checked'),
    });
    this.#sendingPrices = pollRepeatedly({
      task: () => this.#prices.send(performance.now()),
      intervalMs: socketLimits.marketWindowMs,
      onFailure: (err) => logger.error({ err, what: 'prices' }, 'events failed'),
    });
  }

  /** Time for which events have been waiting for a running transaction of the database; 0 while none wait. */
  get eventsWaitingMs(): number {
    return this.#feed.waitingMs;
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

  /** Ask every client to reconnect later, at a random time, and close the connections. */
  async close(): Promise<void> {
    this.#isDraining = true;
    await this.#samples.stop();
    await this.#sweeping?.stop();
    await this.#sendingPrices?.stop();
    for (const connection of this.#connections.all()) connection.postpone();
    const endMs = performance.now() + goodbyeMs;
    while (this.#connections.size > 0 && performance.now() < endMs) await delay(10);
    for (const connection of this.#connections.all()) connection.terminate();
    await this.#feed.stop();
    await this.#dispatch.close();
    this.#server.close();
  }

  async #admit(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const address = this.#options.addressOf(request);
    const admitted = await this.#decide(request, address);
    if (admitted.kind === 'refused') {
      refuse(stream, this.#options.publicOrigin(), admitted);
      return;
    }
    const leave = this.#sockets.enter(address);
    stream.once('close', leave);
    // The client may have gone while its credential was verified.
    if (stream.closed) leave();
    this.#server.handleUpgrade(request, stream, head, (socket) => this.#open(admitted, socket, stream));
  }

  async #decide(request: IncomingMessage, address: string): Promise<AdmittedRequest | RefusedRequest> {
    const { overload } = this.#options;
    const bound = overload.refusalOf(address) ?? this.#sockets.refusalOf(address);
    if (bound !== null) return throttled(bound);
    const place = overload.enter(address);
    try {
      const admitted = await admit(this.#upgrade, request, address);
      // Others may have been let in meanwhile.
      const late = this.#sockets.refusalOf(address);
      return admitted.kind === 'admitted' && late !== null ? throttled(late) : admitted;
    } finally {
      place.leave();
    }
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
    const messages = new ClientMessages(connection, { callers, prices: this.#prices });
    socket.on('message', (data, isBinary) => this.#run(connection, messages.receive(data, isBinary)));
    socket.on('pong', () => messages.hear());
    socket.on('ping', () => messages.hearPing());
    // A malformed or oversized frame: the library has closed the connection with its code.
    socket.on('error', () => undefined);
    observer.opened(gateway);
    const isWithinLimit = this.#count.add(caller);
    socket.on('close', (code) => {
      this.#connections.delete(connection);
      this.#prices.forget(connection);
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

  /** Run work of one connection. A failure closes that connection alone; its client reconnects and resumes. */
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

import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, type Polling, pollRepeatedly } from '@core/runtime';
import type { EventAudience, LimitStore, Store } from '@core/store';
import { isoTimeOf, socketLimits, socketProtocol } from '@core/wire';
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
import { type JoinOptions, joinStream, lastEventIdOf, resync } from './joinStream.ts';
import { SampleRuns } from './sampleRuns.ts';
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
  readonly markets: MarketDirectory;
  readonly board: MarketBoard;
  readonly idNamespace: string;
  readonly allowedOrigins: readonly string[];
  readonly addressOf: (request: IncomingMessage) => string;
  /** Origin under which clients know the service. */
  readonly publicOrigin: () => string;
  readonly observer: SocketObserver;
  readonly logger: Logger;
}

/** Connections that may read the past at one time: the database has requests to answer, too. */
const joinsAtOnce = 4;
const sweepIntervalMs = 1_000;
/** Clients come back spread over this time, so that the next process is not met by all of them at once. */
const retryAfterMs = { minimum: 250, maximum: 5_000 };
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
  readonly #join: JoinOptions;
  readonly #upgrade: UpgradeOptions;
  #sweeping: Polling | null = null;
  #isDraining = false;

  constructor(options: SocketOptions) {
    this.#options = options;
    const { store, clock, markets, board, idNamespace, observer, logger } = options;
    const failing = (what: string) => (err: unknown) => logger.error({ err, what }, 'events failed');
    this.#dispatch = new EventDispatch({
      connections: this.#connections,
      markets,
      board,
      idNamespace,
      onRemoved: (gone) => {
        for (const connection of gone) this.#run(connection, resync(this.#join, connection, 'chain_reorganised'));
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
    this.#join = {
      store,
      feed: this.#feed,
      dispatch: this.#dispatch,
      observe: positionObserver({ positions: store.positions, markets }),
      turnstile: new Turnstile(joinsAtOnce),
      nowMs: () => clock.nowMs(),
      idNamespace,
    };
    this.#upgrade = {
      callers: options.callers,
      limits: options.limits,
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
    for (const connection of this.#connections.all()) {
      const { minimum, maximum } = retryAfterMs;
      const retry_after_ms = Math.round(minimum + Math.random() * (maximum - minimum));
      connection.sendFrame({ frame: 'restarting', retry_after_ms });
      connection.close('restart');
    }
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
        expiresAtMs: caller.kind === 'user' ? caller.token.expiresAtMs : null,
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
    this.#run(connection, this.#begin(connection, resumeFrom));
  }

  async #begin(connection: Connection, resumeFrom: string | null): Promise<void> {
    const { expiresAtMs } = connection;
    const isMarkets = connection.audience.kind === 'markets';
    const last = isMarkets ? { last_event_id: await lastEventIdOf(this.#join, connection) } : {};
    connection.sendFrame({
      frame: 'connected',
      connection_id: connection.id,
      expires_at: expiresAtMs === null ? null : isoTimeOf(expiresAtMs),
      ...last,
    });
    // Known to the stream before the past is read: what happens meanwhile waits for it.
    this.#connections.add(connection);
    await joinStream(this.#join, connection, resumeFrom);
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

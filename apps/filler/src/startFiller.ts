import { Fault } from '@core/errors';
import type { FillTerms } from '@core/policy';
import { raw, type UsdcUnits } from '@core/pricing';
import {
  awaitEnds,
  type ChainNodes,
  connectChain,
  createLogger,
  defaultMaxHeadAgeMs,
  type FileOperations,
  type Finality,
  healthOf,
  type Listening,
  type Logger,
  loopbackAddress,
  type NodeHealth,
  openClock,
  pollRepeatedly,
  presentNodes,
  randomHex,
  startOperationsServer,
} from '@core/runtime';
import type { VenueDomain } from '@core/vault';
import { isVenueFault } from '@core/venue';
import type { Address } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { Bookkeeper } from './accounts/bookkeeper.ts';
import { type Failpoint, failpointNamed } from './chain/failpoint.ts';
import { contractsOf, FillerAccount, type FillerContracts, type NamedContracts } from './chain/fillerAccount.ts';
import { TransactionSender } from './chain/transactionSender.ts';
import { VaultGrants } from './chain/vaultGrants.ts';
import { Filler } from './filling/filler.ts';
import { Float } from './filling/float.ts';
import { createFillerMetrics, type FillerMetrics } from './http/fillerMetrics.ts';
import { Journal } from './journal/journal.ts';
import { watchJournal } from './journal/watchJournal.ts';
import { MarketBooks } from './venue/marketBooks.ts';
import { openMaker, ownersOf, type WalletTerms } from './venue/openMaker.ts';
import { type FillerVenue, openVenue } from './venue/openVenue.ts';
import type { OrderDomains, OrderMaker } from './venue/orderMaker.ts';
import { VenueTrader } from './venue/venueTrader.ts';

export interface FillerConfig extends FillerVenue, ChainNodes {
  readonly chainId: number;
  readonly contracts: NamedContracts;
  /** Rule for final blocks; every block when absent. */
  readonly finality?: Finality;
  /** EIP-712 name and version of the exchange. */
  readonly venueDomain: Pick<VenueDomain, 'name' | 'version'>;
  /** The same of the exchange of markets of the PositionManager; those are left alone when it is absent. */
  readonly managedDomain?: Pick<VenueDomain, 'name' | 'version'>;
  /** Account name at the venue; `filler` when absent. */
  readonly venueOwner?: string;
  /** Terms of deposit wallets, at a venue that takes orders of them alone; absent elsewhere. */
  readonly wallet?: WalletTerms;
  readonly journalFile: string;
  /** Operations on that file; those of the system when absent. */
  readonly files?: FileOperations;
  readonly terms: FillTerms;
  /** Bound of all that fills and unsold tokens bind together. */
  readonly floatUsdcUnits: UsdcUnits;
  readonly maxFeePerGasWei: bigint;
  /** Oldest last block of a chain that moves, on the service clock; 20 s by default. */
  readonly maxHeadAgeMs?: number;
  /** Pause between two comparisons of the accounts with the chain. */
  readonly bookMs: number;
  /** Origin of the simulator whose clock is followed; the system clock when absent. */
  readonly clockUrl?: string;
  /** Port of metrics and health; 0 takes a free one. */
  readonly metricsPort?: number;
  /** Interface of metrics and health; loopback when absent. */
  readonly metricsHost?: string;
  readonly failpoint?: Failpoint;
  readonly logger?: Logger;
}

/** Running filler. */
export interface RunningFiller {
  readonly address: Address;
  readonly metricsUrl: string;
  close(): Promise<void>;
}

const requestTimeoutMs = 5_000;
/** A position, the longest value that is read, has 700 bytes. */
const readsOfCall = 20;
const roundMs = 250;
const sellMs = 1_000;
/** Time for running tasks to end at the end of the process. */
const stopLimitMs = 15_000;
/** Time for fills in progress to end after that. */
const fillsStopMs = 8_000;
/** Oldest successful round of a filler that is ready. */
const maxSilenceMs = 15_000;

/** File that stops new fills while it exists, beside the journal. */
export const stopFileOf = (journalFile: string): string => `${journalFile}.stop`;

/**
 * Start the filler. Killed at any moment and started again, it resumes from its journal and the chain.
 *
 * @throws Fault when the chain does not answer or has another id.
 * @throws FriendlyError when the journal belongs to another account or cannot be read.
 */
export async function startFiller(config: FillerConfig): Promise<RunningFiller> {
  const logger = config.logger ?? createLogger({ name: 'filler', level: 'silent' });
  const { rpcUrl, fallbackRpcUrls = [], chainId, privateKey } = config;
  const health = healthOf(config);
  const reading = { rpcUrl, fallbackRpcUrls, health, timeoutMs: requestTimeoutMs };
  const client = await connectChain({ ...reading, chainId, isBatched: true, readsOfCall });
  const contracts = await contractsOf(client, config.contracts);
  const clock = await openClock(config.clockUrl ?? null);
  const signer = privateKeyToAccount(privateKey);
  const journal = new Journal(config.journalFile, logger, config.files);
  const account = new FillerAccount(client, contracts, ownersOf(signer.address, config.wallet));
  const grants = new VaultGrants(client, contracts.vault);
  await beginAccounts({ journal, account, grants, chainId, vault: contracts.vault, owner: signer.address });
  const failpoint = config.failpoint ?? failpointNamed(null);
  const metrics = createFillerMetrics(health);
  const venue = openVenue(config, clock);
  const sender = new TransactionSender({ client, account: signer, failpoint, journal, ...config });
  const domains = domainsOf(config, contracts);
  const own = { client, contracts, privateKey, chainId, signer, account, sender, venue, journal };
  const maker = await openMaker({ ...own, domains, wallet: config.wallet, nowMs: () => clock.nowMs() });
  const trader = new VenueTrader({
    venue,
    maker,
    domains,
    owner: config.venueOwner ?? 'filler',
    journal,
    clock,
    failpoint,
    salt: () => BigInt(`0x${randomHex(6)}`),
  });
  await Promise.all([sender.resume(), trader.resume()]);
  await account.approve(sender);
  const float = new Float(config.floatUsdcUnits);
  const books = new MarketBooks(venue, domains.managed !== null);
  const parts = { grants, account, sender, trader, books, journal, float, clock };
  const filler = new Filler(
    { ...parts, terms: config.terms, logger, metrics },
    { stopFile: stopFileOf(config.journalFile), maxHeadAgeMs: config.maxHeadAgeMs ?? defaultMaxHeadAgeMs },
  );
  await filler.observeHead();
  const bookkeeper = new Bookkeeper({
    source: { client, contracts, owners: account.owners },
    account,
    journal,
    finality: config.finality ?? 0n,
    logger,
    onCompared: (difference) => metrics.difference.set(Number(difference)),
  });
  const tasks = startTasks({ config, filler, maker, bookkeeper, grants, account, journal, float, logger, metrics });
  const server = await startServer({ config, filler, journal, metrics, health, lastRoundMs: tasks.lastRoundMs });
  logger.info({ url: server.url, address: signer.address }, 'filler ready');
  return {
    address: signer.address,
    metricsUrl: server.url,
    close: async () => {
      await tasks.stop();
      await awaitEnds([['fills', filler.finish()]], fillsStopMs);
      await server.close();
      journal.close();
      clock.close();
    },
  };
}

/** Return the exchanges that orders are signed for. */
function domainsOf(
  { venueDomain, managedDomain, chainId }: FillerConfig,
  { exchange, managedExchange }: FillerContracts,
): OrderDomains {
  const managed =
    managedDomain === undefined || managedExchange === null
      ? null
      : { ...managedDomain, chainId, exchange: managedExchange };
  return { conditional: { ...venueDomain, chainId, exchange }, managed };
}

/** Record the balance at which the accounts of a new journal begin. */
function beginAccounts({
  journal,
  account,
  grants,
  chainId,
  vault,
  owner,
}: {
  readonly journal: Journal;
  readonly account: FillerAccount;
  readonly grants: VaultGrants;
  readonly chainId: number;
  readonly vault: Address;
  readonly owner: Address;
}): Promise<void> {
  return journal.begin({ chainId, vault, account: owner }, async () => {
    const { blockNumber } = await grants.head();
    const usdc = raw(await account.usdcUnits(blockNumber));
    return { kind: 'opened', chainId, vault, account: owner, blockNumber, usdcUnits: usdc };
  });
}

interface Tasks {
  lastRoundMs(): number;
  stop(): Promise<void>;
}

/** Run rounds, sales and bookings, each at its own interval. */
function startTasks({
  config: { bookMs },
  filler,
  maker,
  bookkeeper,
  grants,
  account,
  journal,
  float,
  logger,
  metrics,
}: {
  readonly config: Pick<FillerConfig, 'bookMs'>;
  readonly filler: Filler;
  readonly maker: OrderMaker;
  readonly bookkeeper: Bookkeeper;
  readonly grants: VaultGrants;
  readonly account: FillerAccount;
  readonly journal: Journal;
  readonly float: Float;
  readonly logger: Logger;
  readonly metrics: FillerMetrics;
}): Tasks {
  let lastRoundMs = performance.now();
  const isWritable = watchJournal(journal, logger, metrics);
  const repeat = (name: string, intervalMs: number, task: () => Promise<void>) =>
    pollRepeatedly({
      task,
      intervalMs,
      onFailure: (cause) => {
        if (!(cause instanceof Fault) && !isVenueFault(cause)) throw cause;
        metrics.failures.inc({ task: name });
        logger.warn({ err: cause, task: name }, 'task failed');
      },
    });
  const rounds = repeat('round', roundMs, async () => {
    // Nothing new begins that could not be written: every fill needs a line before each of its effects.
    await (isWritable() ? filler.round() : filler.observeHead());
    lastRoundMs = performance.now();
  });
  const sales = repeat('sell', sellMs, async () => {
    if (journal.problem !== null) return;
    const results = await Promise.allSettled([maker.takeLeft(), filler.sellHeld()]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  });
  const bookings = repeat('book', bookMs, async () => {
    const { blockNumber } = await grants.head();
    await bookkeeper.book(blockNumber);
    metrics.usdc.set(Number(raw(await account.usdcUnits())));
    metrics.unsold.set(Number(raw(float.unsoldUsdcUnits)));
    metrics.unfinished.set({ kind: 'transaction' }, journal.state.calls.size);
    metrics.unfinished.set({ kind: 'order' }, journal.state.orders.size);
  });
  return {
    lastRoundMs: () => lastRoundMs,
    stop: async () => {
      const running = Object.entries({ round: rounds, sell: sales, book: bookings });
      await awaitEnds(
        running.map(([name, task]) => [name, task.stop()]),
        stopLimitMs,
      );
    },
  };
}

function startServer({
  config,
  filler,
  journal,
  metrics,
  health,
  lastRoundMs,
}: {
  readonly config: FillerConfig;
  readonly filler: Filler;
  readonly journal: Journal;
  readonly metrics: FillerMetrics;
  readonly health: NodeHealth;
  readonly lastRoundMs: () => number;
}): Promise<Listening> {
  const readiness = () => {
    const silenceMs = Math.round(performance.now() - lastRoundMs());
    const { headAgeMs, isCurrent } = filler.head;
    const { problem } = journal;
    const isReady = silenceMs <= maxSilenceMs && isCurrent && problem === null;
    const own = { nodes: presentNodes(health), is_stopped: filler.isStopped, journal: problem };
    return { isReady, detail: { silence_ms: silenceMs, head_age_ms: headAgeMs, ...own } };
  };
  const { metricsPort: port = 0, metricsHost: host = loopbackAddress } = config;
  return startOperationsServer({ registry: metrics.registry, readiness }, { port, host });
}

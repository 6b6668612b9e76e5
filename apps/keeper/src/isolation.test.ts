import type { VenueMarket } from '@core/market';
import { sampleVenueMarket } from '@core/market/testing';
import { policyDefaults } from '@core/policy';
import { systemClock } from '@core/runtime';
import type { DueMarket, Lease, Store, StoreTransaction } from '@core/store';
import { type PoisonedItems, poisonKinds, servedBeside } from '@core/testkit';
import pino from 'pino';
import type { PublicClient } from 'viem';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { announceUnresolvedTask } from './markets/announceUnresolved.ts';
import { listOwedMarketsTask } from './markets/listOwedMarkets.ts';
import { readPayoutsTask } from './markets/readPayouts.ts';
import { registerOutcomesTask } from './markets/registerOutcomes.ts';
import { settleMarketsTask } from './markets/settleMarkets.ts';
import { syncCatalogueTask } from './markets/syncCatalogue.ts';
import { createKeeperMetrics, type KeeperMetrics } from './runner/keeperMetrics.ts';
import type { Task } from './runner/task.ts';
import { PriceSigners } from './signers/priceSigners.ts';
import { probePriceSignersTask } from './signers/probePriceSigners.ts';
import { followTransactionsTask } from './transactions/followTransactions.ts';
import type { Intents } from './transactions/intents.ts';
import { retireOrdersTask } from './transactions/retireOrders.ts';
import type { TransactionSender } from './transactions/transactionSender.ts';
import { releaseReservationsTask } from './upkeep/releaseReservations.ts';
import { removeExpiredTask } from './upkeep/removeExpired.ts';

/** The law of isolation, held to every loop of the keeper that serves items of users, markets, orders or signers. */

const lease = { fenceToken: 1n, signal: new AbortController().signal } as Lease;
const logger = pino({ level: 'silent' });
const clock = systemClock;
/** Eighty seconds: several pauses of an item that keeps failing. */
const roundCount = 80;

interface Loop {
  readonly keys: readonly string[];
  /** An answer that no item gives; undefined where the loop reads nothing of an answer. */
  readonly rubbish?: unknown;
  readonly taskOf: (items: PoisonedItems, metrics: KeeperMetrics) => Task;
}

const numbered = (prefix: string, count = 12): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const hashes: readonly string[] = numbered('', 12).map((text) => `0x${text.padStart(64, '0')}`);
const dueMarket = (id: string): DueMarket =>
  ({ id, status: 'closed', venueMarketId: id, yesTokenId: '1', noTokenId: '2' }) as DueMarket;

const retireOrders: Loop = {
  keys: numbered('order'),
  taskOf: (items, metrics) => {
    const posted = items.keys.map((id) => ({ id, plan: { kind: 'order' }, createdAtMs: 0 }));
    const intents = { inStates: () => Promise.resolve(posted) } as object as Intents;
    const orders = { retire: ({ id }: { id: string }) => items.serve(id, () => undefined) };
    return retireOrdersTask({ intents, orders, clock, logger, metrics });
  },
};

const removeExpired: Loop = {
  keys: ['drafts', 'idempotency', 'limits', 'quotes', 'usage', 'intents', 'outbox', 'exits', 'chain'],
  taskOf: (items, metrics) => {
    const remove = (table: string) => () => items.serve(table, () => 0);
    const store = {
      drafts: { removeExpired: remove('drafts') },
      idempotency: { removeExpired: remove('idempotency') },
      limits: { removeExpired: remove('limits') },
      quotes: { removeReleased: remove('quotes') },
      usage: { removeEmpty: remove('usage') },
      intents: { removeEnded: remove('intents') },
      outbox: { removeOlderThan: remove('outbox') },
      exits: { removeOlderThan: remove('exits') },
      chain: { cursor: () => items.serve('chain', () => null) },
    } as object as Store;
    return removeExpiredTask({ store, chainKey: 'chain', exitWindowMs: 1, clock, logger, metrics });
  },
};

const releaseReservations: Loop = {
  keys: numbered('reservation'),
  taskOf: (items, metrics) => {
    const usage = {
      dueReservations: ({ except }: { readonly except: readonly string[] }) =>
        Promise.resolve(items.keys.filter((key) => !except.includes(key))),
      releaseReservation: (positionKey: string) => items.serve(positionKey, () => true),
    };
    return releaseReservationsTask({ usage, clock, logger, metrics });
  },
};

const announceUnresolved: Loop = {
  keys: numbered('mkt_'),
  taskOf: (items, metrics) => {
    const markets = {
      unannounced: ({ except }: { readonly except: readonly string[] }) =>
        Promise.resolve(items.keys.filter((key) => !except.includes(key))),
      announceUnresolved: (id: string) => items.serve(id, () => true),
    };
    return announceUnresolvedTask({ markets, clock, logger, metrics });
  },
};

/** The chain answers each market's reads as the items have it. */
function chainOf(items: PoisonedItems, answers: Readonly<Record<string, unknown>>, counted: string): PublicClient {
  const readContract = ({ functionName, args }: { functionName: string; args: readonly [string] }) =>
    functionName === counted
      ? items.serve(args[0], () => answers[functionName])
      : Promise.resolve(answers[functionName]);
  return { getBlockNumber: () => Promise.resolve(100n), readContract } as object as PublicClient;
}

const readPayouts: Loop = {
  keys: hashes,
  rubbish: 'rubbish',
  taskOf: (items, metrics) => {
    const unresolved = ({ except }: { readonly except: readonly { readonly id: string }[] }) =>
      Promise.resolve(items.keys.filter((key) => !except.some(({ id }) => id === key)).map(dueMarket));
    const markets = {
      unresolved,
      recordPayouts: () => Promise.resolve(true),
      moveStatus: () => Promise.resolve('moved'),
    };
    const store = {
      markets,
      transaction: (work: (unit: StoreTransaction) => Promise<unknown>) =>
        work({ markets } as object as StoreTransaction),
    } as object as Store;
    const client = chainOf(items, { payoutDenominator: 1n, payoutNumerators: 1n }, 'payoutDenominator');
    const at = { client, contracts: { conditionalTokens: '0x1', positionManager: null }, finality: 0n } as const;
    return readPayoutsTask({ ...at, store, clock, logger, metrics });
  },
};

/** Every market's batch of positions is settled, whatever one market does. */
const settleMarkets: Loop = {
  keys: numbered('mkt_'),
  taskOf: (items, metrics) => {
    const settledKeys = new Set<string>();
    const settling = ({ except }: { readonly except: readonly string[] }) => {
      const remaining = items.keys.filter((key) => !settledKeys.has(key) && !except.includes(key));
      return Promise.resolve(remaining.map((id) => ({ id, ticker: id, settledAfter: null })));
    };
    const moveSettling = (id: string) => items.serve(id, () => settledKeys.add(id));
    const store = {
      markets: { settling },
      positions: { activeAfter: () => Promise.resolve([]) },
      transaction: (work: (unit: StoreTransaction) => Promise<unknown>) =>
        work({ markets: { moveSettling } } as object as StoreTransaction),
    } as object as Store;
    return settleMarketsTask({ store, project: () => Promise.resolve([]), clock, logger, metrics });
  },
};

const registerOutcomes: Loop = {
  keys: hashes,
  rubbish: 'rubbish',
  taskOf: (items, metrics) => {
    const markets = {
      unregistered: ({ except }: { readonly except: readonly string[] }) =>
        Promise.resolve(
          items.keys
            .filter((key) => !except.includes(key))
            .map((id) => ({ ...dueMarket(id), yesTokenId: '1', noTokenId: '2', oracleAddress: '0x1', questionId: id })),
        ),
      recordOutcomes: () => Promise.resolve(),
    } as object as Store['markets'];
    const client = chainOf(items, { getOutcomeSlotCount: 2n, outcomeIdOf: 1 }, 'getOutcomeSlotCount');
    const contracts = { vault: '0x1', conditionalTokens: '0x2' } as const;
    const unused = { intents: {} as Intents, sender: {} as TransactionSender };
    return registerOutcomesTask({ client, contracts, markets, ...unused, clock, logger, metrics });
  },
};

const followTransactions: Loop = {
  keys: numbered('0x'),
  rubbish: {},
  taskOf: (items, metrics) => {
    const included = items.keys.map((id) => ({ id, state: 'included', transactionHash: id, blockNumber: 1n }));
    const intents = { followed: () => Promise.resolve(included), change: () => Promise.resolve(true) } as object;
    const client = {
      getBlockNumber: () => Promise.resolve(10n),
      getTransactionReceipt: ({ hash }: { hash: string }) => items.serve(hash, () => ({ blockNumber: 99n })),
    } as object as PublicClient;
    const index = { chain: { cursor: () => Promise.resolve(null) }, chainKey: 'chain' };
    const at = { intents: intents as Intents, client, index, finality: 0n } as const;
    return followTransactionsTask({ ...at, clock, logger, metrics });
  },
};

const listed = (id: string): VenueMarket =>
  sampleVenueMarket(id, 0, {
    conditionId: id as `0x${string}`,
    questionId: id as `0x${string}`,
    tokenIds: { yes: `${id}1`, no: `${id}2` },
    isNegRisk: true,
    category: 'unsupported',
    cryptoAsset: null,
    cryptoCadence: null,
    event: null,
    series: null,
    closeTimeMs: null,
    venueFeeSchedule: null,
  });

/** The database never waits for a row for longer. */
function lockTimeout(): Promise<never> {
  const error = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
  return new Promise((_resolve, reject) => setTimeout(() => reject(error), 5_000));
}

/** A page of the catalogue: the database refuses a row, and with it the transaction that it is in. */
const syncCatalogue: Loop = {
  keys: numbered('market-'),
  taskOf: (items, metrics) => {
    const written = new Set<string>();
    const markets = {
      unfinalized: () => Promise.resolve({ records: [], version: 0n }),
      changedSince: () => Promise.resolve([]),
      sync: async (rows: readonly { readonly ticker: string }[]) => {
        const tickers = rows.map(({ ticker }) => ticker);
        if (tickers.includes(items.poisonKey))
          await Promise.race([items.serve(items.poisonKey, () => 0), lockTimeout()]);
        for (const ticker of tickers.filter((other) => other !== items.poisonKey && !written.has(other))) {
          await items.serve(ticker, () => written.add(ticker));
        }
        return { discovered: [], updated: [] };
      },
    } as object as Store['markets'];
    const venue = {
      cataloguePage: () => Promise.resolve({ markets: items.keys.map(listed), unreadable: [], nextCursor: null }),
    };
    const rules = { collateralToken: '0x1', oracles: [], oracleAggregator: null, policy: policyDefaults } as const;
    return syncCatalogueTask({ venue, markets, rules, clock, logger, metrics });
  },
};

const listOwedMarkets: Loop = {
  keys: numbered('0x'),
  taskOf: (items, metrics) => {
    const unlisted = ({ exceptVenueMarketIds }: { readonly exceptVenueMarketIds: readonly string[] }) =>
      Promise.resolve(
        items.keys
          .filter((key) => !exceptVenueMarketIds.includes(key))
          .map((venueMarketId) => ({ venueMarketId, positionKey: venueMarketId })),
      );
    const store = {
      positions: { unlisted },
      markets: { byVenueMarketId: (id: string) => items.serve(id, () => ({ id })) },
      transaction: () => Promise.resolve(),
    } as object as Store;
    const venue = { cataloguePage: () => Promise.resolve({ markets: [], unreadable: [], nextCursor: null }) };
    const rules = { collateralToken: '0x1', oracles: [], oracleAggregator: null, policy: policyDefaults } as const;
    const at = { venue, store, project: () => Promise.resolve([]), chainKey: 'chain', rules };
    return listOwedMarketsTask({ ...at, clock, logger, metrics });
  },
};

const probePriceSigners: Loop = {
  keys: numbered('signer', 5),
  taskOf: (items, metrics) => {
    const sources = items.keys.map((name) => ({
      name,
      source: { readyAddress: () => items.serve(name, () => '0x1' as const) } as never,
    }));
    const client = { readContract: () => Promise.resolve(1n) } as object as PublicClient;
    const role = { keeper: '0x2', isHeld: true } as const;
    const at = { signers: new PriceSigners(sources), client, vault: '0x1', role } as const;
    return probePriceSignersTask({ ...at, logger, metrics });
  },
};

const loops: Readonly<Record<string, Loop>> = {
  retireOrders,
  removeExpired,
  releaseReservations,
  announceUnresolved,
  readPayouts,
  settleMarkets,
  registerOutcomes,
  syncCatalogue,
  listOwedMarkets,
  probePriceSigners,
  followTransactions,
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Rounds one after the other, as the loop of tasks runs them; returns how many failed. */
async function roundsOf(task: Task): Promise<number> {
  let failedCount = 0;
  for (let round = 0; round < roundCount; round += 1) {
    const outcome = { isOver: false };
    void task
      .run(lease)
      .catch(() => (failedCount += 1))
      .finally(() => (outcome.isOver = true));
    while (!outcome.isOver) await vi.advanceTimersByTimeAsync(1_000);
  }
  return failedCount;
}

async function failingOf(metrics: KeeperMetrics): Promise<number> {
  return (await metrics.failingItems.get()).values.reduce((sum, { value }) => sum + value, 0);
}

describe.each(Object.entries(loops))('%s', (_name, { keys, rubbish, taskOf }) => {
  test.each(poisonKinds)('one of its items %s → no round fails, and the others are served as often', async (kind) => {
    const failed: number[] = [];
    const failing: number[] = [];
    const { usual, beside } = await servedBeside({ keys, kind, rubbish }, async (items) => {
      const metrics = createKeeperMetrics();
      failed.push(await roundsOf(taskOf(items, metrics)));
      failing.push(await failingOf(metrics));
    });
    expect(failed).toEqual([0, 0]);
    expect(beside).toEqual(usual);
    expect(Math.min(...Object.values(usual))).toBeGreaterThan(0);
    const isLasting = kind === 'throws_always' || kind === 'hangs';
    expect(failing[1]).toBe(isLasting ? 1 : failing[1]);
  });
});

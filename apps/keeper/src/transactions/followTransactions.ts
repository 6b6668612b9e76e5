import { type Clock, type Finality, finalBlockOf } from '@core/runtime';
import type { ChainStore } from '@core/store';
import type { Logger } from 'pino';
import type { Hex, PublicClient } from 'viem';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';
import { chainFault } from './chainFault.ts';
import type { Intent, Intents } from './intents.ts';
import { receiptOf } from './receipts.ts';

/** Receipts read concurrently: the chain client sends those of one moment in one request. */
const receiptsAtOnce = 100;

/** Pauses of a transaction whose receipt cannot be read: first below the interval of the task. */
const retries = { firstMs: 100, longestMs: 60_000 };

export interface FollowOptions {
  readonly intents: Pick<Intents, 'followed' | 'change' | 'transactions'>;
  readonly client: PublicClient;
  /** Last indexed block. */
  readonly index: { readonly chain: Pick<ChainStore, 'cursor'>; readonly chainKey: string };
  readonly finality: Finality;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'itemFailures' | 'failingItems'>;
}

/** Time for which a receipt may still correct a replaced transaction: its reorganisation is long final by then. */
const correctedForMs = 3_600_000;

/**
 * Follow included transactions, of every keeper, until they are final, and replaced ones while a receipt may still
 * correct them, each by itself.
 */
export function followTransactionsTask(options: FollowOptions): Task {
  const { intents, client, index, finality, logger, metrics } = options;
  const isolation = { pauses: retries, atOnce: receiptsAtOnce, logger, metrics };
  const following = new IsolatedItems({ name: 'followTransactions', ...isolation });
  return {
    name: 'followTransactions',
    lock: locks.index,
    intervalMs: 1_000,
    async run() {
      const followed = await intents.followed(options.clock.nowMs() - correctedForMs);
      if (followed.length === 0) return;
      const head = await client.getBlockNumber().catch((cause: unknown) => {
        throw chainFault('the head cannot be read', cause);
      });
      const cursor = await index.chain.cursor(index.chainKey);
      const indexedNumber = cursor?.blockNumber ?? -1n;
      const numbers = {
        finalizedNumber: (await finalBlockOf(client, { finality, head })) ?? cursor?.finalizedNumber ?? -1n,
        indexedNumber: indexedNumber < head ? indexedNumber : head,
      };
      await following.serve(
        followed,
        ({ id }) => id,
        (intent) => (intent.state === 'replaced' ? correct(options, intent) : follow(options, intent, numbers)),
      );
    },
  };
}

interface ChainNumbers {
  readonly finalizedNumber: bigint;
  readonly indexedNumber: bigint;
}

/**
 * Follow one intent. A node that does not answer, is behind the block, or has the block without its receipts yet,
 * proves nothing: the intent stays unchanged.
 */
async function follow(
  { intents, client, clock }: FollowOptions,
  { id, transactionHash, blockNumber }: Intent,
  chain: ChainNumbers,
): Promise<true> {
  const hash = transactionHash ?? '0x';
  const receipt = await receiptOf(client, hash);
  const change = { id, from: ['included'], nowMs: clock.nowMs() } as const;
  if (receipt === null) {
    // Missing although its block's height is indexed: the same bytes are sent again, on the same nonce.
    const isDue = (blockNumber ?? 0n) <= chain.indexedNumber;
    if (isDue && !(await isInBlock(client, { hash, blockNumber: blockNumber ?? 0n }))) {
      await intents.change({ ...change, to: 'reorged' });
    }
  } else if (receipt.blockNumber <= chain.finalizedNumber) {
    await intents.change({ ...change, to: 'final', blockNumber: receipt.blockNumber });
  }
  return true;
}

async function isInBlock(
  client: PublicClient,
  { hash, blockNumber }: { readonly hash: Hex; readonly blockNumber: bigint },
): Promise<boolean> {
  const { transactions } = await client.getBlock({ blockNumber }).catch((cause: unknown) => {
    throw chainFault(`block ${blockNumber} cannot be read`, cause);
  });
  return transactions.includes(hash);
}

/** Record the receipt of a transaction that counted as replaced. Return false while there is none. */
async function correct({ intents, client, clock }: FollowOptions, { id }: Intent): Promise<boolean> {
  for (const { hash } of await intents.transactions(id)) {
    const receipt = await receiptOf(client, hash);
    if (receipt !== null) {
      const { transactionHash, blockNumber, status } = receipt;
      const to = status === 'success' ? 'included' : 'reverted';
      await intents.change({ id, from: ['replaced'], to, nowMs: clock.nowMs(), transactionHash, blockNumber });
      return true;
    }
  }
  return false;
}

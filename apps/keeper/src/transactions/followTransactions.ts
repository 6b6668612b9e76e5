import { type Clock, type Finality, finalBlockOf } from '@core/runtime';
import type { ChainStore } from '@core/store';
import type { Logger } from 'pino';
import type { PublicClient } from 'viem';
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
  readonly intents: Pick<Intents, 'inStates' | 'change'>;
  readonly client: PublicClient;
  /** Last indexed block. */
  readonly index: { readonly chain: Pick<ChainStore, 'cursor'>; readonly chainKey: string };
  readonly finality: Finality;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'itemFailures' | 'failingItems'>;
}

/** Follow included transactions, of every keeper, until they are final, each by itself. */
export function followTransactionsTask(options: FollowOptions): Task {
  const { intents, client, index, finality, logger, metrics } = options;
  const isolation = { pauses: retries, atOnce: receiptsAtOnce, logger, metrics };
  const following = new IsolatedItems({ name: 'followTransactions', ...isolation });
  return {
    name: 'followTransactions',
    lock: locks.index,
    intervalMs: 1_000,
    async run() {
      const included = await intents.inStates(['included']);
      if (included.length === 0) return;
      const unreadable = (cause: unknown): never => {
        throw chainFault('the head cannot be read', cause);
      };
      const head = await client.getBlockNumber().catch(unreadable);
      const finalizedNumber = await finalBlockOf(client, { finality, head }).catch(unreadable);
      const indexedNumber = (await index.chain.cursor(index.chainKey))?.blockNumber ?? -1n;
      const numbers = {
        finalizedNumber,
        indexedNumber: indexedNumber < head ? indexedNumber : head,
      };
      await following.serve(
        included,
        ({ id }) => id,
        async (intent) => {
          await follow(options, intent, numbers);
          return true;
        },
      );
    },
  };
}

interface ChainNumbers {
  readonly finalizedNumber: bigint;
  readonly indexedNumber: bigint;
}

/**
 * Follow one intent. A node that does not answer, or is behind the block, proves nothing: the intent stays unchanged.
 */
async function follow(
  { intents, client, clock }: FollowOptions,
  { id, transactionHash, blockNumber }: Intent,
  chain: ChainNumbers,
): Promise<void> {
  const receipt = await receiptOf(client, transactionHash ?? '0x');
  const change = { id, from: ['included'], nowMs: clock.nowMs() } as const;
  if (receipt === null) {
    // Missing although its block's height is indexed: the same bytes are sent again, on the same nonce.
    if ((blockNumber ?? 0n) <= chain.indexedNumber) {
      await intents.change({ ...change, to: 'reorged' });
    }
  } else if (receipt.blockNumber <= chain.finalizedNumber) {
    await intents.change({ ...change, to: 'final', blockNumber: receipt.blockNumber });
  }
}

import type { Clock } from '@core/runtime';
import type { ChainStore } from '@core/store';
import type { PublicClient } from 'viem';
import { locks, type Task } from '../runner/task.ts';
import { chainFault } from './chainFault.ts';
import type { Intent, Intents } from './intents.ts';
import { receiptOf } from './receipts.ts';

/** Receipts that are asked for together: the chain client makes one request of them. */
const receiptsAtOnce = 100;

export interface FollowOptions {
  readonly intents: Pick<Intents, 'inStates' | 'change'>;
  readonly client: PublicClient;
  /** Block up to which the index knows the chain. */
  readonly index: { readonly chain: Pick<ChainStore, 'cursor'>; readonly chainKey: string };
  readonly finalityDepth: bigint;
  readonly clock: Clock;
}

/** Follows included transactions, of every keeper, until no reorganisation can take them out again. */
export function followTransactionsTask(options: FollowOptions): Task {
  const { intents, client, index, finalityDepth } = options;
  return {
    name: 'followTransactions',
    lock: locks.index,
    intervalMs: 1_000,
    async run() {
      const included = await intents.inStates(['included']);
      if (included.length === 0) return;
      const head = await client.getBlockNumber().catch((cause: unknown) => {
        throw chainFault('the head cannot be read', cause);
      });
      const indexedNumber = (await index.chain.cursor(index.chainKey))?.blockNumber ?? -1n;
      const numbers = {
        finalizedNumber: head - finalityDepth,
        indexedNumber: indexedNumber < head ? indexedNumber : head,
      };
      for (let from = 0; from < included.length; from += receiptsAtOnce) {
        await followAll(options, included.slice(from, from + receiptsAtOnce), numbers);
      }
    },
  };
}

interface ChainNumbers {
  readonly finalizedNumber: bigint;
  readonly indexedNumber: bigint;
}

/** Their receipts are asked for together; what one of them failed for is known once the others are written down. */
async function followAll(options: FollowOptions, intents: readonly Intent[], numbers: ChainNumbers): Promise<void> {
  const results = await Promise.allSettled(intents.map((intent) => follow(options, intent, numbers)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** A node that does not answer, or has not come as far as the block, proves nothing: the intent stays as it is. */
async function follow(
  { intents, client, clock }: FollowOptions,
  { id, transactionHash, blockNumber }: Intent,
  chain: ChainNumbers,
): Promise<void> {
  const receipt = await receiptOf(client, transactionHash ?? '0x');
  const change = { id, from: ['included'], nowMs: clock.nowMs() } as const;
  if (receipt === null) {
    // Gone although its block's height was indexed: the same bytes are sent again, on the same nonce.
    if ((blockNumber ?? 0n) <= chain.indexedNumber) {
      await intents.change({ ...change, to: 'reorged' });
    }
  } else if (receipt.blockNumber <= chain.finalizedNumber) {
    await intents.change({ ...change, to: 'final', blockNumber: receipt.blockNumber });
  }
}

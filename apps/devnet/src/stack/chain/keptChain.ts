import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@core/runtime';
import { z } from 'zod';
import { type AnvilNode, startAnvil } from './anvilNode.ts';
import { type ChainFolder, type ChainRecord, hexSchema } from './chainFolder.ts';

export interface KeptChainOptions {
  readonly folder: ChainFolder;
  readonly port: number;
  readonly mnemonic: string;
  readonly accountCount: number;
  /** Time of the first block of a new chain, in Unix seconds; not before now. */
  readonly firstSeconds: number;
  readonly logger: Logger;
}

const blockSchema = z.looseObject({
  number: hexSchema,
  hash: hexSchema,
  parentHash: hexSchema,
  timestamp: hexSchema,
  transactions: z.array(hexSchema),
});

/** Transactions by sender and nonce that no block has yet. */
const poolSchema = z.looseObject({
  pending: z.record(z.string(), z.record(z.string(), z.looseObject({ hash: hexSchema }))),
});

/** A call at `latest` sees the time of the last block; without regular blocks fresh data would look future-dated. */
const heartbeatMs = 1_000;
/** Number of blocks that a start repeats at most, besides those of a checkpoint's pause. */
const checkpointBlocks = 300;
/**
 * After a return to a snapshot the node draws other randomness than one that loads the same chain. Blocks mined again
 * then have other hashes, and an index sees a reorganisation of this many blocks.
 */
const revertedCheckpointBlocks = 50;
/** Inverse of the share of time for checkpoints, whose cost grows with the chain. */
const checkpointCostShare = 100;

/** Never settles. */
const never = new Promise<never>(() => undefined);

/**
 * The local chain with its state on disk. The node mines on request only, so that transactions are journalled before
 * and blocks right after mining. Its randomness follows from the chain alone: the same transactions at the same times
 * give the same hashes.
 */
export class KeptChain {
  readonly rpcUrl: string;
  /** Rejects when the node ends by itself or can no longer be followed; the program must then end too. */
  readonly failed: Promise<never>;
  readonly #node: AnvilNode;
  readonly #options: KeptChainOptions;
  readonly #genesisSeconds: number;
  readonly #rounds: Promise<void>;
  readonly #closing = new AbortController();
  /** True when the node accepted a transaction since the last round began. */
  #isAsked = false;
  #wake: () => void = () => undefined;
  /** Milliseconds from one block to the next; 0 mines a transaction at once. */
  #paceMs = 0;
  /** True from a change of the pace until the time of the next block was computed again. */
  #isPaceNew = false;
  #roundsDone = 0;
  #last: { readonly number: number; readonly hash: `0x${string}` };
  #checkpointNumber: number;
  #nextCheckpointMs = 0;
  #checkpointBlocks = checkpointBlocks;

  private constructor(parameters: {
    readonly node: AnvilNode;
    readonly options: KeptChainOptions;
    readonly genesisSeconds: number;
    readonly last: { readonly number: number; readonly hash: `0x${string}` };
    readonly checkpointNumber: number;
  }) {
    this.#node = parameters.node;
    this.#options = parameters.options;
    this.#genesisSeconds = parameters.genesisSeconds;
    this.#last = parameters.last;
    this.#checkpointNumber = parameters.checkpointNumber;
    this.rpcUrl = parameters.node.rpcUrl;
    this.#listen();
    this.#rounds = this.#run();
    this.failed = Promise.race([this.#endOf(parameters.node), this.#rounds.then(() => never)]);
  }

  /** Open the chain of the folder, or begin one. */
  static async open(options: KeptChainOptions): Promise<KeptChain> {
    const { folder, port, mnemonic, accountCount, logger } = options;
    const record = folder.read();
    const genesisSeconds = record?.head.genesisSeconds ?? options.firstSeconds;
    const stateFile = record?.stateFile ?? null;
    const { pidFile } = folder;
    const node = await startAnvil({ port, mnemonic, accountCount, stateFile, genesisSeconds, pidFile });
    const { number } = await latestOf(node);
    const leadSeconds = record?.head.leadSeconds ?? (await leadSecondsOf(node));
    folder.openJournal({ genesisSeconds, leadSeconds });
    if (record !== null) await mineAgain(node, record, logger);
    const last = await latestOf(node);
    if (record !== null) logger.info({ block: last.number, minedAgain: last.number - number }, 'chain resumed');
    return new KeptChain({ node, options, genesisSeconds, last, checkpointNumber: number });
  }

  /** Mine a block every so many seconds from now on, and none between; 0 mines a transaction at once. */
  setPace(seconds: number): void {
    this.#paceMs = seconds * 1_000;
    this.#isPaceNew = true;
    this.#wake();
  }

  /** Resolves when every block mined before the call is journalled. */
  async settled(): Promise<void> {
    const targetRounds = this.#roundsDone + 2;
    while (this.#roundsDone < targetRounds) {
      this.#wake();
      await Promise.race([delay(5), this.failed]);
    }
  }

  /** Write a checkpoint and end the node. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake();
    await this.#rounds;
    await this.#checkpoint();
    this.#options.folder.close();
    await this.#node.stop();
  }

  async #endOf(node: AnvilNode): Promise<never> {
    const how = await node.ended;
    if (this.#closing.signal.aborted) return never;
    throw new Error(`the node ended: ${how}`);
  }

  /** Mine at once when the node accepts a transaction. */
  #listen(): void {
    const socket = new WebSocket(this.rpcUrl.replace('http', 'ws'));
    socket.addEventListener('open', () => {
      const params = ['newPendingTransactions'];
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }));
    });
    socket.addEventListener('message', () => {
      if (this.#paceMs > 0) return;
      this.#isAsked = true;
      this.#wake();
    });
    // After a break the node has ended, or the next heartbeat mines what was missed.
    this.#closing.signal.addEventListener('abort', () => socket.close(), { once: true });
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#isPaceNew = false;
      if (!this.#isAsked) await Promise.race([woken, delay(this.#pauseMs())]);
      // A block mined at the change would be at no step of the new pace.
      if (this.#isPaceNew) continue;
      this.#isAsked = false;
      await this.#round();
      this.#roundsDone += 1;
    }
  }

  /**
   * Time until the next block. At a pace it comes in the middle of a second that the pace divides: the node stamps it
   * with whole seconds, and steps of equal length are steps of equal time.
   */
  #pauseMs(): number {
    return this.#paceMs === 0 ? heartbeatMs : this.#paceMs - ((Date.now() - 500) % this.#paceMs);
  }

  /** Journal accepted transactions, mine them, journal the block. */
  async #round(): Promise<void> {
    const accepted = await rawOf(this.#node, await acceptedBy(this.#node));
    if (accepted.length > 0) this.#options.folder.append({ accepted });
    await this.#node.call('evm_mine');
    if (!(await this.#record(new Set(accepted)))) await this.#followRevert();
    const isDue = this.#last.number - this.#checkpointNumber >= this.#checkpointBlocks;
    if (isDue && Date.now() >= this.#nextCheckpointMs) await this.#checkpoint();
  }

  /**
   * Journal the blocks since the last one. Return false after a return to a snapshot: the journal then describes
   * another chain, or holds an accepted transaction that the chain has dropped.
   */
  async #record(waiting: Set<`0x${string}`>): Promise<boolean> {
    const head = Number(await this.#node.call('eth_blockNumber'));
    // By its number: a block that was being mined during the return still names the dropped one as its parent.
    const last = await this.#blockAt(this.#last.number);
    if (last?.hash !== this.#last.hash) return false;
    const leadSeconds = await leadSecondsOf(this.#node);
    for (let number = this.#last.number + 1; number <= head; number += 1) {
      const block = await this.#blockAt(number);
      if (block?.parentHash !== this.#last.hash) return false;
      const transactions = await rawOf(this.#node, block.transactions);
      for (const transaction of transactions) waiting.delete(transaction);
      const { hash } = block;
      this.#options.folder.append({ number, seconds: Number(block.timestamp), hash, leadSeconds, transactions });
      this.#last = { number, hash };
    }
    if (waiting.size === 0) return true;
    const pending = new Set(await rawOf(this.#node, await acceptedBy(this.#node)));
    return [...waiting].every((transaction) => pending.has(transaction));
  }

  async #blockAt(number: number): Promise<z.infer<typeof blockSchema> | null> {
    return blockSchema.nullable().parse(await this.#node.call('eth_getBlockByNumber', toHex(number), false));
  }

  #followRevert(): Promise<void> {
    this.#checkpointBlocks = revertedCheckpointBlocks;
    return this.#checkpoint();
  }

  async #checkpoint(): Promise<void> {
    const startMs = Date.now();
    const leadSeconds = await leadSecondsOf(this.#node);
    const before = await latestOf(this.#node);
    const dump = z.string().parse(await this.#node.call('anvil_dumpState'));
    const after = await latestOf(this.#node);
    // A block in between may be in the dump or not: the next round tries again.
    if (before.hash !== after.hash) return;
    const head = { genesisSeconds: this.#genesisSeconds, leadSeconds };
    this.#options.folder.checkpoint(Buffer.from(dump.slice(2), 'hex'), head);
    this.#last = after;
    this.#checkpointNumber = after.number;
    this.#nextCheckpointMs = Date.now() + checkpointCostShare * (Date.now() - startMs);
  }
}

/** Return the lead of the chain's clock over the machine's. */
const leadSecondsOf = async (node: AnvilNode): Promise<number> =>
  z.number().parse(await node.call('evm_increaseTime', 0));

const toHex = (number: number): string => `0x${number.toString(16)}`;

async function latestOf(node: AnvilNode): Promise<{ number: number; hash: `0x${string}`; seconds: number }> {
  const { number, hash, timestamp } = blockSchema.parse(await node.call('eth_getBlockByNumber', 'latest', false));
  return { number: Number(number), hash, seconds: Number(timestamp) };
}

/** Return the transactions that the next block may hold. */
async function acceptedBy(node: AnvilNode): Promise<readonly `0x${string}`[]> {
  const { pending } = poolSchema.parse(await node.call('txpool_content'));
  return Object.values(pending).flatMap((ofSender) => Object.values(ofSender).map(({ hash }) => hash));
}

/** Return the signed bytes of transactions; a dropped one has none. */
async function rawOf(node: AnvilNode, hashes: readonly `0x${string}`[]): Promise<`0x${string}`[]> {
  const raw = await Promise.all(hashes.map((hash) => node.call('eth_getRawTransactionByHash', hash)));
  return z
    .array(hexSchema.nullable())
    .parse(raw)
    .filter((bytes) => bytes !== null);
}

/** Mine the journalled blocks again, send accepted transactions and set the clock. */
async function mineAgain(node: AnvilNode, record: ChainRecord, logger: Logger): Promise<void> {
  const start = await latestOf(node);
  await node.call('evm_setTime', start.seconds);
  for (const block of record.blocks) {
    if (block.number <= start.number) continue;
    for (const transaction of block.transactions) await sendAgain(node, transaction);
    // Decision: apps/devnet/DECISIONS.md#blocks-are-journalled-and-mined-again-after-a-kill
    await node.call('evm_mine', { timestamp: block.seconds });
  }
  const lastBlock = record.blocks.at(-1);
  if (lastBlock !== undefined && lastBlock.number > start.number) {
    const { number, hash } = await latestOf(node);
    if (hash !== lastBlock.hash) logger.warn({ number, hash, was: lastBlock.hash }, 'chain differs after mining again');
  }
  const leadSeconds = lastBlock?.leadSeconds ?? record.head.leadSeconds;
  const missingSeconds = leadSeconds - (await leadSecondsOf(node));
  // Never back: a machine whose clock was set back waits until it has caught up.
  if (missingSeconds > 0) await node.call('evm_increaseTime', missingSeconds);
  for (const transaction of record.waiting) await sendAgain(node, transaction);
}

/** Send a transaction that the chain may already have or refuse as late; neither loses anything. */
async function sendAgain(node: AnvilNode, transaction: `0x${string}`): Promise<void> {
  try {
    await node.call('eth_sendRawTransaction', transaction);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('eth_sendRawTransaction:'))) throw error;
  }
}

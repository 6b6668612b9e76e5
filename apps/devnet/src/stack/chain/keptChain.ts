import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@core/runtime';
import { type AnvilNode, startAnvil } from './anvilNode.ts';
import type { ChainFolder, ChainRecord } from './chainFolder.ts';

export interface KeptChainOptions {
  readonly folder: ChainFolder;
  readonly port: number;
  readonly mnemonic: string;
  readonly accountCount: number;
  readonly logger: Logger;
}

interface Block {
  readonly number: `0x${string}`;
  readonly timestamp: `0x${string}`;
  readonly hash: `0x${string}`;
  readonly parentHash: `0x${string}`;
  readonly transactions: readonly `0x${string}`[];
}

/** A call at `latest` sees the last block's time: without regular blocks, what is fresh would look future-dated. */
const heartbeatMs = 1_000;
/** A start repeats at most so many blocks more than a checkpoint's pause brings. */
const checkpointBlocks = 300;
/**
 * After a return to a snapshot the node draws other randomness than one that loads the same chain: what a start mines
 * again has other hashes then, and an index follows a reorganisation of so many blocks.
 */
const revertedCheckpointBlocks = 50;
/** A checkpoint costs in proportion to the chain's length: it may take a hundredth of the time. */
const checkpointCostShare = 100;

/** Never settles. */
const never = new Promise<never>(() => undefined);

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/**
 * The local chain with its state on disk. The node mines only when this asks it to, so that transactions are written
 * down before they are mined and blocks right after. The node draws the randomness of a block from the chain alone:
 * the same transactions at the same times make the same blocks again, to the hash.
 */
export class KeptChain {
  readonly rpcUrl: string;
  /** Rejects when the node ends by itself, or cannot be followed any more; then the program has to end, too. */
  readonly failed: Promise<never>;
  readonly #node: AnvilNode;
  readonly #options: KeptChainOptions;
  readonly #genesisSeconds: number;
  readonly #rounds: Promise<void>;
  readonly #closing = new AbortController();
  /** The node has accepted a transaction since the last round began. */
  #isAsked = false;
  #wake: () => void = () => undefined;
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

  /** Goes on with the chain of the folder, or begins one. */
  static async open(options: KeptChainOptions): Promise<KeptChain> {
    const { folder, port, mnemonic, accountCount, logger } = options;
    const record = folder.read();
    const genesisSeconds = record?.head.genesisSeconds ?? nowSeconds();
    const stateFile = record?.stateFile ?? null;
    const { pidFile } = folder;
    const node = await startAnvil({ port, mnemonic, accountCount, stateFile, genesisSeconds, pidFile });
    const { number } = await latestOf(node);
    folder.openJournal({ genesisSeconds, leadSeconds: 0 });
    if (record !== null) await mineAgain(node, record, logger);
    const last = await latestOf(node);
    if (record !== null) logger.info({ block: last.number, minedAgain: last.number - number }, 'the chain goes on');
    return new KeptChain({ node, options, genesisSeconds, last, checkpointNumber: number });
  }

  /** Resolves when everything mined before the call is written down. */
  async settled(): Promise<void> {
    const wanted = this.#roundsDone + 2;
    while (this.#roundsDone < wanted) {
      this.#wake();
      await Promise.race([delay(5), this.failed]);
    }
  }

  /** Writes a checkpoint and ends the node. */
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

  /** Mines at once when the node accepts a transaction. */
  #listen(): void {
    const socket = new WebSocket(this.rpcUrl.replace('http', 'ws'));
    socket.addEventListener('open', () => {
      const params = ['newPendingTransactions'];
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }));
    });
    socket.addEventListener('message', () => {
      this.#isAsked = true;
      this.#wake();
    });
    // When it breaks, the node has ended or the next heartbeat mines what was not heard of.
    this.#closing.signal.addEventListener('abort', () => socket.close(), { once: true });
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      if (!this.#isAsked) await Promise.race([woken, delay(heartbeatMs)]);
      this.#isAsked = false;
      await this.#round();
      this.#roundsDone += 1;
    }
  }

  /** Writes down what was accepted, mines it, writes down what was mined. */
  async #round(): Promise<void> {
    const accepted = await rawOf(this.#node, await acceptedBy(this.#node));
    if (accepted.length > 0) this.#options.folder.append({ accepted });
    await this.#node.call('evm_mine');
    await this.#record();
    const isDue = this.#last.number - this.#checkpointNumber >= this.#checkpointBlocks;
    if (isDue && Date.now() >= this.#nextCheckpointMs) await this.#checkpoint();
  }

  async #record(): Promise<void> {
    const head = Number(await this.#node.call<`0x${string}`>('eth_blockNumber'));
    if (head < this.#last.number) return this.#followRevert();
    const leadSeconds = await this.#node.call<number>('evm_increaseTime', 0);
    for (let number = this.#last.number + 1; number <= head; number += 1) {
      const block = await this.#node.call<Block | null>('eth_getBlockByNumber', toHex(number), false);
      // Someone went back to a snapshot, and perhaps on from there: what was written down is another chain.
      if (block?.parentHash !== this.#last.hash) return this.#followRevert();
      const transactions = await rawOf(this.#node, block.transactions);
      const { hash } = block;
      this.#options.folder.append({ number, seconds: Number(block.timestamp), hash, leadSeconds, transactions });
      this.#last = { number, hash };
    }
  }

  #followRevert(): Promise<void> {
    this.#checkpointBlocks = revertedCheckpointBlocks;
    return this.#checkpoint();
  }

  async #checkpoint(): Promise<void> {
    const startMs = Date.now();
    const leadSeconds = await this.#node.call<number>('evm_increaseTime', 0);
    const before = await latestOf(this.#node);
    const dump = await this.#node.call<`0x${string}`>('anvil_dumpState');
    const after = await latestOf(this.#node);
    // A block that came in between may be in the dump or not: the next round tries again.
    if (before.hash !== after.hash) return;
    const head = { genesisSeconds: this.#genesisSeconds, leadSeconds };
    this.#options.folder.checkpoint(Buffer.from(dump.slice(2), 'hex'), head);
    this.#last = after;
    this.#checkpointNumber = after.number;
    this.#nextCheckpointMs = Date.now() + checkpointCostShare * (Date.now() - startMs);
  }
}

const toHex = (number: number): string => `0x${number.toString(16)}`;

async function latestOf(node: AnvilNode): Promise<{ number: number; hash: `0x${string}`; seconds: number }> {
  const { number, hash, timestamp } = await node.call<Block>('eth_getBlockByNumber', 'latest', false);
  return { number: Number(number), hash, seconds: Number(timestamp) };
}

/** Transactions the next block may hold. */
async function acceptedBy(node: AnvilNode): Promise<readonly `0x${string}`[]> {
  type Pool = Readonly<Record<string, Readonly<Record<string, { readonly hash: `0x${string}` }>>>>;
  const { pending } = await node.call<{ readonly pending: Pool }>('txpool_content');
  return Object.values(pending).flatMap((ofSender) => Object.values(ofSender).map(({ hash }) => hash));
}

/** The signed bytes of transactions; one that was dropped meanwhile has none. */
async function rawOf(node: AnvilNode, hashes: readonly `0x${string}`[]): Promise<`0x${string}`[]> {
  const raw = await Promise.all(
    hashes.map((hash) => node.call<`0x${string}` | null>('eth_getRawTransactionByHash', hash)),
  );
  return raw.filter((bytes) => bytes !== null);
}

/** Mines the blocks of the journal as they were, sends on what had been accepted, and sets the clock. */
async function mineAgain(node: AnvilNode, record: ChainRecord, logger: Logger): Promise<void> {
  const start = await latestOf(node);
  await node.call('evm_setTime', start.seconds);
  for (const block of record.blocks) {
    if (block.number <= start.number) continue;
    for (const transaction of block.transactions) await sendAgain(node, transaction);
    await node.call('evm_mine', { timestamp: block.seconds });
  }
  const wanted = record.blocks.at(-1);
  if (wanted !== undefined && wanted.number > start.number) {
    const { number, hash } = await latestOf(node);
    if (hash !== wanted.hash) logger.warn({ number, hash, was: wanted.hash }, 'the chain was mined again differently');
  }
  const leadSeconds = wanted?.leadSeconds ?? record.head.leadSeconds;
  const missingSeconds = leadSeconds - (await node.call<number>('evm_increaseTime', 0));
  // Never back: a machine whose clock was set back waits until it has caught up.
  if (missingSeconds > 0) await node.call('evm_increaseTime', missingSeconds);
  for (const transaction of record.waiting) await sendAgain(node, transaction);
}

/** One that the chain has already, or that came too late, is refused: nothing is lost by that. */
async function sendAgain(node: AnvilNode, transaction: `0x${string}`): Promise<void> {
  try {
    await node.call('eth_sendRawTransaction', transaction);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('eth_sendRawTransaction:'))) throw error;
  }
}

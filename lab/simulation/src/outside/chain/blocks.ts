import { type Address, type Hash, type Hex, padHex, type Transaction, toHex } from 'viem';
import type { Scheduler } from '../../runtime/scheduler.ts';
import type { BlockTime, Evm } from './evm.ts';
import type { ChainFees } from './settings.ts';

/** Deepest reorganisation. */
const maxDepth = 32;

interface Mark {
  readonly number: number;
  readonly snapshot: Hex;
}

/** Outcome of a reorganisation. */
export interface Reorganisation {
  /** Number of the last block that both branches have. */
  readonly commonBlock: number;
  /** Blocks that are no longer on the chain. */
  readonly orphaned: readonly Hash[];
  /** Transactions of the old branch that the new one, and the pool, do not have. */
  readonly dropped: readonly Hash[];
}

/** Blocks of a chain under the clock of its world. All of it runs as outside operations, one at a time. */
export class Blocks {
  readonly fees: ChainFees;
  readonly #scheduler: Scheduler;
  readonly #evm: Evm;
  /** States after the newest blocks, oldest first. */
  #marks: Mark[] = [];
  #head: BlockTime;
  #branch = 0;
  /** Seconds that the chain's clock is ahead of the world's. */
  leadSeconds = 0;
  /** True when each transaction is mined at once, and blocks may have the same time. */
  #isInstant = true;

  private constructor(scheduler: Scheduler, evm: Evm, parts: { readonly fees: ChainFees; readonly head: BlockTime }) {
    this.#scheduler = scheduler;
    this.#evm = evm;
    this.fees = parts.fees;
    this.#head = parts.head;
  }

  static async open(scheduler: Scheduler, evm: Evm, fees: ChainFees): Promise<Blocks> {
    const blocks = new Blocks(scheduler, evm, { fees, head: await evm.head() });
    await blocks.mark();
    return blocks;
  }

  get headNumber(): number {
    return this.#head.number;
  }

  get isInstant(): boolean {
    return this.#isInstant;
  }

  /** Mine each transaction at once, or let it wait for a block. */
  async setInstant(isInstant: boolean): Promise<void> {
    this.#isInstant = isInstant;
    await this.#evm.client.setAutomine(isInstant);
  }

  /** Give the next block, also one that is only computed, its time and its base fee. */
  async prepare(atSeconds = this.#nowSeconds()): Promise<void> {
    const { timestamp } = this.#head;
    const earliest = this.#isInstant ? timestamp : timestamp + 1;
    const { client } = this.#evm;
    await client.setNextBlockTimestamp({ timestamp: BigInt(Math.max(earliest, atSeconds)) });
    const { baseFeeWei } = this.fees;
    if (baseFeeWei !== null) await client.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFeeWei });
  }

  /** Mine a block of the transactions that pay the floor. */
  async mine(atSeconds?: number): Promise<void> {
    await this.prepare(atSeconds);
    const withheld = await this.#withhold();
    await this.#evm.client.mine({ blocks: 1 });
    for (const transaction of withheld) await this.#restore(transaction);
    await this.mark();
  }

  /** Keep the state after the newest block. */
  async mark(): Promise<void> {
    const head = await this.#evm.head();
    this.#head = head;
    if (this.#marks.at(-1)?.number === head.number) return;
    this.#scheduler.note(`block ${head.number} ${head.hash}`);
    this.#marks.push({ number: head.number, snapshot: await this.#evm.client.snapshot() });
    if (this.#marks.length > maxDepth + 1) this.#marks.shift();
  }

  /** Return to a snapshot that a client has made: states that were kept after it are gone. */
  async revert(snapshot: unknown): Promise<unknown> {
    const result = await this.#evm.request('evm_revert', [snapshot]);
    this.#marks = this.#marks.filter((mark) => Number(mark.snapshot) < Number(snapshot));
    await this.mark();
    return result;
  }

  /**
   * Replace the newest blocks by another branch that is one block longer. Its first block is empty; each of the others
   * has the transactions of the old block before it, which first return to the pool. Blocks keep the time of the old
   * ones of their height.
   * @param options.depth Number of blocks that are replaced, 1 to 32.
   * @param options.drop True for a transaction of the old branch that is lost.
   * @throws RangeError for a depth that the chain does not have.
   */
  async reorganise({
    depth,
    drop = () => false,
  }: {
    readonly depth: number;
    readonly drop?: ((transaction: Transaction) => boolean) | undefined;
  }): Promise<Reorganisation> {
    const commonBlock = this.#head.number - depth;
    const mark = this.#marks.find(({ number }) => number === commonBlock);
    if (!Number.isInteger(depth) || depth < 1 || mark === undefined) {
      throw new RangeError(`the chain cannot replace its newest ${depth} blocks`);
    }
    const { client } = this.#evm;
    const old = [];
    for (let number = commonBlock + 1; number <= this.#head.number; number += 1) {
      old.push(await client.getBlock({ blockNumber: BigInt(number), includeTransactions: true }));
    }
    const waiting = await this.#evm.pool();
    await this.#goBackTo(mark);
    const dropped: Hash[] = [];
    const times = [...old.map(({ timestamp }) => Number(timestamp)), this.#nowSeconds()];
    const isInstant = this.#isInstant;
    await client.setAutomine(false);
    for (const [index, atSeconds] of times.entries()) {
      for (const transaction of old[index - 1]?.transactions ?? []) {
        if (drop(transaction)) dropped.push(transaction.hash);
        else await this.#restore(transaction);
      }
      await this.mine(atSeconds);
    }
    for (const transaction of waiting) await this.#restore(transaction);
    await client.setAutomine(isInstant);
    this.#scheduler.note(`reorganised ${depth} blocks after ${commonBlock}, dropped ${dropped.length}`);
    return { commonBlock, orphaned: old.map(({ hash }) => hash), dropped };
  }

  /** Go back to the state after a block and begin another branch there, with an empty pool. */
  async #goBackTo({ number, snapshot }: Mark): Promise<void> {
    await this.#evm.client.revert({ id: snapshot });
    this.#marks = this.#marks.filter((mark) => mark.number < number);
    await this.mark();
    for (const { hash } of await this.#evm.pool()) await this.#evm.remove(hash);
    // Blocks of equal content and time differ by the address that gets their tips.
    this.#branch += 1;
    const address: Address = padHex(toHex(this.#branch), { size: 20 });
    await this.#evm.client.setCoinbase({ address });
  }

  /** Take the transactions that do not pay the floor from the pool. */
  async #withhold(): Promise<Transaction[]> {
    const { tipFloorWei } = this.fees;
    if (tipFloorWei === 0n) return [];
    const { baseFeePerGas } = await this.#evm.client.getBlock({ blockTag: 'pending' });
    const cheap = (await this.#evm.pool()).filter(
      (transaction) => tipOf(transaction, baseFeePerGas ?? 0n) < tipFloorWei,
    );
    for (const { hash } of cheap) await this.#evm.remove(hash);
    return cheap;
  }

  async #restore(transaction: Transaction): Promise<void> {
    if (!(await this.#evm.restore(transaction))) this.#scheduler.note(`the pool lost ${transaction.hash}`);
  }

  #nowSeconds(): number {
    return Math.floor(this.#scheduler.nowMs / 1_000) + this.leadSeconds;
  }
}

/** Return what a unit of gas pays to the miner above the base fee; less than zero when it does not even pay that. */
function tipOf({ maxFeePerGas, maxPriorityFeePerGas, gasPrice }: Transaction, baseFeeWei: bigint): bigint {
  const aboveBaseWei = (maxFeePerGas ?? gasPrice ?? 0n) - baseFeeWei;
  return maxPriorityFeePerGas !== undefined && maxPriorityFeePerGas < aboveBaseWei
    ? maxPriorityFeePerGas
    : aboveBaseWei;
}

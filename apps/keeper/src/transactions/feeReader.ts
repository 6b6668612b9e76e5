import { FeeBounds, type GasPrice, type TransactionFees } from '@core/runtime';
import type { PublicClient } from 'viem';
import { chainFault } from './chainFault.ts';

/** Upper bound of the fee per gas; `onReached` is called whenever the chain's price exceeds it. */
export interface FeeCeiling {
  readonly maxFeePerGasWei: bigint;
  readonly onReached: () => void;
}

/** Gas price read at a moment. */
interface FeeReading {
  readonly atMs: number;
  readonly read: Promise<GasPrice>;
}

/** Shortest block time of the supported chains; the price changes by at most an eighth per block. */
const feeReadingMs = 500;

/** Fees that a new transaction offers. All transactions of half a second share one reading of the price. */
export class FeeReader {
  readonly #client: Pick<PublicClient, 'estimateFeesPerGas'>;
  readonly #ceiling: FeeCeiling;
  readonly #bounds = new FeeBounds();
  #fees: FeeReading | null = null;
  #isAboveCeiling = false;

  constructor({
    client,
    feeCeiling,
  }: {
    readonly client: Pick<PublicClient, 'estimateFeesPerGas'>;
    readonly feeCeiling: FeeCeiling;
  }) {
    this.#client = client;
    this.#ceiling = feeCeiling;
  }

  /** True while the last price was above the ceiling: new transactions wait for a lower one. */
  get isAboveCeiling(): boolean {
    return this.#isAboveCeiling;
  }

  /** Record the refusal of a transaction. Return true when other fees may be taken. */
  recordRefusal(refusal: string): boolean {
    return this.#bounds.record(refusal);
  }

  /**
   * Return the fees to offer for a gas limit.
   * @throws Fault retryable when the node does not answer.
   */
  async current(): Promise<(gas: bigint) => TransactionFees> {
    const { maxFeePerGasWei: ceilingWei, onReached } = this.#ceiling;
    const nowMs = performance.now();
    if (this.#fees === null || nowMs - this.#fees.atMs > feeReadingMs) {
      this.#fees = { atMs: nowMs, read: this.#client.estimateFeesPerGas() };
    }
    const price = await this.#fees.read.catch((error: unknown) => {
      this.#fees = null;
      throw chainFault('fees cannot be read', error);
    });
    this.#isAboveCeiling = price.maxFeePerGas > ceilingWei;
    if (this.#isAboveCeiling) onReached();
    return (gas) => this.#bounds.feesAt(price, { ceilingWei, gas });
  }
}

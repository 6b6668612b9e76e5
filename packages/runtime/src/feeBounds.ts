import { type GasPrice, offeredFeesOf, type TransactionFees } from './transactionFees.ts';

const minimumTipText = /gas tip cap \d+, minimum needed (\d+)/i;
const capText = /tx fee \([\d.]+ \w+\) exceeds the configured cap \((\d+)(?:\.(\d+))? \w+\)/i;
/** Nodes write a cap with two decimals, rounded: fees stay a hundredth below it. */
const capPart = { dividend: 99n, divisor: 100n };
/** Lowest cap of two decimals. One below it reads as zero, and would allow no fee at all. */
const lowestCapWei = 10n ** 16n;

/** Time for which a refusal counts: a node that named a wrong bound once costs no more than that. */
const validMs = 3_600_000;

/** Bounds of a node that its own estimate of the price does not know, as its refusals name them. */
export class FeeBounds {
  readonly #now: () => number;
  #minimumTipWei = 0n;
  #capWei: bigint | null = null;
  #endsAtMs = Number.POSITIVE_INFINITY;

  /** @param now Monotonic milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Record the refusal of a transaction. Return true when it names a bound, so that other fees may be taken. */
  record(refusal: string): boolean {
    const minimum = minimumTipText.exec(refusal)?.[1];
    const [, whole, decimals = ''] = capText.exec(refusal) ?? [];
    const capWei = whole === undefined ? 0n : BigInt(whole + decimals.slice(0, 18).padEnd(18, '0'));
    if (minimum !== undefined) this.#minimumTipWei = BigInt(minimum);
    if (capWei >= lowestCapWei) this.#capWei = capWei;
    const isBound = minimum !== undefined || capWei >= lowestCapWei;
    if (isBound) this.#endsAtMs = this.#now() + validMs;
    return isBound;
  }

  /** Return the fees to offer at a price, within the bounds of the operator and of the node. */
  feesAt(price: GasPrice, { ceilingWei, gas }: { readonly ceilingWei: bigint; readonly gas: bigint }): TransactionFees {
    if (this.#now() >= this.#endsAtMs) {
      this.#minimumTipWei = 0n;
      this.#capWei = null;
    }
    const { dividend, divisor } = capPart;
    const capWei = this.#capWei === null ? ceilingWei : (this.#capWei * dividend) / divisor / gas;
    const addedTipWei = this.#minimumTipWei - price.maxPriorityFeePerGas;
    const added = addedTipWei > 0n ? addedTipWei : 0n;
    const raised = {
      maxFeePerGas: price.maxFeePerGas + added,
      maxPriorityFeePerGas: price.maxPriorityFeePerGas + added,
    };
    return offeredFeesOf(raised, capWei < ceilingWei ? capWei : ceilingWei);
  }
}

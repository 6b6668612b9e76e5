/** Generator of whole numbers from a seed (splitmix64): the same on every machine and in every run. */
export class SeededRandom {
  #state: bigint;

  constructor(seed: bigint) {
    this.#state = seed;
  }

  #next(): bigint {
    this.#state = BigInt.asUintN(64, this.#state + 0x9e3779b97f4a7c15n);
    let z = this.#state;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  }

  /** Draw a number between two bounds, both included; a range of at most 64 bits. */
  between(lowest: bigint, highest: bigint): bigint {
    return lowest + (this.#next() % (highest - lowest + 1n));
  }

  /**
   * Draw a number between 0 and 2^bits − 1 with every bit length equally likely, so small and large amounts occur
   * alike.
   */
  sized(bits: bigint): bigint {
    return BigInt.asUintN(Number(this.between(0n, bits)), this.#next());
  }
}

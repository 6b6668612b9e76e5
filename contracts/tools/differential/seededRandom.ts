import type { Hex } from 'viem';

const mask64 = 2n ** 64n - 1n;

/** The same numbers for the same seed, on every machine (SplitMix64). */
export class SeededRandom {
  #state: bigint;

  constructor(seed: bigint) {
    this.#state = seed & mask64;
  }

  /** Any 64 bits. */
  word64(): bigint {
    this.#state = (this.#state + 0x9e3779b97f4a7c15n) & mask64;
    let z = this.#state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask64;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask64;
    return z ^ (z >> 31n);
  }

  /** Any number of so many bits, all sizes of numbers equally likely, and the two ends more often than by chance. */
  upTo(bits: number): bigint {
    const choice = this.word64() % 32n;
    const limit = 2n ** BigInt(bits);
    if (choice === 0n) return 0n;
    if (choice === 1n) return limit - 1n;
    const width = (this.word64() % BigInt(bits)) + 1n;
    let value = 0n;
    for (let filled = 0; filled < bits; filled += 64) value = (value << 64n) | this.word64();
    return value & (2n ** width - 1n);
  }

  /** Like `upTo`, inside [min, max]. */
  between(min: bigint, max: bigint): bigint {
    const span = max - min + 1n;
    return min + (this.upTo(span.toString(2).length) % span);
  }

  /** Any bytes, evenly. */
  bytes(length: number): Hex {
    let text = '';
    while (text.length < length * 2) text += this.word64().toString(16).padStart(16, '0');
    return `0x${text.slice(0, length * 2)}`;
  }

  /** One of a few. */
  oneOf<T>(first: T, ...others: readonly T[]): T {
    return others[Number(this.word64() % BigInt(others.length + 1)) - 1] ?? first;
  }
}

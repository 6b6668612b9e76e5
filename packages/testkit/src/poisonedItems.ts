/** Failures of one item among many. */
export const poisonKinds = ['throws_once', 'throws_always', 'hangs', 'answers_rubbish'] as const;
export type PoisonKind = (typeof poisonKinds)[number];

export interface PoisonOptions {
  readonly keys: readonly string[];
  /** Failure of the middle item; null when every item is healthy. */
  readonly kind: PoisonKind | null;
  /** Answer of an item of kind `answers_rubbish`. */
  readonly rubbish: unknown;
}

/**
 * Items of a loop, queue, page, batch or subscription, the middle one of which fails. The code under test calls `serve`
 * for every effect of one item.
 */
export class PoisonedItems {
  readonly keys: readonly string[];
  readonly poisonKey: string;
  readonly #options: PoisonOptions;
  readonly #counts = new Map<string, number>();
  #hasThrown = false;

  constructor(options: PoisonOptions) {
    this.#options = options;
    this.keys = options.keys;
    this.poisonKey = options.keys[Math.floor(options.keys.length / 2)] ?? '';
  }

  /** Return how often each healthy item was served. */
  get servedCounts(): Readonly<Record<string, number>> {
    const healthy = this.keys.filter((key) => key !== this.poisonKey);
    return Object.fromEntries(healthy.map((key) => [key, this.#counts.get(key) ?? 0]));
  }

  /** Return how often the poison was tried. */
  get poisonCount(): number {
    return this.#counts.get(this.poisonKey) ?? 0;
  }

  /** Serve one item: with the healthy answer, or with the failure of the poison. */
  async serve<Answer>(key: string, healthy: () => Answer | Promise<Answer>): Promise<Answer> {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    if (key !== this.poisonKey) return healthy();
    switch (this.#options.kind) {
      case null:
        return healthy();
      case 'throws_once':
        if (this.#hasThrown) return healthy();
        this.#hasThrown = true;
        throw new Error('poison');
      case 'throws_always':
        throw new Error('poison');
      case 'hangs':
        return new Promise<Answer>(() => undefined);
      case 'answers_rubbish':
        return this.#options.rubbish as Answer;
    }
  }
}

/**
 * Run the same work twice, without a poison and with one, and return how often every healthy item was served in each.
 * The law of isolation: the two are equal.
 */
export async function servedBeside(
  options: PoisonOptions,
  run: (items: PoisonedItems) => Promise<void>,
): Promise<{ readonly usual: PoisonedItems['servedCounts']; readonly beside: PoisonedItems['servedCounts'] }> {
  const healthy = new PoisonedItems({ ...options, kind: null });
  await run(healthy);
  const poisoned = new PoisonedItems(options);
  await run(poisoned);
  return { usual: healthy.servedCounts, beside: poisoned.servedCounts };
}

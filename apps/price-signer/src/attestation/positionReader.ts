import { type PositionContracts, type PositionOutcome, type PositionTerms, readPositionTerms } from '@core/vault';
import { LRUCache } from 'lru-cache';
import type { Hex, PublicClient } from 'viem';

/** About thirty megabytes. The entry unused for longest is removed first; reading it again costs two round trips. */
const cacheSize = 100_000;

/**
 * Reader of positions on chain. The outcome of a position is cached and verified in the same batch, so that a due sale
 * takes two round trips; the chain confirms the outcome on every read.
 */
export class PositionReader {
  readonly #client: PublicClient;
  readonly #contracts: PositionContracts;
  readonly #outcomes = new LRUCache<Hex, PositionOutcome>({ max: cacheSize });

  constructor(client: PublicClient, contracts: PositionContracts) {
    this.#client = client;
    this.#contracts = contracts;
  }

  async read(positionKey: Hex): Promise<PositionTerms> {
    const cachedOutcome = this.#outcomes.get(positionKey);
    const query = { contracts: this.#contracts, positionKey };
    const terms = await readPositionTerms(
      this.#client,
      cachedOutcome === undefined ? query : { ...query, expected: cachedOutcome },
    );
    this.#cache(terms);
    return terms;
  }

  #cache({ positionKey, state, outcomeId, conditionId, tokenId }: PositionTerms): void {
    if (state === 'none') this.#outcomes.delete(positionKey);
    else this.#outcomes.set(positionKey, { outcomeId, conditionId, tokenId });
  }
}

import { RecentMap } from '@core/runtime';
import { type PositionContracts, type PositionOutcome, type PositionTerms, readPositionTerms } from '@core/vault';
import type { Hex, PublicClient } from 'viem';

/** About thirty megabytes; what was not asked for the longest is forgotten first, and costs two round trips again. */
const rememberedCount = 100_000;

/**
 * Reads positions from the chain. Which outcome a position is in is remembered and read along with the rest, so that a
 * sale that is due takes two round trips; whether it still is in that outcome is the chain's to say each time.
 */
export class PositionReader {
  readonly #client: PublicClient;
  readonly #contracts: PositionContracts;
  readonly #outcomes = new RecentMap<Hex, PositionOutcome>(rememberedCount);

  constructor(client: PublicClient, contracts: PositionContracts) {
    this.#client = client;
    this.#contracts = contracts;
  }

  async read(positionKey: Hex): Promise<PositionTerms> {
    const expected = this.#outcomes.get(positionKey);
    const place = { contracts: this.#contracts, positionKey };
    const terms = await readPositionTerms(this.#client, expected === undefined ? place : { ...place, expected });
    this.#note(terms);
    return terms;
  }

  #note({ positionKey, state, outcomeId, conditionId, tokenId }: PositionTerms): void {
    if (state === 'none') this.#outcomes.delete(positionKey);
    else this.#outcomes.set(positionKey, { outcomeId, conditionId, tokenId });
  }
}

import {
  type CoverInputs,
  coverInputsOf,
  coverOf,
  debtPerTokenOf,
  exitSecondsOf,
  type MarketSnapshot,
  type PolicyConfig,
  policyAtExit,
} from '@core/policy';
import { debtOf, type Position } from '@core/position';
import { add, type TokenUnits, type UsdcUnits } from '@core/pricing';
import { type CoverAt, CoverClasses } from './coverClasses.ts';
import { CoverHistory } from './coverHistory.ts';

/** A debt, and the exit time that its cover rests on. */
export interface WatchedDebt {
  readonly usdcUnits: UsdcUnits;
  readonly size: TokenUnits;
  readonly exitSeconds: number;
}

/**
 * Finds the positions whose debt may not be covered any more. They stand by debt per token in classes of size and exit
 * time; each candidate of a class is then read at its own size, so that a tick costs O(log n + due).
 */
export class CoverWatch {
  readonly #policy: PolicyConfig;
  readonly #classes = new CoverClasses();
  readonly #positions = new Map<string, Position>();
  readonly #history = new CoverHistory();

  constructor(policy: PolicyConfig) {
    this.#policy = policy;
  }

  /** Takes in a position that owes something, in place of what was known of it; its place grows old at `aheadMs`. */
  put(position: Position, aheadMs: number): void {
    const { positionKey, venueTokenId: tokenId, tokenUnits: size } = position;
    const debtE12 = debtE12Of(position, aheadMs);
    this.#classes.put({ positionKey, tokenId, debtE12, size, exitSeconds: this.#exitSecondsOf(position) });
    this.#positions.set(positionKey, position);
  }

  remove(positionKey: string): void {
    const tokenId = this.#positions.get(positionKey)?.venueTokenId;
    if (tokenId === undefined) return;
    this.#classes.remove(positionKey);
    this.#positions.delete(positionKey);
    if (!this.#classes.holds(tokenId)) this.#history.forget(tokenId);
  }

  /** Positions of a token that are due by cover; null while its cover cannot be read, so that nothing is known anew. */
  look(tokenId: string, snapshot: MarketSnapshot | null): readonly string[] | null {
    if (!this.#classes.holds(tokenId)) return [];
    if (snapshot === null) return null;
    const side = snapshot.facts.yesTokenId === tokenId ? 'yes' : 'no';
    const inputs = coverInputsOf(snapshot, side, this.#policy);
    if (inputs === null) return null;
    this.#history.note(tokenId, inputs);
    // The shock is computed once for each exit time: there are a dozen at most.
    const covers = new Map<number, ReturnType<typeof coverOf>>();
    const coverAt: CoverAt = (size, exitSeconds) => {
      const cover = covers.get(exitSeconds) ?? coverOf(inputs, policyAtExit(this.#policy, exitSeconds));
      covers.set(exitSeconds, cover);
      return cover(size);
    };
    return this.#classes.candidates(tokenId, coverAt).filter((positionKey) => {
      const position = this.#positions.get(positionKey);
      if (position === undefined) return false;
      return debtE12Of(position, snapshot.nowMs) > coverAt(position.tokenUnits, this.#exitSecondsOf(position));
    });
  }

  /** What the cover of a position rested on when its debt was last covered; null when that was not seen. */
  lastCovered(tokenId: string, { usdcUnits, size, exitSeconds }: WatchedDebt): CoverInputs | null {
    const policy = policyAtExit(this.#policy, exitSeconds);
    return this.#history.lastCovered(tokenId, { debtE12: debtPerTokenOf(usdcUnits, size), size, policy });
  }

  /** That of its quote: what was lent against one exit time is not called in because another holds now. */
  #exitSecondsOf({ quotedRisk }: Position): number {
    return exitSecondsOf(this.#policy, quotedRisk);
  }
}

/** d at a moment, scaled by 1e12. */
function debtE12Of(position: Position, atMs: number): bigint {
  const { principalUsdcUnits, feesUsdcUnits } = debtOf(position, atMs);
  return debtPerTokenOf(add(principalUsdcUnits, feesUsdcUnits), position.tokenUnits);
}

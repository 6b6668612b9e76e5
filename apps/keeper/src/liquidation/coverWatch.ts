import type { MarketSnapshot } from '@core/market';
import {
  type CoverInputs,
  coverInputsOf,
  coverOf,
  debtPerTokenOf,
  exitSecondsOf,
  type PolicyConfig,
  policyAtExit,
} from '@core/policy';
import { debtOf, type Position } from '@core/position';
import { add, type TokenUnits, type UsdcUnits } from '@core/pricing';
import { type CoverAt, CoverClasses } from './coverClasses.ts';

/** A debt and the exit time of its cover. */
export interface WatchedDebt {
  readonly usdcUnits: UsdcUnits;
  readonly size: TokenUnits;
  readonly exitSeconds: number;
}

/**
 * Index of positions by cover. They are ordered by debt per token in classes of size and exit time; each candidate of a
 * class is then checked at its own size, so that a tick costs O(log n + due).
 */
export class CoverWatch {
  readonly #policy: PolicyConfig;
  readonly #classes = new CoverClasses();
  readonly #positions = new Map<string, Position>();
  readonly #history = new CoverHistory();

  constructor(policy: PolicyConfig) {
    this.#policy = policy;
  }

  /** Add or replace a position with debt; its key is exact at `aheadMs`. */
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
    if (!this.#classes.hasToken(tokenId)) this.#history.forget(tokenId);
  }

  /** Return the positions of a token that are due by cover; null while its cover cannot be read. */
  evaluate(tokenId: string, snapshot: MarketSnapshot | null): readonly string[] | null {
    if (!this.#classes.hasToken(tokenId)) return [];
    if (snapshot === null) return null;
    const side = snapshot.facts.yesTokenId === tokenId ? 'yes' : 'no';
    const inputs = coverInputsOf(snapshot, side, this.#policy);
    if (inputs === null) return null;
    this.#history.record(tokenId, inputs);
    // The shock is computed once per exit time: there are a dozen at most.
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

  /** Return the cover inputs at which the debt of a position was last covered; null when none was recorded. */
  lastCoverOf(tokenId: string, { usdcUnits, size, exitSeconds }: WatchedDebt): CoverInputs | null {
    const policy = policyAtExit(this.#policy, exitSeconds);
    return this.#history.lastCoverOf(tokenId, { debtE12: debtPerTokenOf(usdcUnits, size), size, policy });
  }

  /** Return the exit time of the quote: a changed exit time does not make an existing loan due. */
  #exitSecondsOf({ quotedRisk }: Position): number {
    return exitSecondsOf(this.#policy, quotedRisk);
  }
}

/** Return the debt per token at a moment, scaled by 1e12. */
function debtE12Of(position: Position, atMs: number): bigint {
  const { principalUsdcUnits, feesUsdcUnits } = debtOf(position, atMs);
  return debtPerTokenOf(add(principalUsdcUnits, feesUsdcUnits), position.tokenUnits);
}

/** Spacings of the readings that are kept: those of the last minute, and of the last hour for a long unwind. */
const spacingsMs = [1_000, 60_000];
const maxReadings = 60;

/** Cover inputs of each token in the last hour, one reading per second and then per minute: they explain an unwind. */
class CoverHistory {
  /** Readings of each token by spacing, oldest first. */
  readonly #byToken = new Map<string, readonly CoverInputs[][]>();

  record(tokenId: string, inputs: CoverInputs): void {
    const bySpacing = this.#byToken.get(tokenId) ?? spacingsMs.map(() => []);
    for (const [index, spacingMs] of spacingsMs.entries()) {
      const readings = bySpacing[index] ?? [];
      const last = readings.at(-1);
      if (last !== undefined && inputs.atMs - last.atMs < spacingMs) continue;
      readings.push(inputs);
      if (readings.length > maxReadings) readings.shift();
    }
    this.#byToken.set(tokenId, bySpacing);
  }

  forget(tokenId: string): void {
    this.#byToken.delete(tokenId);
  }

  /** Return the latest reading at which a debt per token, scaled by 1e12, was covered at a size; null without one. */
  lastCoverOf(
    tokenId: string,
    debt: { readonly debtE12: bigint; readonly size: TokenUnits; readonly policy: PolicyConfig },
  ): CoverInputs | null {
    const isCovered = (inputs: CoverInputs): boolean => coverOf(inputs, debt.policy)(debt.size) >= debt.debtE12;
    for (const readings of this.#byToken.get(tokenId) ?? []) {
      const inputs = readings.findLast(isCovered);
      if (inputs !== undefined) return inputs;
    }
    return null;
  }
}

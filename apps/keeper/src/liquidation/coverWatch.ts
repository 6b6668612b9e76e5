import {
  type CoverInputs,
  coverInputsOf,
  coverOf,
  debtPerTokenOf,
  exitSecondsOf,
  hardExitOf,
  type MarketSnapshot,
  type PolicyConfig,
  policyAtExit,
  riskPhaseOf,
} from '@core/policy';
import { debtOf, type Position } from '@core/position';
import { add, max, type TokenUnits, type UsdcUnits } from '@core/pricing';
import { CoverHistory } from './coverHistory.ts';
import { Deadlines } from './deadlines.ts';
import { DebtIndex } from './debtIndex.ts';

/** A market as the watch knows it; null while it is not watched. */
export type SnapshotOf = (key: string) => MarketSnapshot | null;

/** A debt, and the exit time that its cover rests on. */
export interface WatchedDebt {
  readonly usdcUnits: UsdcUnits;
  readonly size: TokenUnits;
  readonly exitSeconds: number;
}

interface Covered {
  readonly position: Position;
  readonly marketKey: string;
}

/**
 * Finds the positions whose debt may not be covered any more, by cover and by time. Cover: sorted by debt per token,
 * against c of the largest position and the longest exit time of the token, which is the lowest of all; each candidate
 * is then read at its own size and exit time, so that a tick costs O(log n + due). Time: the hard exits of the markets
 * in one queue; a position that is past one stays due until its debt is gone.
 */
export class CoverWatch {
  readonly #snapshotOf: SnapshotOf;
  readonly #policy: PolicyConfig;
  readonly #index = new DebtIndex();
  readonly #covered = new Map<string, Covered>();
  readonly #keysOfMarket = new Map<string, Set<string>>();
  /** Per token, the largest size and the longest exit time it had, of which no c is below. */
  readonly #worst = new Map<string, { readonly size: TokenUnits; readonly exitSeconds: number }>();
  readonly #deadlines = new Deadlines();
  readonly #hardExits = new Set<string>();
  readonly #history: CoverHistory;

  constructor(snapshotOf: SnapshotOf, policy: PolicyConfig) {
    this.#snapshotOf = snapshotOf;
    this.#policy = policy;
    this.#history = new CoverHistory();
  }

  /**
   * Takes in a position that owes something, in place of what was known of it; its place grows old at `aheadMs`. One
   * that was past a hard exit stays so.
   */
  put(position: Position, { marketKey, aheadMs }: { readonly marketKey: string; readonly aheadMs: number }): void {
    const { positionKey, venueTokenId: tokenId } = position;
    // Due is what owes more than c, so a cover one step below the debt.
    this.#index.put({ positionKey, tokenId, dueAtOrBelow: debtE12Of(position, aheadMs) - 1n });
    this.#covered.set(positionKey, { position, marketKey });
    const keys = this.#keysOfMarket.get(marketKey) ?? new Set();
    this.#keysOfMarket.set(marketKey, keys.add(positionKey));
    const worst = this.#worst.get(tokenId);
    const exitSeconds = this.#exitSecondsOf(position);
    this.#worst.set(tokenId, {
      size: worst === undefined ? position.tokenUnits : max(worst.size, position.tokenUnits),
      exitSeconds: Math.max(worst?.exitSeconds ?? 0, exitSeconds),
    });
    const snapshot = this.#snapshotOf(marketKey);
    if (snapshot !== null) this.#noteDeadline(snapshot, marketKey);
    if (snapshot !== null && this.#isPastHardExit(snapshot, position)) this.#hardExits.add(positionKey);
  }

  remove(positionKey: string): void {
    const covered = this.#covered.get(positionKey);
    if (covered === undefined) return;
    const { position, marketKey } = covered;
    const { venueTokenId: tokenId } = position;
    this.#index.remove(positionKey);
    this.#covered.delete(positionKey);
    this.#hardExits.delete(positionKey);
    const keys = this.#keysOfMarket.get(marketKey);
    keys?.delete(positionKey);
    if (keys?.size === 0) {
      this.#keysOfMarket.delete(marketKey);
      this.#deadlines.remove(marketKey);
    }
    if (!this.#index.holds(tokenId)) {
      this.#worst.delete(tokenId);
      this.#history.forget(tokenId);
    }
  }

  /**
   * Positions of a token that are due by cover; null while its cover cannot be read, so that nothing is known anew.
   */
  look(tokenId: string, marketKey: string): readonly string[] | null {
    if (!this.#index.holds(tokenId)) return [];
    const snapshot = this.#snapshotOf(marketKey);
    if (snapshot === null) return null;
    this.#noteDeadline(snapshot, marketKey);
    const side = snapshot.facts.yesTokenId === tokenId ? 'yes' : 'no';
    const inputs = coverInputsOf(snapshot, side, this.#policy);
    if (inputs === null) return null;
    this.#history.note(tokenId, inputs);
    const worst = this.#worst.get(tokenId);
    if (worst === undefined) return [];
    // The shock is computed once for each exit time: there are a dozen at most.
    const covers = new Map<number, ReturnType<typeof coverOf>>();
    const coverAt = (size: TokenUnits, exitSeconds: number): bigint => {
      const cover = covers.get(exitSeconds) ?? coverOf(inputs, policyAtExit(this.#policy, exitSeconds));
      covers.set(exitSeconds, cover);
      return cover(size);
    };
    return this.#index.dueAt(tokenId, coverAt(worst.size, worst.exitSeconds)).filter((positionKey) => {
      const position = this.#covered.get(positionKey)?.position;
      if (position === undefined) return false;
      return debtE12Of(position, snapshot.nowMs) > coverAt(position.tokenUnits, this.#exitSecondsOf(position));
    });
  }

  /** Positions that came past the hard exit of their market since the last call. */
  takePastDeadline(nowMs: number): readonly string[] {
    const keys = this.#deadlines.takeDue(nowMs).flatMap((market) => [...(this.#keysOfMarket.get(market) ?? [])]);
    const added = keys.filter((positionKey) => !this.#hardExits.has(positionKey));
    for (const positionKey of added) this.#hardExits.add(positionKey);
    return added;
  }

  /** Positions whose hard exit is in force. */
  get pastHardExit(): ReadonlySet<string> {
    return this.#hardExits;
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

  #isPastHardExit(snapshot: MarketSnapshot, { openedAtMs }: Position): boolean {
    const owing = { owesSinceMs: openedAtMs, wasHardExitInForce: false };
    return hardExitOf(snapshot, owing, this.#policy).isInForce;
  }

  /** A deadline may move with its game. One that has passed was acted on and is not set again. */
  #noteDeadline(snapshot: MarketSnapshot, marketKey: string): void {
    const phase = riskPhaseOf(snapshot, this.#policy);
    if (phase === null) return;
    const isNew = phase.hardExitAtMs > snapshot.nowMs || !this.#areAllPast(marketKey);
    if (isNew) this.#deadlines.set(marketKey, phase.hardExitAtMs);
  }

  #areAllPast(marketKey: string): boolean {
    const keys = this.#keysOfMarket.get(marketKey) ?? [];
    return [...keys].every((positionKey) => this.#hardExits.has(positionKey));
  }
}

/** d at a moment, scaled by 1e12. */
function debtE12Of(position: Position, atMs: number): bigint {
  const { principalUsdcUnits, feesUsdcUnits } = debtOf(position, atMs);
  return debtPerTokenOf(add(principalUsdcUnits, feesUsdcUnits), position.tokenUnits);
}

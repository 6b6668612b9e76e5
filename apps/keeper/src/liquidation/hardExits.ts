import type { MarketSnapshot } from '@core/market';
import { hardExitOf, type PolicyConfig, riskPhaseOf } from '@core/policy';
import type { Position } from '@core/position';
import { Deadlines } from './deadlines.ts';

/** A market and its snapshot; null while that cannot be read. */
interface Observed {
  readonly marketKey: string;
  readonly snapshot: MarketSnapshot | null;
}

/** Positions of a market whose hard exit is still ahead. */
interface Coming {
  readonly positions: Map<string, Position>;
  /** Start of the game, as observed; null before it and without a game. */
  startedAtMs: number | null;
}

/**
 * Hard exits of positions with debt. A market has one deadline for all its positions, which moves with its clock; at
 * the start of its game they are judged one by one, because an earlier debt is past its own deadline then. A hard exit
 * in force remains so until its position is removed. An evaluation costs O(log n + changes).
 */
export class HardExits {
  readonly #policy: PolicyConfig;
  readonly #coming = new Map<string, Coming>();
  readonly #deadlines = new Deadlines();
  readonly #marketOf = new Map<string, string>();
  readonly #inForce = new Set<string>();
  #new: string[] = [];

  constructor(policy: PolicyConfig) {
    this.#policy = policy;
  }

  /** Positions whose hard exit is in force. */
  get inForce(): ReadonlySet<string> {
    return this.#inForce;
  }

  /** Add or replace a position with debt. */
  put(position: Position, observed: Observed, wasInForce: boolean): void {
    const { positionKey } = position;
    const { marketKey } = observed;
    this.#marketOf.set(positionKey, marketKey);
    if (this.#inForce.has(positionKey)) return;
    // Earlier changes of the market come first: they do not affect a position added after them.
    this.evaluate(observed);
    const coming = this.#coming.get(marketKey) ?? { positions: new Map<string, Position>(), startedAtMs: null };
    if (this.#isInForce(position, observed, wasInForce)) {
      coming.positions.delete(positionKey);
      this.#forgetEmpty(marketKey);
      return this.#enter(positionKey);
    }
    coming.positions.set(positionKey, position);
    this.#coming.set(marketKey, coming);
    this.evaluate(observed);
  }

  remove(positionKey: string): void {
    const marketKey = this.#marketOf.get(positionKey);
    if (marketKey === undefined) return;
    this.#marketOf.delete(positionKey);
    this.#inForce.delete(positionKey);
    this.#coming.get(marketKey)?.positions.delete(positionKey);
    this.#forgetEmpty(marketKey);
  }

  /** Evaluate a market: at each tick of its books, and after a change of its record. */
  evaluate(observed: Observed): void {
    const { marketKey, snapshot } = observed;
    const coming = this.#coming.get(marketKey);
    const phase = snapshot === null ? null : riskPhaseOf(snapshot, this.#policy);
    if (coming === undefined || snapshot === null || phase === null) return;
    const { nowMs, facts } = snapshot;
    // A passed deadline is not replaced by a later one, whatever the market is now.
    if (this.#deadlines.isDue(marketKey, nowMs) || phase.hardExitAtMs <= nowMs) return this.#enterAll(marketKey);
    const isGame = phase.kind === 'in_play' && facts.subject?.kind === 'sport';
    const startedAtMs = isGame ? facts.subject.gameStartAtMs : null;
    if (coming.startedAtMs !== startedAtMs) {
      coming.startedAtMs = startedAtMs;
      for (const [positionKey, position] of coming.positions) {
        if (!this.#isInForce(position, observed, false)) continue;
        coming.positions.delete(positionKey);
        this.#enter(positionKey);
      }
    }
    this.#deadlines.set(marketKey, phase.hardExitAtMs);
    this.#forgetEmpty(marketKey);
  }

  /** Return the positions whose hard exit came into force since the last call, by time or by an evaluation. */
  takeNew(nowMs: number): readonly string[] {
    for (const marketKey of this.#deadlines.takeDue(nowMs)) this.#enterAll(marketKey);
    const positionKeys = this.#new;
    this.#new = [];
    return positionKeys.filter((positionKey) => this.#inForce.has(positionKey));
  }

  #isInForce({ openedAtMs }: Position, { snapshot }: Observed, wasHardExitInForce: boolean): boolean {
    if (snapshot === null) return wasHardExitInForce;
    return hardExitOf(snapshot, { owesSinceMs: openedAtMs, wasHardExitInForce }, this.#policy).isInForce;
  }

  #enter(positionKey: string): void {
    this.#inForce.add(positionKey);
    this.#new.push(positionKey);
  }

  #enterAll(marketKey: string): void {
    const { positions } = this.#coming.get(marketKey) ?? {};
    for (const positionKey of positions?.keys() ?? []) this.#enter(positionKey);
    positions?.clear();
    this.#forgetEmpty(marketKey);
  }

  #forgetEmpty(marketKey: string): void {
    if (this.#coming.get(marketKey)?.positions.size !== 0) return;
    this.#coming.delete(marketKey);
    this.#deadlines.remove(marketKey);
  }
}

import { hardExitOf, type MarketSnapshot, type PolicyConfig, riskPhaseOf } from '@core/policy';
import type { Position } from '@core/position';
import { Deadlines } from './deadlines.ts';

/** A market, and what is observed of it; null while that is not known. */
interface Observed {
  readonly marketKey: string;
  readonly snapshot: MarketSnapshot | null;
}

/** The positions of a market whose hard exit is still to come. */
interface Coming {
  readonly positions: Map<string, Position>;
  /** When the game began, as far as was looked; null before it and where there is none. */
  startedAtMs: number | null;
}

/**
 * The hard exits of positions that owe. A market has one deadline for all its positions, which moves with its clock;
 * when its game begins they are judged one by one, because a debt from before is past its own then. Once the hard exit
 * of a position is in force it stays so until the position is removed. A look costs O(log n + what it brings about).
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

  /** Takes in a position that owes something, in place of what was known of it. */
  put(position: Position, observed: Observed, wasInForce: boolean): void {
    const { positionKey } = position;
    const { marketKey } = observed;
    this.#marketOf.set(positionKey, marketKey);
    if (this.#inForce.has(positionKey)) return;
    // First what has come about in its market: that is nothing to a position which is taken in after it.
    this.look(observed);
    const coming = this.#coming.get(marketKey) ?? { positions: new Map<string, Position>(), startedAtMs: null };
    if (this.#isInForce(position, observed, wasInForce)) {
      coming.positions.delete(positionKey);
      this.#forgetEmpty(marketKey);
      return this.#enter(positionKey);
    }
    coming.positions.set(positionKey, position);
    this.#coming.set(marketKey, coming);
    this.look(observed);
  }

  remove(positionKey: string): void {
    const marketKey = this.#marketOf.get(positionKey);
    if (marketKey === undefined) return;
    this.#marketOf.delete(positionKey);
    this.#inForce.delete(positionKey);
    this.#coming.get(marketKey)?.positions.delete(positionKey);
    this.#forgetEmpty(marketKey);
  }

  /** Judges a market as it is now: at each tick of its books, and when its record has changed. */
  look(observed: Observed): void {
    const { marketKey, snapshot } = observed;
    const coming = this.#coming.get(marketKey);
    const phase = snapshot === null ? null : riskPhaseOf(snapshot, this.#policy);
    if (coming === undefined || snapshot === null || phase === null) return;
    const { nowMs, facts } = snapshot;
    // A deadline that has passed is not replaced by a later one, whatever the market has become since.
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

  /** Positions whose hard exit came into force since the last call, by time or by a look. */
  takeNew(nowMs: number): readonly string[] {
    for (const marketKey of this.#deadlines.takeDue(nowMs)) this.#enterAll(marketKey);
    const found = this.#new;
    this.#new = [];
    return found.filter((positionKey) => this.#inForce.has(positionKey));
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

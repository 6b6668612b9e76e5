import { advanceFixture, type Fixture, fixtureSlots, newFixture, restBetweenGamesMs } from './fixtures.ts';

const minuteMs = 60_000;

/** Games of the venue. Running games advance, and every slot has a next game. */
export class FixtureBoard {
  readonly #seed: string;
  readonly #onAnnounced: (fixture: Fixture) => void;
  readonly #bySlug = new Map<string, Fixture>();
  /** Games that have not ended. */
  readonly #open = new Set<Fixture>();

  /** @param parameters.onAnnounced Called with every listed game, advanced to the present. */
  constructor(parameters: { readonly seed: string; readonly onAnnounced: (fixture: Fixture) => void }) {
    this.#seed = parameters.seed;
    this.#onAnnounced = parameters.onAnnounced;
  }

  all(): Iterable<Fixture> {
    return this.#bySlug.values();
  }

  get(slug: string): Fixture | undefined {
    return this.#bySlug.get(slug);
  }

  /** Announce the first game of every slot. */
  open(nowMs: number): void {
    for (const slot of fixtureSlots) {
      const startMs = nowMs + slot.startMinutes * minuteMs;
      this.#announce(newFixture({ seed: this.#seed, slot, generation: 0, startMs }), nowMs);
    }
  }

  /** Advance all games to an instant. */
  advance(nowMs: number): void {
    for (const fixture of this.#open) {
      advanceFixture(fixture, nowMs);
      if (fixture.endedMs === null) continue;
      this.#open.delete(fixture);
      this.#announceNext(fixture, nowMs);
    }
  }

  /** Announce the slot's next game. A game that has already ended is skipped with its markets. */
  #announceNext(ended: Fixture, nowMs: number): void {
    let last = ended;
    for (;;) {
      const startMs = (last.endedMs ?? nowMs) + restBetweenGamesMs;
      const { slot, generation } = last;
      const next = newFixture({ seed: this.#seed, slot, generation: generation + 1, startMs });
      advanceFixture(next, nowMs);
      if (next.endedMs === null) {
        this.#announce(next, nowMs);
        return;
      }
      last = next;
    }
  }

  #announce(fixture: Fixture, nowMs: number): void {
    advanceFixture(fixture, nowMs);
    this.#bySlug.set(fixture.slug, fixture);
    this.#open.add(fixture);
    this.#onAnnounced(fixture);
  }
}

import type { WatchedMarkets } from './watchedMarkets.ts';

/** Half of the age at which a book stops counting as live. */
const wholeIntervalMs = 2_500;

/** Ids that a message of the market socket names, as far as it can be read. */
interface NamedIds {
  readonly tokenIds: readonly string[];
  readonly conditionIds: readonly string[];
}

const fieldOf = (wire: unknown, name: string): unknown =>
  typeof wire === 'object' && wire !== null ? Reflect.get(wire, name) : undefined;

const textsOf = (values: readonly unknown[]): readonly string[] =>
  values.filter((value): value is string => typeof value === 'string');

/** Return the ids named by a message that cannot be read whole; null when it names none. */
function namedIdsOf(wire: unknown): NamedIds | null {
  const changes = fieldOf(wire, 'price_changes');
  const tokenIds = textsOf([
    fieldOf(wire, 'asset_id'),
    ...(Array.isArray(changes) ? changes.map((change: unknown) => fieldOf(change, 'asset_id')) : []),
  ]);
  const conditionIds = textsOf([fieldOf(wire, 'market')]).map((conditionId) => conditionId.toLowerCase());
  return tokenIds.length + conditionIds.length === 0 ? null : { tokenIds, conditionIds };
}

/**
 * Tracker of missed messages. It decides which books a message may have changed that could not be read: those of the
 * tokens that it names, and all of them only when it names none. A stream of frames that name nothing does not become a
 * stream of reads of all books. Instants are the process's own monotonic milliseconds.
 */
export class MissedMessages {
  readonly #markets: Pick<WatchedMarkets, 'market' | 'token' | 'tokenIds'>;
  readonly #onMissed: (tokenIds: readonly string[]) => void;
  #isAnythingMissed = false;
  #wholeAt = Number.NEGATIVE_INFINITY;

  constructor(
    markets: Pick<WatchedMarkets, 'market' | 'token' | 'tokenIds'>,
    onMissed: (tokenIds: readonly string[]) => void,
  ) {
    this.#markets = markets;
    this.#onMissed = onMissed;
  }

  /** Call with each message that cannot be read. */
  unreadable(wire: unknown, now: number): void {
    const named = namedIdsOf(wire);
    if (named === null) {
      this.#isAnythingMissed = true;
      this.sweep(now);
      return;
    }
    const markets = named.conditionIds.map((conditionId) => this.#markets.market(conditionId));
    const tokenIds = markets.flatMap((market) => market?.tokens.map(({ tokenId }) => tokenId) ?? []);
    const watched = [...named.tokenIds, ...tokenIds].filter((tokenId) => this.#markets.token(tokenId) !== undefined);
    this.#onMissed([...new Set(watched)]);
  }

  /** Call now and then. */
  sweep(now: number): void {
    if (this.#isAnythingMissed && now - this.#wholeAt >= wholeIntervalMs) this.#everything(now);
  }

  #everything(now: number): void {
    this.#isAnythingMissed = false;
    this.#wholeAt = now;
    this.#onMissed(this.#markets.tokenIds());
  }
}

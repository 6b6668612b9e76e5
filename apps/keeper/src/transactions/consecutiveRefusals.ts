/** Position and market of an order that the venue refused. */
export interface RefusedOrder {
  readonly positionKey: string;
  readonly venueMarketId: string;
}

/**
 * Thresholds of a venue-wide cause: one position, or all orders of one market, may be refused repeatedly for reasons of
 * their own.
 */
const minPositions = 3;
const minMarkets = 2;
/** Refusals further apart belong to different causes. */
const seriesMs = 600_000;

/**
 * Consecutive refusals, one per position. An order that the venue accepts or refuses for its own sake ends the series.
 */
export class ConsecutiveRefusals {
  /** By position, the newest last. */
  readonly #refusals = new Map<string, { readonly venueMarketId: string; readonly atMs: number }>();

  /** Record a refusal at a monotonic instant. */
  add({ positionKey, venueMarketId }: RefusedOrder, atMs: number): void {
    this.#refusals.delete(positionKey);
    this.#refusals.set(positionKey, { venueMarketId, atMs });
    for (const [oldest, refusal] of this.#refusals) {
      if (atMs - refusal.atMs <= seriesMs) return;
      this.#refusals.delete(oldest);
    }
  }

  clear(): void {
    this.#refusals.clear();
  }

  /** True when so many positions in several markets were refused that the cause is the venue or our account. */
  get isVenueWide(): boolean {
    const markets = new Set([...this.#refusals.values()].map(({ venueMarketId }) => venueMarketId));
    return this.#refusals.size >= minPositions && markets.size >= minMarkets;
  }
}

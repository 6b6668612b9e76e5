import { z } from 'zod';

const accountsSchema = z.object({
  makers: z.array(z.string()),
  takers: z.array(z.string()),
});
const clockSchema = z.object({ now_ms: z.number() });
const replaySchema = z.object({
  markets: z.array(z.object({ market_id: z.string(), slug: z.string(), rows: z.number(), ends_at_ms: z.number() })),
});

export type ReplayedMarket = z.infer<typeof replaySchema>['markets'][number];

const pinnedSeconds = 604_800;

/** Client of the simulator's control routes, which no real venue has. */
export class VenueControl {
  readonly #venueUrl: string;

  constructor(venueUrl: string) {
    this.#venueUrl = venueUrl;
  }

  /** Play a scenario on one market, or on the whole venue. */
  async play(name: string, market: string | null, params: object): Promise<void> {
    await this.#send('POST', '/control/scenarios', JSON.stringify({ name, market, params }));
  }

  /**
   * Pin the price of YES in markets for a week, at their current price by default. A market that accepts positions
   * keeps accepting them, however slow the machine is.
   */
  async pin(tickers: Iterable<string>, to?: string): Promise<void> {
    const params = { seconds: pinnedSeconds, ...(to === undefined ? {} : { to }) };
    await Promise.all([...tickers].map((ticker) => this.play('pin', ticker, params)));
  }

  async nowMs(): Promise<number> {
    return clockSchema.parse(await this.#send('GET', '/control/clock')).now_ms;
  }

  /** Advance the clock of chain, venue and service together. */
  async advance(seconds: number): Promise<void> {
    await this.#send('POST', '/control/clock', JSON.stringify({ advance_seconds: seconds }));
  }

  /** List a recorded market whose first row is now. */
  async replay(csv: string, query: Readonly<Record<string, string>>): Promise<readonly ReplayedMarket[]> {
    const path = `/control/replays?${new URLSearchParams(query)}`;
    return replaySchema.parse(await this.#send('POST', path, csv)).markets;
  }

  /** Addresses of the simulated makers and takers. */
  async traders(): Promise<z.infer<typeof accountsSchema>> {
    return accountsSchema.parse(await this.#send('GET', '/control/accounts'));
  }

  async #send(method: 'GET' | 'POST', path: string, body?: string): Promise<unknown> {
    const headers = { 'content-type': path.startsWith('/control/replays') ? 'text/csv' : 'application/json' };
    const response = await fetch(
      `${this.#venueUrl}${path}`,
      body === undefined ? { method, redirect: 'error' } : { method, headers, body, redirect: 'error' },
    );
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer;
  }
}

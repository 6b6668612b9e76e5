import { vi } from 'vitest';
import type { Terminal } from './terminal.ts';

/** A market as the command line lists it, as far as tests choose by it. */
export interface ListedMarket {
  readonly ticker: string;
  readonly latest_enter_at: string | null;
  readonly sided_eligibility: Readonly<Record<'yes' | 'no', { readonly accepting_new_positions: boolean }>>;
}

/** More than the tests of a stack take anywhere. */
const lastingMs = 3_600_000;

function lasts({ latest_enter_at: at }: ListedMarket): boolean {
  return at === null || Date.parse(at) > Date.now() + lastingMs;
}

/**
 * Waits until a market that lasts takes positions, and ends the price walk of every market that does, so that a price
 * stays where it was found however long a busy machine takes. Returns those that last, the deepest first.
 */
export async function steadyMarkets(terminal: Terminal): Promise<readonly ListedMarket[]> {
  const markets = await vi.waitFor(
    async () => {
      const { document } = await terminal.json('markets', '--limit', '100');
      const listed = document as readonly ListedMarket[];
      if (!Array.isArray(document) || !listed.some(lasts)) throw new Error('no market that lasts takes positions yet');
      return listed;
    },
    { timeout: 120_000, interval: 500 },
  );
  for (const { ticker } of markets) {
    const { code, err } = await terminal.run('scenario', 'pin', ticker, '--params', '{"seconds":86400}');
    if (code !== 0) throw new Error(err);
  }
  return markets.filter(lasts);
}

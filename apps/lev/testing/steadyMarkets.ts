import { VenueControl } from '@core/venue-sim/control';
import { vi } from 'vitest';
import type { Terminal } from './terminal.ts';

/** Fields of a listed market by which tests select it. */
export interface ListedMarket {
  readonly ticker: string;
  readonly latest_enter_at: string | null;
  readonly sided_eligibility: Readonly<Record<'yes' | 'no', { readonly accepting_new_positions: boolean }>>;
}

/** Minimum remaining life of a market: nearer to its end less leverage is offered. */
const minimumLifeMs = 4 * 3_600_000;

/** Fields of a draft by which tests select its market. */
interface DraftTerms {
  readonly leverage_bps: number;
  readonly expected_open_trading_fee_usdc_units: string;
}

/** Least leverage of a steady market: no new reading of the risk refuses the 2x that tests request. */
const steadyLeverageBps = 30_000;
const largestLeverageBps = 100_000;

/** True for terms that last: leverage above what tests need and below the largest, and a fee of the venue. */
function areSteady({ leverage_bps: leverage, expected_open_trading_fee_usdc_units: fee }: DraftTerms): boolean {
  return leverage >= steadyLeverageBps && leverage < largestLeverageBps && fee !== '0';
}

/**
 * Wait for long-lived markets and pin the price of every market that accepts positions. Prices stay constant however
 * slow the machine is.
 *
 * @returns the long-lived markets, deepest first.
 */
async function pinMarkets(terminal: Terminal, venueUrl: string): Promise<readonly ListedMarket[]> {
  const endMs = (await new VenueControl(venueUrl).nowMs()) + minimumLifeMs;
  const isLongLived = ({ latest_enter_at: at }: ListedMarket): boolean => at === null || Date.parse(at) > endMs;
  const markets = await vi.waitFor(
    async () => {
      const { document } = await terminal.json('markets', '--limit', '100');
      const listed = document as readonly ListedMarket[];
      if (!Array.isArray(document) || !listed.some(isLongLived))
        throw new Error('no long-lived market accepts positions yet');
      return listed;
    },
    { timeout: 120_000, interval: 500 },
  );
  for (const { ticker } of markets) {
    const { code, err } = await terminal.run('scenario', 'pin', ticker, '--params', '{"seconds":86400}');
    if (code !== 0) throw new Error(err);
  }
  return markets.filter(isLongLived);
}

/** Pin prices, and wait until a long-lived market is quoted on steady terms. */
export async function steadyMarket(terminal: Terminal, venueUrl: string): Promise<ListedMarket> {
  const markets = await pinMarkets(terminal, venueUrl);
  return vi.waitFor(() => firstSteady(terminal, markets), { timeout: 120_000, interval: 1_000 });
}

/** Pin prices, and wait until the deepest long-lived market is quoted. */
export async function quotedMarkets(terminal: Terminal, venueUrl: string): Promise<void> {
  const [deepest] = await pinMarkets(terminal, venueUrl);
  if (deepest === undefined) throw new Error('pinMarkets waits for one');
  await vi.waitFor(
    async () => {
      const words = ['quote', deepest.ticker, '--side', sideOf(deepest), '--notional', '40'];
      const { code, err } = await terminal.run(...words);
      if (code !== 0) throw new Error(err);
    },
    { timeout: 120_000, interval: 1_000 },
  );
}

/** Quote markets until one has steady terms. A stack that has just started refuses while its averages are young. */
async function firstSteady(terminal: Terminal, markets: readonly ListedMarket[]): Promise<ListedMarket> {
  const refusals: string[] = [];
  for (const market of markets) {
    const words = ['quote', market.ticker, '--side', sideOf(market), '--notional', '40', '--leverage', '10'];
    const { document } = await terminal.json(...words);
    const { draft } = document as { readonly draft?: DraftTerms };
    if (draft !== undefined && areSteady(draft)) return market;
    refusals.push(`${market.ticker}: ${JSON.stringify(document)}`);
  }
  throw new Error(refusals.join('\n'));
}

/** Return the side of a listed market that accepts positions. */
export const sideOf = ({ sided_eligibility: sided }: ListedMarket): 'yes' | 'no' =>
  sided.yes.accepting_new_positions ? 'yes' : 'no';

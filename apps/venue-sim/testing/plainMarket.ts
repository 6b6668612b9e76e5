import type { FairSource } from '../src/catalogue/fairSource.ts';
import type { MarketDraft } from '../src/catalogue/marketDefinition.ts';
import type { RunningMarket } from '../src/venue/marketRegistry.ts';
import type { SimVenue } from '../src/venue/simVenue.ts';

let count = 0;

/** Fair source with a constant price; the test decides its outcome. */
const steadyFair = (fair: number): FairSource => ({
  fairAt: () => ({ kind: 'model', fair }),
  pastFairAt: () => fair,
  outcomeAt: () => null,
});

/** List a daily crypto market at even odds and quote it. */
export async function listPlainMarket(venue: SimVenue, changes: Partial<MarketDraft> = {}): Promise<RunningMarket> {
  count += 1;
  const slug = changes.slug ?? `btc-plain-daily-${count}`;
  const endMs = venue.nowMs + 86_400_000;
  const running = venue.list({
    slug,
    question: `Plain market ${count}`,
    description: '',
    groupItemTitle: null,
    outcomes: ['Up', 'Down'],
    event: { id: `e-${slug}`, slug, title: slug, series: null, resolutionSource: null, gameSlug: null },
    category: 'crypto',
    asset: 'BTC',
    sport: null,
    sportsMarketType: null,
    line: null,
    spanStartMs: null,
    gameStartMs: null,
    endDateMs: endMs,
    tradingEndMs: endMs,
    isNegRisk: false,
    tickPricePips: 100n,
    hasFineTick: true,
    areFeesEnabled: true,
    feeSchedule: { ratePpm: 70_000n, exponent: 1n },
    depthUsdPerCent: 1_000,
    volume24hUsd: 50_000,
    fairSource: steadyFair(0.5),
    ...changes,
  });
  await venue.markets.listingDone();
  venue.tick(running, true);
  return running;
}

import { latestEntryAtMsOf, type MarketStatus, type PolicyConfig, unseenMarketOf } from '@core/policy';
import type { ListedMarket, MarketRecord } from '@core/store';
import {
  checkIdentity,
  defaultCryptoAssets,
  marketFactsOf,
  observedStatusOf,
  plainOverlayOf,
  type VenueMarket,
} from '@core/venue';
import type { KeeperPorts } from '../ports.ts';

const pageSize = 500;

/** Reads the venue's whole catalogue into the market list, and moves statuses along as the catalogue sees them. */
export async function syncCatalogue(ports: KeeperPorts): Promise<void> {
  const nowMs = ports.clock.nowMs();
  const seen = await readCatalogue(ports);
  const listed = seen.flatMap((market) => listedMarketOf(ports, market, nowMs));
  const { discovered } = await ports.store.markets.sync(listed, nowMs);
  if (discovered.length > 0) {
    ports.logger.info({ count: discovered.length }, 'markets discovered');
  }
  const known = new Map((await ports.store.markets.all()).map((market) => [market.ticker, market]));
  for (const market of seen) {
    const record = known.get(market.ticker);
    if (record !== undefined) {
      await moveTowards(ports, record, observedStatusOf(market));
    }
  }
}

async function readCatalogue(ports: KeeperPorts): Promise<readonly VenueMarket[]> {
  const markets: VenueMarket[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<KeeperPorts['venue']['cataloguePage']>> = await ports.venue.cataloguePage({
      limit: pageSize,
      ...(cursor === null ? {} : { cursor }),
    });
    markets.push(...page.markets);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return markets;
}

/** The stops on the way to a status: a market that closed and was determined between two looks passes both. */
const ways: Readonly<Record<MarketStatus, readonly MarketStatus[]>> = {
  active: [],
  closed: ['closed'],
  determined: ['closed', 'determined'],
  disputed: ['closed', 'disputed'],
  finalized: ['closed', 'determined', 'finalized'],
};

/** Moves a market as far towards a status as legal moves go. Never back to active, and never out of finalized. */
export async function moveTowards(ports: KeeperPorts, market: MarketRecord, status: MarketStatus): Promise<void> {
  if (market.status === status || market.status === 'finalized' || status === 'active') {
    return;
  }
  const way = ways[status];
  const start = way.indexOf(market.status) + 1;
  for (const next of way.slice(start)) {
    const move = await ports.store.markets.moveStatus(market.id, next, ports.clock.nowMs());
    if (move === 'illegal') {
      ports.logger.warn({ ticker: market.ticker, from: market.status, to: next }, 'illegal market move ignored');
      return;
    }
  }
}

/** A market as it is listed; none when its tokens do not follow from an allow-listed oracle's condition. */
function listedMarketOf(ports: KeeperPorts, market: VenueMarket, nowMs: number): readonly ListedMarket[] {
  const { conditionId, questionId, tokenIds } = market;
  if (conditionId === null || tokenIds === null) {
    return [];
  }
  const identity = checkIdentity(market, {
    collateralToken: ports.contracts.usdc,
    oracles: ports.oracles,
  });
  // Neg-risk markets cannot be derived from our collateral: listed, never eligible, and without an oracle never registered.
  if (identity.kind === 'refused' && !market.isNegRisk) {
    return [];
  }
  return [
    {
      ticker: market.ticker,
      venueMarketId: conditionId,
      questionId,
      oracleAddress: identity.kind === 'proven' ? identity.oracle : null,
      yesTokenId: tokenIds.yes,
      noTokenId: tokenIds.no,
      title: market.title,
      yesSubTitle: market.yesSubTitle,
      category: market.category,
      eventTicker: market.event?.slug ?? market.ticker,
      eventTitle: market.event?.title ?? market.title,
      seriesTicker: market.series?.slug ?? null,
      clusterKey: clusterKeyOf(market),
      tags: tagsOf(market),
      closeTimeMs: market.closeTimeMs,
      latestEnterAtMs: latestEnterAtMsOf(market, ports.policy, nowMs),
      record: market,
    },
  ];
}

/** Markets that resolve on one event share a cap: one crypto hour over all assets, one game over all its lines. */
function clusterKeyOf(market: VenueMarket): string | null {
  if (market.category === 'crypto' && market.closeTimeMs !== null) {
    return `crypto:${new Date(market.closeTimeMs).toISOString().slice(0, 13)}`;
  }
  return market.category === 'sport' && market.event !== null ? `game:${market.event.slug}` : null;
}

function tagsOf(market: VenueMarket): readonly string[] {
  return [market.category, market.cryptoAsset, market.sport].filter((tag) => tag !== null);
}

/** From the schedule alone: neither books nor the reference feed move the last moment of entry. */
function latestEnterAtMsOf(market: VenueMarket, policy: PolicyConfig, nowMs: number): number | null {
  const facts = marketFactsOf(market, plainOverlayOf('', 'active'), new Set(Object.keys(defaultCryptoAssets)));
  return latestEntryAtMsOf(unseenMarketOf(facts, nowMs), policy);
}

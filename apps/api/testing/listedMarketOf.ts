import type { ListedMarket, VenueMarket } from '@core/market';

/** The listing of a venue's record, as a catalogue sync writes it. */
export function listedMarketOf(market: VenueMarket): ListedMarket {
  const { conditionId, tokenIds } = market;
  if (conditionId === null || tokenIds === null) throw new Error('such a market is not listed');
  return {
    ticker: market.ticker,
    venueMarketId: conditionId,
    questionId: market.questionId,
    oracleAddress: `0x${'0'.repeat(39)}1`,
    yesTokenId: tokenIds.yes,
    noTokenId: tokenIds.no,
    title: market.title,
    yesSubTitle: market.yesSubTitle,
    noSubTitle: market.outcomes[1],
    category: market.category,
    eventTicker: market.event?.slug ?? market.ticker,
    eventTitle: market.event?.title ?? market.title,
    seriesTicker: market.series?.slug ?? null,
    clusterKey: null,
    tags: ['crypto'],
    closeTimeMs: market.closeTimeMs,
    latestEnterAtMs: market.closeTimeMs === null ? null : market.closeTimeMs - 600_000,
    record: market,
  };
}

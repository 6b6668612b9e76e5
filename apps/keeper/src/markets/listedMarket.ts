import {
  exchangeOf,
  type ListedMarket,
  marketFactsOf,
  marketProtocols,
  plainOverlayOf,
  unseenMarketOf,
  type VenueMarket,
} from '@core/market';
import { latestEntryAtMsOf, type PolicyConfig } from '@core/policy';
import { defaultCryptoAssets, type IdentityCheck, type IdentityTerms } from '@core/venue';

/** Rules by which markets are listed. */
export interface ListingRules extends IdentityTerms {
  readonly policy: PolicyConfig;
}

/**
 * Return the listing of a market; empty when its tokens do not derive from a condition of an allow-listed oracle. The
 * oracle of the PositionManager knows a question by its condition.
 */
export function listedMarketOf(
  market: VenueMarket,
  {
    identity,
    policy,
    nowMs,
  }: { readonly identity: IdentityCheck; readonly policy: PolicyConfig; readonly nowMs: number },
): readonly ListedMarket[] {
  const { conditionId, tokenIds, version } = market;
  if (conditionId === null || tokenIds === null) {
    return [];
  }
  // Neg-risk markets cannot be derived from our collateral: listed, never eligible, and without an oracle never
  // registered.
  if (identity.kind === 'refused' && exchangeOf(market) !== 'neg_risk_ctf_exchange') {
    return [];
  }
  return [
    {
      ticker: market.ticker,
      venueMarketId: conditionId,
      questionId: marketProtocols[version].ledger === 'position_manager' ? conditionId : market.questionId,
      oracleAddress: identity.kind === 'proven' ? identity.oracle : null,
      yesTokenId: tokenIds.yes,
      noTokenId: tokenIds.no,
      title: market.title,
      yesSubTitle: market.yesSubTitle,
      noSubTitle: market.outcomes[1],
      category: market.category,
      eventTicker: market.event?.slug ?? market.ticker,
      eventTitle: market.event?.title ?? market.title,
      seriesTicker: market.series?.slug ?? null,
      clusterKey: clusterKeyOf(market),
      tags: tagsOf(market),
      closeTimeMs: market.closeTimeMs,
      latestEnterAtMs: latestEnterAtMsOf(market, policy, nowMs),
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

/** The published last moment of entry has whole minutes: a jitter of seconds changes nothing. */
const entryPrecisionMs = 60_000;

/**
 * Return the last moment of entry by the schedule alone, rounded down to a minute: neither books nor the reference feed
 * move it.
 */
function latestEnterAtMsOf(market: VenueMarket, policy: PolicyConfig, nowMs: number): number | null {
  const facts = marketFactsOf(market, plainOverlayOf('', 'active'), new Set(Object.keys(defaultCryptoAssets)));
  const atMs = latestEntryAtMsOf(unseenMarketOf(facts, nowMs), policy);
  return atMs === null ? null : Math.floor(atMs / entryPrecisionMs) * entryPrecisionMs;
}

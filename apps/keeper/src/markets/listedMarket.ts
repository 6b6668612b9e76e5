import { latestEntryAtMsOf, type PolicyConfig, unseenMarketOf } from '@core/policy';
import type { ListedMarket } from '@core/store';
import { defaultCryptoAssets, type IdentityCheck, marketFactsOf, plainOverlayOf, type VenueMarket } from '@core/venue';
import type { Address } from 'viem';

/** What a market is listed by. */
export interface ListingRules {
  readonly collateralToken: Address;
  /** Oracles whose conditions are listed. */
  readonly oracles: readonly Address[];
  readonly policy: PolicyConfig;
}

/** A market as it is listed; none when its tokens do not follow from an allow-listed oracle's condition. */
export function listedMarketOf(
  market: VenueMarket,
  {
    identity,
    policy,
    nowMs,
  }: { readonly identity: IdentityCheck; readonly policy: PolicyConfig; readonly nowMs: number },
): readonly ListedMarket[] {
  const { conditionId, questionId, tokenIds } = market;
  if (conditionId === null || tokenIds === null) {
    return [];
  }
  // Neg-risk markets cannot be derived from our collateral: listed, never eligible, and without an oracle never
  // registered.
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

/** What is published of the last moment of entry is whole minutes: a jitter of seconds changes nothing. */
const shownInstantMs = 60_000;

/**
 * From the schedule alone: neither books nor the reference feed move the last moment of entry. The minute it lies in,
 * so never later than it is.
 */
function latestEnterAtMsOf(market: VenueMarket, policy: PolicyConfig, nowMs: number): number | null {
  const facts = marketFactsOf(market, plainOverlayOf('', 'active'), new Set(Object.keys(defaultCryptoAssets)));
  const atMs = latestEntryAtMsOf(unseenMarketOf(facts, nowMs), policy);
  return atMs === null ? null : Math.floor(atMs / shownInstantMs) * shownInstantMs;
}

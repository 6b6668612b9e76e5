import { type MarketSnapshot, sideOf } from '@core/market';
import { compare, min, type PricePips, type RateBps, raw, tokenUnits, usdcUnits, walkAsks } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import { isBelowFillCost } from '../fill/isBelowFillCost.ts';
import { highestPriceAtShareOf, smallestShareInJumpOf } from '../leverage/grantedLeverage.ts';
import { riskPhaseOf } from '../market/riskPhase.ts';
import {
  type AttestationRefusal,
  type AttestationRequest,
  type AttestationTerms,
  refused,
} from './attestationTerms.ts';
import { decideAttestation, isForced } from './decideAttestation.ts';
import { isOfUseAtRank } from './rankedSale.ts';

/** Request for a grant: its size takes the place of an order's tokens. */
export interface GrantRequest extends Omit<AttestationRequest, 'route' | 'tokenUnits'> {
  /** Most that the grant trades: USDC units of an opening, fee apart; token units of a sale. */
  readonly mostUnits: bigint;
  /** Collateral of an opening as a share of its notional; null for a sale. */
  readonly collateralShareBps: RateBps | null;
}

/** The market's part of a grant's attestation. */
export interface GrantTerms extends Omit<AttestationTerms, 'kind'> {
  readonly kind: 'grant';
  readonly mostUnits: bigint;
  readonly validForSeconds: number;
  /** Last second of a fill, in Unix seconds. */
  readonly notAfterSeconds: number;
}

/** End of a grant in a market without a known time of its result: the vault adds the seconds itself. */
const noEndSeconds = 0xffff_ffff;

/** Return the request of an attestation for a grant: of an opening, the tokens that its money buys in the book. */
export function attestationRequestOf(snapshot: MarketSnapshot, request: GrantRequest): AttestationRequest | null {
  if (request.purpose !== 'open') {
    // A grant pays its attested fee part and no more, whatever the exchange may take.
    const position = request.position && { ...request.position, maxVenueFeeBps: null };
    return { ...request, route: 'fill', position, tokenUnits: tokenUnits(request.mostUnits) };
  }
  const { book } = sideOf(snapshot, request.side);
  const walk = walkAsks({ asks: book?.asks ?? [], notionalUsdcUnits: usdcUnits(request.mostUnits) });
  const isWhole = raw(walk.restUsdcUnits) === 0n && raw(walk.tokenUnits) > 0n;
  return !isWhole ? null : { ...request, route: 'fill', tokenUnits: walk.tokenUnits };
}

/**
 * Decide the terms of a grant: those of an attestation, and the seconds of its life. The limit is the average of its
 * size, the cost of a filler and a tick. A filler chooses the moment, so an opening is refused where the odds may take
 * a third of the collateral meanwhile. A forced sale that brings less than a fill costs is too small. No fill happens
 * where a result may be known.
 */
export function decideGrant(
  snapshot: MarketSnapshot,
  request: GrantRequest,
  config: PolicyConfig = policyDefaults,
): GrantTerms | AttestationRefusal {
  const attestationRequest = attestationRequestOf(snapshot, request);
  if (attestationRequest === null) return refused('book_too_thin');
  const terms = decideAttestation(snapshot, attestationRequest, config);
  if (terms.kind === 'refused') return terms;
  const { purpose, mostUnits } = request;
  const validForSeconds = config.grant.validForSeconds[purpose];
  const notAfterSeconds = notAfterSecondsOf(snapshot, config);
  if (notAfterSeconds * 1_000 <= snapshot.nowMs) return refused('trading_window_over');
  if (purpose === 'open' && isJumpTooLarge(snapshot, { ...request, mark: terms.markPricePips }, config)) {
    return refused('jump_too_large');
  }
  // The fee part is money that the vault pays: beyond its maximum nothing is granted.
  if (compare(terms.venueFeeBps, config.grant.maxVenueFeeBps) > 0) return refused('fee_schedule_missing');
  const limitPricePips = healthyLimitOf(terms, request);
  const beyond = raw(terms.limitPricePips) - raw(limitPricePips);
  // Below the average of the size and the cost of a filler there is no seller.
  if (beyond > raw(snapshot.facts.tickPricePips)) return refused('book_too_thin');
  if (!isOfUseAtRank(snapshot, { request: attestationRequest, terms }, config)) return refused('book_too_thin');
  if (isTooSmall(snapshot, request, { terms, config })) return refused('size_too_small');
  return { ...terms, kind: 'grant', limitPricePips, mostUnits, validForSeconds, notAfterSeconds };
}

/** Return true for a forced sale that fillers leave for its size. Closes have the prices of their users. */
function isTooSmall(
  snapshot: MarketSnapshot,
  { purpose, side, mostUnits, aheadTokenUnits }: GrantRequest,
  { terms, config }: { readonly terms: AttestationTerms; readonly config: PolicyConfig },
): boolean {
  const { book } = sideOf(snapshot, side);
  const { venueFee } = snapshot.facts;
  if (!isForced(purpose) || book === null || venueFee === null) return false;
  const sale = { ...terms, tokenUnits: tokenUnits(mostUnits), aheadTokenUnits, book, venueFee };
  return isBelowFillCost(sale, config.grant.fillerCost);
}

/** Return the limit of an opening at which the vault still takes its leverage. Other limits are unchanged. */
function healthyLimitOf(
  { limitPricePips, markPricePips }: Pick<AttestationTerms, 'limitPricePips' | 'markPricePips'>,
  { collateralShareBps }: GrantRequest,
): PricePips {
  const highest = collateralShareBps && highestPriceAtShareOf(markPricePips, raw(collateralShareBps));
  return highest === null ? limitPricePips : min(limitPricePips, highest);
}

/**
 * Last second of a fill. The result of a crypto market is an average over its end and known before it is on chain; an
 * ended game has one too.
 */
function notAfterSecondsOf({ facts, reference }: MarketSnapshot, { grant }: PolicyConfig): number {
  if (reference?.isEnded === true) return 0;
  if (facts.subject?.kind !== 'crypto' || facts.closeAtMs === null) return noEndSeconds;
  return Math.floor(facts.closeAtMs / 1_000) - grant.averagedEndSeconds;
}

/** Return true when the odds may take more of the collateral in the age and the life of a grant than it may lose. */
function isJumpTooLarge(
  snapshot: MarketSnapshot,
  { side, collateralShareBps, mark }: GrantRequest & { readonly mark: PricePips },
  config: PolicyConfig,
): boolean {
  const phase = riskPhaseOf(snapshot, config);
  if (phase === null || collateralShareBps === null) return true;
  const place = { side, markPricePips: mark, phase };
  return raw(collateralShareBps) < smallestShareInJumpOf(snapshot, place, { config, afterSeconds: 0 });
}

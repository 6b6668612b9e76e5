import type { AttestationRefusal, AttestationRefusalCode, AttestationRequest, GrantRequest } from '@core/attestation';
import { type MarketSnapshot, sideOf } from '@core/market';
import {
  type AttestationRequest as DecisionRequest,
  type GrantRequest as GrantDecision,
  hardExitOf,
  type PolicyConfig,
  policyAtExit,
  saleMarkOf,
} from '@core/policy';
import type { QuotedRisk, Side } from '@core/position';
import {
  bestBidOf,
  compare,
  isZero,
  type PricePips,
  pricePips,
  rateBps,
  raw,
  subtract,
  tokenUnits,
  valueOf,
} from '@core/pricing';
import type { Clock } from '@core/runtime';
import { type PositionContracts, type PositionTerms, type Signer, vaultAbi, vaultConstants } from '@core/vault';
import { isVenueFault, type MarketWatch } from '@core/venue';
import type { PublicClient } from 'viem';
import type { MidHistory } from '../feed/midHistory.ts';
import type { GrantWatch } from './grantWatch.ts';
import type { OwingHistory } from './owingHistory.ts';
import type { PositionReader } from './positionReader.ts';
import { positionRefusalOf } from './positionRefusal.ts';
import { verifiedRiskOf } from './quotedRisk.ts';

/** Smallest debt per token that the vault accepts as a trigger. */
const lowestTrigger = pricePips(1n);

/** Dependencies of an attestation. */
export interface AttestorDependencies {
  readonly client: PublicClient;
  readonly chainId: number;
  readonly contracts: PositionContracts;
  readonly key: Signer;
  readonly watch: MarketWatch;
  /** Read a market that is not watched, by its condition. */
  readonly readMarket: (conditionId: string) => Promise<void>;
  readonly mids: MidHistory;
  readonly owing: OwingHistory;
  /** Grants that were signed: their marks are watched. */
  readonly grants: Pick<GrantWatch, 'record'>;
  readonly positions: PositionReader;
  readonly clock: Clock;
  readonly config: PolicyConfig;
}

/** Request for consent to an order or a grant, as far as both are observed. */
export type ConsentRequest = Pick<AttestationRequest, 'positionKey' | 'purpose' | 'quotedRisk'>;

/** A request with every input of the policy's decision. */
export interface ObservedRequest {
  readonly kind: 'observed';
  readonly position: PositionTerms;
  readonly snapshot: MarketSnapshot;
  readonly decision: DecisionRequest;
  /** Policy at the exit time of the position's quote. */
  readonly config: PolicyConfig;
  /** Unix seconds at which the current alarm was raised; null when none is on. */
  readonly alarmRaisedAt: bigint | null;
}

/** A market as the signer's own feed shows it now, and the side of a token in it. */
export interface ObservedMarket {
  readonly kind: 'market';
  readonly snapshot: MarketSnapshot;
  readonly side: Side;
}

/** A position at the latest block, and the risk terms of its quote. */
export interface ReadPosition {
  readonly position: PositionTerms;
  readonly risk: QuotedRisk | null;
}

/** Observation of a request, before its size is considered. */
type ObservedPlace = ReadPosition & Omit<ObservedMarket, 'kind'> & Pick<ObservedRequest, 'config' | 'alarmRaisedAt'>;

/** An observed request for a grant. */
export type ObservedGrant = Omit<ObservedRequest, 'kind' | 'decision'> & {
  readonly kind: 'observed';
  readonly decision: GrantDecision;
};

/**
 * Read the position from the chain and the market from the signer's own feed. Of the request only the size is used,
 * bounded by what the position can use.
 */
export async function observeRequest(
  dependencies: AttestorDependencies,
  request: AttestationRequest,
): Promise<ObservedRequest | AttestationRefusal> {
  const place = await observePlace(dependencies, request);
  if ('kind' in place) return place;
  const { position, snapshot, side } = place;
  const refusal = positionRefusalOf(position, request);
  if (refusal !== null) return refused(refusal);
  if (request.purpose === 'open' && !isOpeningSizeDue(position, request, sideOf(snapshot, side))) {
    return refused('size_out_of_range');
  }
  const decision = { ...(await decisionOf(dependencies, { ...place, request })), tokenUnits: request.tokenUnits };
  return { ...place, kind: 'observed', decision };
}

/** Observe a request for a grant as one for an order. Its fees leave the price by the attested part alone. */
export async function observeGrant(
  dependencies: AttestorDependencies,
  request: GrantRequest,
): Promise<ObservedGrant | AttestationRefusal> {
  const place = await observePlace(dependencies, request);
  return 'kind' in place ? place : observeGrantAt(dependencies, place, request);
}

/** Observe a request for a grant of which position and market are read. */
export async function observeGrantAt(
  dependencies: AttestorDependencies,
  place: ObservedPlace,
  request: GrantRequest,
): Promise<ObservedGrant | AttestationRefusal> {
  const { position } = place;
  const { purpose, mostUnits } = request;
  const refusal = positionRefusalOf(position, { purpose, tokenUnits: tokenUnits(mostUnits) });
  if (refusal !== null) return refused(refusal);
  const due = subtract(position.notionalUsdcUnits, position.filledUsdcUnits);
  if (purpose === 'open' && mostUnits > raw(due)) return refused('size_out_of_range');
  const decided = await decisionOf(dependencies, { ...place, request });
  const isOpening = purpose === 'open' && !isZero(position.notionalUsdcUnits);
  const collateralShareBps = isOpening
    ? rateBps((raw(position.collateralUsdcUnits) * 10_000n) / raw(position.notionalUsdcUnits))
    : null;
  return { ...place, kind: 'observed', decision: { ...decided, mostUnits, collateralShareBps } };
}

async function observePlace(
  dependencies: AttestorDependencies,
  request: ConsentRequest,
): Promise<ObservedPlace | AttestationRefusal> {
  const [read, alarmEndsAt] = await Promise.all([readRequested(dependencies, request), readAlarmEnd(dependencies)]);
  const market = await observeMarket(dependencies, read.position, request.purpose);
  return market.kind === 'refused' ? market : placeOf(dependencies, { read, market, alarmEndsAt });
}

/** Read the position of a request, and verify the risk terms of its quote. */
export async function readRequested(
  dependencies: AttestorDependencies,
  request: ConsentRequest,
): Promise<ReadPosition> {
  const { client, contracts, chainId } = dependencies;
  const [position, risk] = await Promise.all([
    dependencies.positions.read(request.positionKey),
    verifiedRiskOf({ client, chainId, vault: contracts.vault }, request),
  ]);
  return { position, risk };
}

/** Read the end of the current alarm in Unix seconds. */
export function readAlarmEnd({ client, contracts }: AttestorDependencies): Promise<bigint> {
  return client.readContract({ address: contracts.vault, abi: vaultAbi, functionName: 'alarmEndsAt' });
}

/** Observe the market of a position; for a liquidation its book is read once more. */
export async function observeMarket(
  dependencies: AttestorDependencies,
  position: PositionTerms,
  purpose: ConsentRequest['purpose'],
): Promise<ObservedMarket | AttestationRefusal> {
  if (position.state === 'none') return refused('position_unknown');
  if (dependencies.watch.snapshotOf(position.conditionId) === null) await dependencies.readMarket(position.conditionId);
  if (purpose === 'liquidate') await readSecondSource(dependencies, position);

  const snapshot = dependencies.watch.snapshotOf(position.conditionId);
  const side = snapshot === null ? null : sideOfToken(snapshot, position.tokenId);
  return snapshot === null || side === null ? refused('market_unknown') : { kind: 'market', snapshot, side };
}

/** Return the place of a position in its market, under the policy at the exit time of its quote. */
export function placeOf(
  dependencies: AttestorDependencies,
  {
    read: { position, risk },
    market: { snapshot, side },
    alarmEndsAt,
  }: { readonly read: ReadPosition; readonly market: ObservedMarket; readonly alarmEndsAt: bigint },
): ObservedPlace {
  const config = risk === null ? dependencies.config : policyAtExit(dependencies.config, risk.exitSeconds);
  const alarmRaisedAt = alarmRaisedAtOf(alarmEndsAt, position.blockTimeMs);
  return { position, snapshot, side, risk, config, alarmRaisedAt };
}

function alarmRaisedAtOf(endsAt: bigint, blockTimeMs: number): bigint | null {
  return BigInt(blockTimeMs / 1_000) < endsAt ? endsAt - BigInt(vaultConstants.alarmTimeSeconds) : null;
}

export function refused(code: AttestationRefusalCode): AttestationRefusal {
  return { kind: 'refused', code };
}

/**
 * Refresh the REST book, on which a liquidation may be based. Without an answer the mid must have been observed twice.
 */
async function readSecondSource(dependencies: AttestorDependencies, position: PositionTerms): Promise<void> {
  try {
    await dependencies.watch.refresh(position.conditionId);
  } catch (error) {
    if (!isVenueFault(error)) throw error;
  }
}

function sideOfToken(snapshot: MarketSnapshot, tokenId: bigint): Side | null {
  if (snapshot.facts.yesTokenId === tokenId.toString()) return 'yes';
  return snapshot.facts.noTokenId === tokenId.toString() ? 'no' : null;
}

/**
 * An opening may not be attested for more tokens than what is left of the notional could buy: a deeper walk of the
 * asks would allow a worse limit. At the best bid, below every ask, no honest size is refused.
 */
function isOpeningSizeDue(
  position: PositionTerms,
  request: AttestationRequest,
  token: ReturnType<typeof sideOf>,
): boolean {
  const bestBid = token.book === null ? null : bestBidOf(token.book);
  // A book without bids has no price, which the policy refuses with its own reason.
  if (bestBid === null) return true;
  const due = subtract(position.notionalUsdcUnits, position.filledUsdcUnits);
  return compare(valueOf(request.tokenUnits, bestBid, 'down'), due) <= 0;
}

interface Observed {
  readonly position: PositionTerms;
  readonly request: ConsentRequest;
  readonly side: Side;
  readonly snapshot: MarketSnapshot;
  readonly risk: QuotedRisk | null;
}

async function decisionOf(
  dependencies: AttestorDependencies,
  observed: Observed,
): Promise<Omit<DecisionRequest, 'tokenUnits'>> {
  const { position, request, side, snapshot } = observed;
  const { owesSinceMs, positionKey } = position;
  const isUnwind = request.purpose === 'unwind';
  const owing = isUnwind ? await dependencies.owing.of(position, snapshot) : { owesSinceMs, wasHardExitInForce: false };
  if (isUnwind && hardExitOf(snapshot, owing, dependencies.config).isInForce) {
    dependencies.owing.recordHardExit(positionKey, snapshot.nowMs);
  }
  const owingPosition = {
    tokenUnits: position.bookedTokenUnits,
    debtUsdcUnits: position.debtUsdcUnits,
    liquidationPricePips: position.liquidationPricePips,
    maxVenueFeeBps: position.maxVenueFeeBps,
    closeMinPricePips: position.closeMinPricePips,
    plannedTriggerPricePips: plannedTriggerOf(dependencies.config, observed),
    ...owing,
  };
  return {
    purpose: request.purpose,
    side,
    position: isZero(position.bookedTokenUnits) ? null : owingPosition,
    earlierMid: dependencies.mids.observationBefore(position.tokenId.toString(), {
      nowMs: dependencies.clock.nowMs(),
      minAgeMs: dependencies.config.attestation.confirmationSpanMs,
    }),
  };
}

/**
 * The vault's trigger for a rung: the lowest there is once the mark has fallen to one of the ladder, null before. How
 * far the debt is above the rung's target is the keeper's to know: the vault does not keep what the target rests on.
 */
function plannedTriggerOf(config: PolicyConfig, { side, snapshot, risk }: Observed): PricePips | null {
  const mark = saleMarkOf(sideOf(snapshot, side), { tickPricePips: snapshot.facts.tickPricePips, config });
  const isDue =
    mark !== null && risk?.plannedUnwinds.some(({ triggerPricePips }) => compare(mark, triggerPricePips) <= 0) === true;
  return isDue ? lowestTrigger : null;
}

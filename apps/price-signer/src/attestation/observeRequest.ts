import {
  type AttestationRequest as DecisionRequest,
  hardExitOf,
  type MarketSnapshot,
  type PolicyConfig,
  policyAtExit,
  type Side,
  saleMarkOf,
  sideOf,
} from '@core/policy';
import type { QuotedRisk } from '@core/position';
import { bestBidOf, compare, isZero, type PricePips, pricePips, subtract, valueOf } from '@core/pricing';
import type { Clock } from '@core/runtime';
import {
  type AttestationRefusal,
  type AttestationRefusalCode,
  type AttestationRequest,
  type PositionContracts,
  type PositionTerms,
  type SigningKey,
  vaultAbi,
  vaultConstants,
} from '@core/vault';
import { isVenueFault, type MarketWatch } from '@core/venue';
import type { PublicClient } from 'viem';
import type { MidHistory } from '../feed/midHistory.ts';
import type { OwingHistory } from './owingHistory.ts';
import type { PositionReader } from './positionReader.ts';
import { positionRefusalOf } from './positionRefusal.ts';
import { believedRiskOf } from './quotedRisk.ts';

/** The least debt per token that the vault takes for one. */
const lowestTrigger = pricePips(1n);

/** Everything the signer looks at and signs with. */
export interface AttestorParts {
  readonly client: PublicClient;
  readonly chainId: number;
  readonly contracts: PositionContracts;
  readonly key: SigningKey;
  readonly watch: MarketWatch;
  readonly mids: MidHistory;
  readonly owing: OwingHistory;
  readonly positions: PositionReader;
  readonly clock: Clock;
  readonly config: PolicyConfig;
}

/** A request with all that the policy decides it from. */
export interface ObservedRequest {
  readonly kind: 'observed';
  readonly position: PositionTerms;
  readonly snapshot: MarketSnapshot;
  readonly decision: DecisionRequest;
  /** With the exit time that the position's quote fixed. */
  readonly config: PolicyConfig;
  /** When the alarm that is on was raised, Unix seconds; null when none is. */
  readonly alarmRaisedAt: bigint | null;
}

/**
 * Reads the position from the chain and the market from the signer's own feed. Of the request only the size is used,
 * and that is bounded by what the position can use.
 */
export async function observeRequest(
  parts: AttestorParts,
  request: AttestationRequest,
): Promise<ObservedRequest | AttestationRefusal> {
  const { client, contracts, chainId } = parts;
  const [position, risk, alarmEndsAt] = await Promise.all([
    parts.positions.read(request.positionKey),
    believedRiskOf({ client, chainId, vault: contracts.vault }, request),
    client.readContract({ address: contracts.vault, abi: vaultAbi, functionName: 'alarmEndsAt' }),
  ]);
  const refusal = positionRefusalOf(position, request);
  if (refusal !== null) return refused(refusal);
  if (request.purpose === 'liquidate') await readSecondSource(parts, position);

  const snapshot = parts.watch.snapshotOf(position.conditionId);
  const side = snapshot === null ? null : sideOfToken(snapshot, position.tokenId);
  if (snapshot === null || side === null) return refused('market_unknown');
  if (request.purpose === 'open' && !isOpeningSizeDue(position, request, sideOf(snapshot, side))) {
    return refused('size_out_of_range');
  }
  const config = risk === null ? parts.config : policyAtExit(parts.config, risk.exitSeconds);
  const decision = await decisionRequestOf(parts, { position, request, side, snapshot, risk });
  const alarmRaisedAt = alarmRaisedAtOf(alarmEndsAt, position.blockTimeMs);
  return { kind: 'observed', position, snapshot, decision, config, alarmRaisedAt };
}

function alarmRaisedAtOf(endsAt: bigint, blockTimeMs: number): bigint | null {
  return BigInt(blockTimeMs / 1_000) < endsAt ? endsAt - BigInt(vaultConstants.alarmTimeSeconds) : null;
}

export function refused(code: AttestationRefusalCode): AttestationRefusal {
  return { kind: 'refused', code };
}

/** A liquidation may rest on the venue's REST book, read now. Without an answer the mid must have been seen twice. */
async function readSecondSource(parts: AttestorParts, position: PositionTerms): Promise<void> {
  try {
    await parts.watch.refresh(position.conditionId);
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
  // A book without bids has no price at all, which the policy refuses with its own reason.
  if (bestBid === null) return true;
  const due = subtract(position.notionalUsdcUnits, position.filledUsdcUnits);
  return compare(valueOf(request.tokenUnits, bestBid, 'down'), due) <= 0;
}

interface Observed {
  readonly position: PositionTerms;
  readonly request: AttestationRequest;
  readonly side: Side;
  readonly snapshot: MarketSnapshot;
  readonly risk: QuotedRisk | null;
}

async function decisionRequestOf(parts: AttestorParts, observed: Observed): Promise<DecisionRequest> {
  const { position, request, side, snapshot } = observed;
  const { owesSinceMs, positionKey } = position;
  const isUnwind = request.purpose === 'unwind';
  const owing = isUnwind ? await parts.owing.of(position, snapshot) : { owesSinceMs, wasHardExitInForce: false };
  if (isUnwind && hardExitOf(snapshot, owing, parts.config).isInForce) {
    parts.owing.noteHardExit(positionKey, snapshot.nowMs);
  }
  const held = {
    tokenUnits: position.bookedTokenUnits,
    debtUsdcUnits: position.debtUsdcUnits,
    liquidationPricePips: position.liquidationPricePips,
    plannedTriggerPricePips: plannedTriggerOf(parts.config, observed),
    ...owing,
  };
  return {
    purpose: request.purpose,
    side,
    tokenUnits: request.tokenUnits,
    position: isZero(position.bookedTokenUnits) ? null : held,
    earlierMid: parts.mids.observationBefore(position.tokenId.toString(), {
      nowMs: parts.clock.nowMs(),
      minAgeMs: parts.config.attestation.confirmationSpanMs,
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

import { type MarketSnapshot, sideOf } from '@core/market';
import {
  isDust,
  max,
  min,
  type PricePips,
  pricePips,
  type RateBps,
  raw,
  subtract,
  type VenueFeeSchedule,
  venueFeeShareBpsOf,
} from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { oddsShockOf } from '../leverage/oddsShock.ts';
import { isReferenceSilent } from '../leverage/referenceSilence.ts';
import { readWatch, toTriggerPips } from '../leverage/watch.ts';
import type { HardExit } from '../market/hardExit.ts';
import { riskPhaseOf } from '../market/riskPhase.ts';
import { attestedCoverFeeBpsOf, isFeeLimited } from '../unwind/coverFee.ts';
import { isCovering } from '../unwind/repayingSale.ts';
import {
  type AttestationRefusal,
  type AttestationRequest,
  type AttestationTerms,
  type AttestedPosition,
  refused,
  termsOf,
} from './attestationTerms.ts';

/** Trigger with which the vault sells everything below the debt. */
const belowDebtTrigger = pricePips(0n);
const lowestTrigger = pricePips(1n);

interface UnwindPrices {
  readonly mark: PricePips;
  readonly limit: PricePips;
  readonly trigger: PricePips;
  readonly config: PolicyConfig;
}

/**
 * Return the terms of an unwind. A sale of everything that does not cover a debt above its cover has trigger 0 also
 * before the hard exit.
 */
export function unwindTermsOf(
  snapshot: MarketSnapshot,
  request: AttestationRequest & { readonly position: AttestedPosition },
  { mark, limit, trigger: dueTrigger, config }: UnwindPrices,
): AttestationTerms | AttestationRefusal {
  const { venueFee } = snapshot.facts;
  if (venueFee === null) return refused('fee_schedule_missing');
  const { position, tokenUnits } = request;
  const isUncovered =
    isOfEverything(request) &&
    isFeeLimited(position.maxVenueFeeBps, config) &&
    isCoverBroken(snapshot, request, config) &&
    !isCovering({ tokenUnits, limitPricePips: limit }, position.debtUsdcUnits, { ...position, venueFee });
  // Decision: packages/policy/DECISIONS.md#a-trigger-of-0-sells-below-the-debt
  const trigger = isUncovered ? belowDebtTrigger : dueTrigger;
  const terms = termsOf({ mark, limit, trigger, fee: limit }, snapshot, config);
  return terms.kind === 'refused' ? terms : { ...terms, venueFeeBps: unwindFeeBpsOf(request, limit, venueFee) };
}

/**
 * Return the fee that is attested for an unwind at a limit. For a sale of everything it is the one that the sale would
 * have to cover: at a lower one the vault would not take all tokens, because fewer seem to repay the debt.
 */
export function unwindFeeBpsOf(
  request: Pick<AttestationRequest, 'position' | 'tokenUnits'>,
  limit: PricePips,
  venueFee: VenueFeeSchedule,
): RateBps {
  const { position } = request;
  return position !== null && isOfEverything({ ...request, position })
    ? attestedCoverFeeBpsOf(limit, { venueFee, maxVenueFeeBps: position.maxVenueFeeBps })
    : venueFeeShareBpsOf({ pricePips: limit, schedule: venueFee });
}

/** True for a sale that leaves nothing but dust. */
export function isOfEverything({
  tokenUnits,
  position,
}: HeldRequest & Pick<AttestationRequest, 'tokenUnits'>): boolean {
  return isDust(subtract(position.tokenUnits, min(tokenUnits, position.tokenUnits)));
}

/**
 * Trigger of an unwind that is due: c of the whole position, or a planned rung's own. Null when the debt is covered, or
 * too small to pass any trigger on chain. The vault reads 0 as a permission to sell below the debt, so nothing but the
 * hard exit is 0 here.
 */
export function unwindTriggerOf(
  snapshot: MarketSnapshot,
  request: AttestationRequest,
  { hardExit, config }: { readonly hardExit: HardExit; readonly config: PolicyConfig },
): PricePips | null {
  const { position } = request;
  if (position === null || raw(position.tokenUnits) === 0n || raw(position.debtUsdcUnits) === 0n) return null;
  // Past the deadline coverage no longer matters: the jump at resolution is larger than any margin.
  if (hardExit.isInForce) return belowDebtTrigger;
  const planned = position.plannedTriggerPricePips;
  if (planned !== null) return passableTriggerOf(position, planned);
  const reading = coverReadingOf(snapshot, { ...request, position }, config);
  return reading?.isUnwindDue === true ? passableTriggerOf(position, toTriggerPips(reading.coveredValueE12)) : null;
}

interface HeldRequest {
  readonly position: AttestedPosition;
}

type SidedRequest = HeldRequest & Pick<AttestationRequest, 'side'>;

function isCoverBroken(snapshot: MarketSnapshot, request: SidedRequest, config: PolicyConfig): boolean {
  return coverReadingOf(snapshot, request, config)?.isUnwindDue === true;
}

/** Return the reading of a position's cover; null while nothing is known of its market or book. */
function coverReadingOf(snapshot: MarketSnapshot, { side, position }: SidedRequest, config: PolicyConfig) {
  const token = sideOf(snapshot, side);
  const phase = riskPhaseOf(snapshot, config);
  const { venueFee } = snapshot.facts;
  if (phase === null || token.book === null || venueFee === null) return null;
  const silent = isReferenceSilent(snapshot, config);
  const shock = { phase, realisedVarianceE12: token.realisedVarianceE12, isReferenceSilent: silent };
  return readWatch({
    book: token.book,
    tokens: position.tokenUnits,
    debtUsdcUnits: position.debtUsdcUnits,
    shockE12: oddsShockOf(shock, config.model),
    venueFee,
    isHardExitInForce: false,
  });
}

/**
 * The trigger, or one pip less when only its rounding up keeps `debt × 10⁴ > tokens × trigger` of the vault from
 * holding; at least one pip. Null when the debt is a pip per token or less.
 */
function passableTriggerOf({ debtUsdcUnits, tokenUnits }: AttestedPosition, trigger: PricePips): PricePips | null {
  const passes = (price: PricePips) => raw(debtUsdcUnits) * 10_000n > raw(tokenUnits) * raw(price);
  const whole = max(trigger, lowestTrigger);
  if (passes(whole)) return whole;
  const lower = max(pricePips(raw(whole) - 1n), lowestTrigger);
  return passes(lower) ? lower : null;
}

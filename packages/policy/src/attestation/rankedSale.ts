import type { MarketSnapshot } from '@core/market';
import { add, compare, isZero, max, raw, tokenUnits } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { netProceedsOf } from '../unwind/repayingSale.ts';
import type { AttestationRequest, AttestationTerms } from './attestationTerms.ts';
import { decideAttestation } from './decideAttestation.ts';
import { isOfEverything } from './unwindTerms.ts';

/**
 * Return true for a sale that is of use after those ahead of it in its batch. The bids of its rank bring the minimum
 * price of its user. They cover its debt, or it is below the debt without those ahead of it too. A sale of no use would
 * lower the limits after it and never be filled. The first sale of a batch is of use.
 */
export function isOfUseAtRank(
  snapshot: MarketSnapshot,
  { request, terms }: { readonly request: AttestationRequest; readonly terms: Omit<AttestationTerms, 'kind'> },
  config: PolicyConfig,
): boolean {
  const { purpose, position, aheadTokenUnits = tokenUnits(0n) } = request;
  if (isZero(aheadTokenUnits) || position === null || purpose === 'open' || purpose === 'liquidate') return true;
  const isWhole = isOfEverything({ ...request, position });
  const isClose = purpose === 'close';
  const { closeMinPricePips } = position;
  const { limitPricePips, triggerPricePips, venueFeeBps } = terms;
  // A tick above its limit is what a filler earns its cost at.
  if (isClose && compare(closeMinPricePips, add(limitPricePips, snapshot.facts.tickPricePips)) > 0) return false;
  const covering = {
    tokenUnits: isWhole ? request.tokenUnits : position.tokenUnits,
    limitPricePips: isClose ? max(limitPricePips, closeMinPricePips) : limitPricePips,
  };
  if (compare(netProceedsOf(covering, venueFeeBps), position.debtUsdcUnits) >= 0) return true;
  if (isClose || !isWhole || raw(triggerPricePips) > 0n) return false;
  const first = decideAttestation(snapshot, { ...request, aheadTokenUnits: tokenUnits(0n) }, config);
  return first.kind === 'attestation' && raw(first.triggerPricePips) === 0n;
}

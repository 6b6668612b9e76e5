import type { MarketSnapshot } from '@core/market';
import { add, type TokenUnits, tokenUnits } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import type { AttestationRefusal } from './attestationTerms.ts';
import { decideGrant, type GrantRequest, type GrantTerms } from './decideGrant.ts';
import { decideGrantCountersignature, type GrantCountersignatureDecision } from './decideGrantCountersignature.ts';

/** One sale of a batch. */
export interface BatchedSale extends Pick<GrantRequest, 'mostUnits' | 'position'> {
  /** Policy at the exit time of the position's quote. */
  readonly config: PolicyConfig;
}

/** Request for the grants of several sales of one side at one moment. */
export interface GrantBatchRequest<Sale extends BatchedSale = BatchedSale>
  extends Pick<GrantRequest, 'side' | 'earlierMid'> {
  readonly purpose: Exclude<GrantRequest['purpose'], 'open'>;
  /** The most urgent first. */
  readonly sales: readonly Sale[];
}

/**
 * Decide the terms of each sale of a batch, in the order of its sales. Each is decided as a grant of its own, but no
 * bid serves two: the limit of a sale is the average of the bids after those of the granted sales before it. Mark and
 * cover are those of the whole book.
 */
export function decideGrantBatch(
  snapshot: MarketSnapshot,
  batch: GrantBatchRequest,
): readonly (GrantTerms | AttestationRefusal)[] {
  let aheadTokenUnits = tokenUnits(0n);
  return batch.sales.map((sale) => {
    const terms = decideGrant(snapshot, memberRequestOf(batch, sale, aheadTokenUnits), sale.config);
    if (terms.kind === 'grant') aheadTokenUnits = add(aheadTokenUnits, tokenUnits(sale.mostUnits));
    return terms;
  });
}

/** A sale with the terms of another signer for it. A batch has no exit buffer, which sales do not read. */
export interface ProposedSale extends BatchedSale {
  readonly proposed: Omit<GrantTerms, 'kind' | 'exitBufferBps'>;
}

/**
 * Decide whether a co-signer agrees with each sale of a batch of another, as with a grant of its own, in the order of
 * the batch. It signs a batch only when it agrees with all of them.
 */
export function decideGrantBatchCountersignature(
  snapshot: MarketSnapshot,
  batch: GrantBatchRequest<ProposedSale>,
): readonly GrantCountersignatureDecision[] {
  let aheadTokenUnits = tokenUnits(0n);
  return batch.sales.map((sale) => {
    const { config, mostUnits } = sale;
    const proposed = { ...sale.proposed, exitBufferBps: config.model.exitBufferBps };
    const request = memberRequestOf(batch, sale, aheadTokenUnits);
    aheadTokenUnits = add(aheadTokenUnits, tokenUnits(mostUnits));
    return decideGrantCountersignature(snapshot, { request, proposed }, config);
  });
}

function memberRequestOf(
  { purpose, side, earlierMid }: GrantBatchRequest,
  { mostUnits, position }: BatchedSale,
  aheadTokenUnits: TokenUnits,
): GrantRequest {
  return { purpose, side, earlierMid, mostUnits, position, aheadTokenUnits, collateralShareBps: null };
}

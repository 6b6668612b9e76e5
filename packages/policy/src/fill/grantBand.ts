import type { LivePurpose } from '@core/position';
import { type PricePips, pricePips, type RateBps, raw, type VenueFeeSchedule, venueFeeShareBpsOf } from '@core/pricing';
import type { GrantConfig } from '../config.ts';
import { minimumSaleLimitOf } from '../market/minimumSaleLimit.ts';

/** Purpose of a grant as its bands know it. `pricedClose`: a close whose user has named a least price. */
export type GrantKind = LivePurpose | 'pricedClose';

/** Return the kind of a grant: what its bands depend on. */
export function grantKindOf(
  purpose: LivePurpose,
  position: { readonly closeMinPricePips: PricePips } | null,
): GrantKind {
  const isPriced = purpose === 'close' && position !== null && raw(position.closeMinPricePips) > 0n;
  return isPriced ? 'pricedClose' : purpose;
}

type Bands = Pick<GrantConfig, 'bandBps' | 'costBps'>;

/** Mark of a grant, and the schedule of the fee that its filler pays. */
export interface Marked {
  readonly markPricePips: PricePips;
  readonly venueFee: VenueFeeSchedule;
}

const wholeBps = 10_000n;

/**
 * Return the lowest limit of a sale that the vault takes: within the band of the limit, and of limit and fee part
 * together, with the fee of that limit. What it leaves rises with the limit; at a whole dollar no average reaches it.
 */
export function saleEdgeOf(kind: GrantKind, { markPricePips, venueFee }: Marked, grant: Bands): PricePips {
  let [low, high] = [raw(minimumSaleLimitOf(markPricePips, grant.bandBps[kind])), wholeBps];
  while (low < high) {
    const middle = (low + high) / 2n;
    const limitPricePips = pricePips(middle);
    const venueFeeBps = venueFeeShareBpsOf({ pricePips: limitPricePips, schedule: venueFee });
    if (isCostInBand(kind, { markPricePips, limitPricePips, venueFeeBps }, grant)) high = middle;
    else low = middle + 1n;
  }
  return pricePips(low);
}

/**
 * Return the highest limit that the vault takes of an opening grant, in pips: the edge of both of its bands, below one
 * USD. The fee part is that of the mark.
 */
export function openingEdgePipsOf({ markPricePips, venueFee }: Marked, { bandBps, costBps }: Bands): bigint {
  const fee = raw(venueFeeShareBpsOf({ pricePips: markPricePips, schedule: venueFee }));
  const ofLimit = (raw(markPricePips) * (wholeBps + raw(bandBps.open))) / wholeBps;
  const withFee = (raw(markPricePips) * (wholeBps + raw(costBps.open))) / (wholeBps + fee);
  const edge = ofLimit < withFee ? ofLimit : withFee;
  return edge < wholeBps ? edge : wholeBps - 1n;
}

/** Return true where the vault takes limit and fee part of a grant together. */
export function isCostInBand(
  kind: GrantKind,
  terms: { readonly markPricePips: PricePips; readonly limitPricePips: PricePips; readonly venueFeeBps: RateBps },
  { costBps }: Bands,
): boolean {
  const [mark, limit, fee] = [raw(terms.markPricePips), raw(terms.limitPricePips), raw(terms.venueFeeBps)];
  return kind === 'open'
    ? limit * (wholeBps + fee) <= mark * (wholeBps + raw(costBps.open))
    : limit * (wholeBps - fee) >= mark * (wholeBps - raw(costBps[kind]));
}

import type { LivePurpose } from '@core/position';
import {
  divide,
  type PricePips,
  type RateBps,
  rateBps,
  raw,
  type VenueFeeSchedule,
  venueFeeShareBpsOf,
} from '@core/pricing';
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
 * Return the largest distance of a sale's limit from its mark, rounded down, at which the vault takes the limit, and
 * limit and fee part together. The fee counts as at the lowest limit, where that of a usual schedule is highest.
 */
export function saleBandBpsOf(
  kind: GrantKind,
  { markPricePips, venueFee }: Marked,
  { bandBps, costBps }: Bands,
): RateBps {
  const band = bandBps[kind];
  const fee = raw(venueFeeShareBpsOf({ pricePips: minimumSaleLimitOf(markPricePips, band), schedule: venueFee }));
  if (fee >= wholeBps) return rateBps(0n);
  const netBps = wholeBps - fee;
  const withFee = wholeBps - divide((wholeBps - raw(costBps[kind])) * wholeBps, netBps, 'up');
  return withFee < 0n ? rateBps(0n) : rateBps(withFee < raw(band) ? withFee : raw(band));
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

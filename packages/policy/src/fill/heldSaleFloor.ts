import { max, type PricePips, pricePips, raw, subtract } from '@core/pricing';
import type { GrantConfig } from '../config.ts';
import { minimumSaleLimitOf } from '../market/minimumSaleLimit.ts';

const wholePips = 10_000n;

/**
 * Return the lowest price at which a filler sells tokens that a fill left over: as far under the mark as a fill within
 * the vault's bands may reckon with. Tokens of a sale cost at least the mark less the band of a liquidation. The other
 * token of a pair brings at least the rest of a dollar less the band of an opening. In pips, rounded up, at least one.
 */
export function heldSaleFloorOf(markPricePips: PricePips, { bandBps }: Pick<GrantConfig, 'bandBps'>): PricePips {
  const ofSale = subtract(markPricePips, minimumSaleLimitOf(markPricePips, bandBps.liquidate));
  const complement = pricePips(wholePips - raw(markPricePips));
  const ofPair = subtract(complement, minimumSaleLimitOf(complement, bandBps.open));
  const band = max(ofSale, ofPair);
  return pricePips(raw(band) < raw(markPricePips) ? raw(markPricePips) - raw(band) : 1n);
}

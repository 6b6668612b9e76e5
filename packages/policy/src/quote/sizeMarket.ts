import type { SizeMarket } from '@core/pricing';
import { leverageLimitOf, type SideModel } from '../leverage/sideModel.ts';
import type { PartnerTerms } from '../partner/partnerTerms.ts';

/** Return the market as the revision ladder reads it: one side's book, mark and limits under a partner's terms. */
export function sizeMarketOf(model: SideModel, terms: PartnerTerms): SizeMarket {
  return {
    asks: model.book.asks,
    markPricePips: model.markPricePips,
    minNotionalUsdPips: terms.minNotionalUsdPips,
    minCollateralUsdPips: terms.minCollateralUsdPips,
    isPregame: model.phase.kind === 'pregame',
    liquidationFeeBps: terms.fees.liquidationFeeBps,
    exitBufferBps: model.config.model.exitBufferBps,
    leverageLimitOf: (notional) => leverageLimitOf(model, notional),
  };
}

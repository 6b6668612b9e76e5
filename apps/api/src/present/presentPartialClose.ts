import { priceOf, raw, toUsdPips } from '@core/pricing';
import type { PositionPartialCloseRecord } from '@core/store';
import { money, type PartialCloseWire } from '@core/wire';
import { isoTimeOf } from './isoTime.ts';

/** One executed partial close. Money received or repaid is rounded down, and so is the average price. */
export function presentPartialClose(partialClose: PositionPartialCloseRecord): PartialCloseWire {
  const { soldTokenUnits, saleProceedsUsdcUnits } = partialClose;
  return {
    executed_at: isoTimeOf(partialClose.executedAtMs),
    sold_token_units: String(raw(soldTokenUnits)),
    ...money('average_sale_price', priceOf(saleProceedsUsdcUnits, soldTokenUnits, 'down')),
    ...money('sale_proceeds', toUsdPips(saleProceedsUsdcUnits, 'down')),
    ...money('capital_repaid', toUsdPips(partialClose.capitalRepaidUsdcUnits, 'down')),
    ...money('user_payout', toUsdPips(partialClose.userPayoutUsdcUnits, 'down')),
    remaining_position_token_units: String(raw(partialClose.remainingTokenUnits)),
    new_leverage_bps: Number(raw(partialClose.newLeverageBps)),
  };
}

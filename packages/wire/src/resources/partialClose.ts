import { z } from 'zod';
import { isoTime } from '../codecs/formats.ts';
import { moneyShape, priceShape } from '../codecs/moneyShapes.ts';
import { leverageBpsNumber, tokenUnitsText } from '../codecs/quantities.ts';

/** Executed partial close that is final on chain. */
export const partialClose = z
  .object({
    executed_at: isoTime,
    sold_token_units: tokenUnitsText,
    ...priceShape('average_sale_price'),
    ...moneyShape('sale_proceeds'),
    ...moneyShape('capital_repaid'),
    ...moneyShape('user_payout'),
    remaining_position_token_units: tokenUnitsText,
    new_leverage_bps: leverageBpsNumber,
  })
  .meta({ id: 'PartialClose' });

export type PartialCloseWire = z.input<typeof partialClose>;

import { keysOf, ledgerKinds, unwindReasons } from '@core/position';
import { z } from 'zod';
import { bytes32Hex, isoTime } from '../codecs/formats.ts';
import { nullablePriceShape } from '../codecs/moneyShapes.ts';
import { leverageBpsNumber, signedUsdcUnitsText, tokenUnitsText, usdcUnitsText } from '../codecs/quantities.ts';

const ledgerRow = z
  .object({
    kind: z.enum(ledgerKinds).meta({
      description:
        '`opening`, `margin` added by the owner, `close` on request, `unwind` and `liquidation` by the service, ' +
        '`exit` (debt repaid, tokens handed over), `settlement`, `refund` of an opening, `claim` after the end',
    }),
    executed_at: isoTime,
    transaction_hash: bytes32Hex,
    token_units: tokenUnitsText.meta({ description: 'Tokens bought, sold, settled or handed over' }),
    ...nullablePriceShape('price'),
    trade_usdc_units: usdcUnitsText.meta({
      description: 'Price of the tokens before fees: repaid, fees and paid out, less paid in. At the opening: cost',
    }),
    repaid_usdc_units: usdcUnitsText.meta({ description: 'Repaid loan' }),
    fee_usdc_units: usdcUnitsText.meta({ description: 'Fees of the service and the venue, interest among them' }),
    paid_in_usdc_units: usdcUnitsText.meta({ description: 'Paid by the wallet' }),
    paid_out_usdc_units: usdcUnitsText.meta({ description: 'Paid or credited to the wallet' }),
    realized_pnl_usdc_units: signedUsdcUnitsText.meta({ description: 'Change of the realized profit after fees' }),
    remaining_token_units: tokenUnitsText,
    remaining_principal_usdc_units: usdcUnitsText.meta({
      description: 'Loan after the row; it bears interest from here',
    }),
    remaining_fee_usdc_units: usdcUnitsText.meta({ description: 'Unpaid fees after the row' }),
    leverage_bps: leverageBpsNumber.nullable().meta({ description: 'Book leverage after the row; null unless open' }),
    reason: z.enum(keysOf(unwindReasons)).nullable(),
    reason_detail: z.string().nullable(),
  })
  .meta({ id: 'LedgerRow' });

/**
 * Expansion `ledger`: each movement of tokens or money, and the totals of all. A house expansion. Paid out less paid in
 * and the open equity is the realized and the open profit, to the unit.
 */
export const ledger = z
  .object({
    paid_in_usdc_units: usdcUnitsText.meta({
      description: 'Paid by the wallet in all; what came back at the opening is not',
    }),
    paid_out_usdc_units: usdcUnitsText.meta({ description: 'Paid or credited to the wallet in all' }),
    fee_usdc_units: usdcUnitsText.meta({ description: 'Paid fees in all' }),
    realized_pnl_usdc_units: signedUsdcUnitsText.meta({
      description: 'Profit after fees of what was sold; `current.net_unrealized_pnl_*` is beside it',
    }),
    sold_token_units: tokenUnitsText.meta({ description: 'Tokens sold or settled' }),
    ...nullablePriceShape('average_exit_price'),
    data: z.array(ledgerRow).meta({ description: 'The newest 500 rows, the oldest first' }),
    has_more: z.boolean(),
  })
  .meta({ id: 'PositionLedger', description: 'Only with `expand=ledger`' });

export type LedgerWire = z.input<typeof ledger>;

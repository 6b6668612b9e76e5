import { z } from 'zod';
import { bytes32Hex } from '../codecs/formats.ts';

const plainGroup = z.object({ transactions: z.array(z.object({ transaction_hash: bytes32Hex })) });
const routedGroup = z.object({
  transactions: z.array(
    z.object({ transaction_hash: bytes32Hex, exchange_transaction_hashes: z.array(bytes32Hex).optional() }),
  ),
});

/** Final transactions of a position in nine groups (specification, Resources, Position transactions). */
export const positionTransactions = z
  .object({
    open: routedGroup,
    close: routedGroup,
    liquidation: routedGroup,
    settle: routedGroup,
    force_unwind: routedGroup,
    cancel_request: plainGroup,
    cancel: plainGroup,
    revert: plainGroup,
    redemption: plainGroup,
  })
  .meta({ id: 'PositionTransactions' });

export type PositionTransactionsWire = z.input<typeof positionTransactions>;

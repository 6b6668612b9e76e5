import {
  ladderOf,
  type Position,
  type PositionPartialClose,
  type PositionTransaction,
  type PositionUnwind,
  partialCloseFiguresOf,
  type TransactionGroup,
  unwindReasonOf,
  unwindReasons,
} from '@core/position';
import { raw } from '@core/pricing';
import {
  isoTimeOf,
  money,
  nullableIsoTimeOf,
  type PartialCloseWire,
  type PlannedUnwindsWire,
  type PositionTransactionsWire,
  type UnwindsWire,
} from '@core/wire';

/** The maximum of unwinds in one answer, ladder rows among them. */
export const maxUnwinds = 100;

/** The `unwinds` expansion: completed unwinds in order of time. */
export function presentUnwinds(position: Position, unwinds: readonly PositionUnwind[]): UnwindsWire {
  return {
    current_leverage_bps: Number(raw(position.structuralLeverageBps)),
    origination_leverage_bps: Number(raw(position.leverageBps)),
    originated_at: nullableIsoTimeOf(position.openedAtMs),
    data: unwinds.slice(0, maxUnwinds).map((unwind) => {
      const reason = unwind.reason === null ? null : unwindReasonOf(unwind.reason);
      return {
        executed_at: isoTimeOf(unwind.executedAtMs),
        before_leverage_bps: Number(raw(unwind.beforeLeverageBps)),
        after_leverage_bps: Number(raw(unwind.afterLeverageBps)),
        reason,
        reason_detail: reason === null ? null : unwindReasons[reason].sentence,
      };
    }),
    has_more: unwinds.length > maxUnwinds,
  };
}

/** The `planned_unwinds` expansion: the ladder as it was quoted; null for adaptive positions, which have none. */
export function presentPlannedUnwinds(
  position: Position,
  unwinds: readonly PositionUnwind[],
): PlannedUnwindsWire | null {
  if (position.riskMode !== 'committed') return null;
  const rungs = ladderOf(position, unwinds);
  return {
    data: rungs.slice(0, maxUnwinds).map((rung) => ({
      rung: rung.rung,
      trigger: { kind: 'price' as const, ...money('price', rung.triggerPricePips) },
      target_leverage_bps: Number(raw(rung.targetLeverageBps)),
      status: rung.status,
      triggered_at: nullableIsoTimeOf(rung.triggeredAtMs),
      executed_unwind_id: rung.executedSequence === null ? null : unwindIdOf(position, rung.executedSequence),
    })),
    has_more: rungs.length > maxUnwinds,
  };
}

/** ID of a completed unwind: that of its position, and its place among the position's unwinds. */
function unwindIdOf({ id }: Position, sequence: number): string {
  return `unw_${id.slice(id.indexOf('_') + 1)}_${sequence + 1}`;
}

/** One executed partial close. */
export function presentPartialClose(partialClose: PositionPartialClose): PartialCloseWire {
  const figures = partialCloseFiguresOf(partialClose);
  return {
    executed_at: isoTimeOf(partialClose.executedAtMs),
    sold_token_units: String(raw(partialClose.soldTokenUnits)),
    ...money('average_sale_price', figures.averageSalePricePips),
    ...money('sale_proceeds', figures.saleProceedsUsdPips),
    ...money('capital_repaid', figures.capitalRepaidUsdPips),
    ...money('user_payout', figures.userPayoutUsdPips),
    remaining_position_token_units: String(raw(partialClose.remainingTokenUnits)),
    new_leverage_bps: Number(raw(partialClose.newLeverageBps)),
  };
}

/**
 * The nine groups with their final transactions in chain order; exchange hashes only where a purpose routes to the
 * exchange.
 */
export function presentTransactions(transactions: readonly PositionTransaction[]): PositionTransactionsWire {
  const plain = (group: TransactionGroup) => ({
    transactions: transactions
      .filter((transaction) => transaction.group === group)
      .map(({ transactionHash }) => ({ transaction_hash: transactionHash })),
  });
  const routed = (group: TransactionGroup) => ({
    transactions: transactions
      .filter((transaction) => transaction.group === group)
      .map(({ transactionHash, routed: isRouted, exchangeTransactionHashes }) => ({
        transaction_hash: transactionHash,
        ...(isRouted && { exchange_transaction_hashes: [...exchangeTransactionHashes] }),
      })),
  });
  return {
    open: routed('open'),
    close: routed('close'),
    liquidation: routed('liquidation'),
    settle: routed('settle'),
    force_unwind: routed('force_unwind'),
    cancel_request: plain('cancel_request'),
    cancel: plain('cancel'),
    revert: plain('revert'),
    redemption: plain('redemption'),
  };
}

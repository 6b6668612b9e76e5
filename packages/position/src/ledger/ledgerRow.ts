import { add, raw, subtract, type TokenUnits, tokenUnits, type UsdcUnits, usdcUnits } from '@core/pricing';
import { bookLeverageOf } from '../debt/leverage.ts';
import type { Position } from '../record/position.ts';
import type { LedgerKind, PositionHistory, PositionLedgerRow } from '../record/positionHistory.ts';
import type { OrderPurpose } from '../states/transitions.ts';
import { ledgerTotalsOf, sellingKinds } from './ledgerTotals.ts';
import type { PositionEvent } from './positionEvent.ts';
import { refundedCollateralOf } from './refundedCollateral.ts';

const nothing = usdcUnits(0n);

/** Movement of an event: its kind, the principal it repaid, and its tokens, null for all that were held. */
interface Movement {
  readonly kind: LedgerKind;
  readonly repaidUsdcUnits: UsdcUnits;
  readonly tokenUnits: TokenUnits | null;
}

type Amounts = Pick<
  PositionLedgerRow,
  'paidInUsdcUnits' | 'paidOutUsdcUnits' | 'feeUsdcUnits' | 'realizedPnlUsdcUnits'
>;

/**
 * Append the row of an event to a history that has the event already. Its amounts are the totals of the record less
 * those of the rows before, so that the rows always sum up to the record. The fill of an opening replaces the row of
 * the creation: what came back at once was never paid in.
 */
export function withLedgerRow(history: PositionHistory, event: PositionEvent, reason: string | null): PositionHistory {
  const movement = movementOf(event);
  if (movement === null) return history;
  const { position } = history;
  const rows = event.name === 'PositionOpened' ? [] : history.ledger;
  const amounts = amountsOf(position, rows);
  const moved = movement.tokenUnits ?? rows.at(-1)?.remainingTokenUnits ?? tokenUnits(0n);
  // An order that sold nothing and booked nothing.
  const isBlank = [moved, movement.repaidUsdcUnits, ...Object.values(amounts)].every((amount) => raw(amount) === 0n);
  if (isBlank) return history;
  const row: PositionLedgerRow = {
    ...amounts,
    sequence: rows.length,
    kind: movement.kind,
    executedAtMs: event.blockTimeMs,
    transactionHash: event.transactionHash,
    tokenUnits: moved,
    tradeUsdcUnits: event.name === 'PositionOpened' ? event.args.tradeUsdcUnits : broughtBy(movement, amounts),
    repaidUsdcUnits: movement.repaidUsdcUnits,
    remainingTokenUnits: position.tokenUnits,
    remainingPrincipalUsdcUnits: position.principalUsdcUnits,
    remainingFeeUsdcUnits: position.pendingLifetimeFeeUsdcUnits,
    leverageBps: position.chainState === 'open' ? bookLeverageOf(position) : null,
    reason: movement.kind === 'unwind' ? reason : null,
    blockNumber: event.blockNumber,
  };
  return { ...history, ledger: [...rows, row] };
}

const kindOfPurpose: Readonly<Record<OrderPurpose, LedgerKind>> = {
  none: 'close',
  open: 'opening',
  close: 'close',
  unwind: 'unwind',
  liquidate: 'liquidation',
};

function movementOf(event: PositionEvent): Movement | null {
  switch (event.name) {
    case 'PositionCreated':
      return { kind: 'opening', repaidUsdcUnits: nothing, tokenUnits: tokenUnits(0n) };
    case 'PositionOpened':
      return { kind: 'opening', repaidUsdcUnits: nothing, tokenUnits: event.args.tokenUnits };
    case 'PositionReduced': {
      const { purpose, distribution, soldTokenUnits } = event.args;
      return { kind: kindOfPurpose[purpose], repaidUsdcUnits: repaidBy(distribution), tokenUnits: soldTokenUnits };
    }
    case 'MarginAdded':
      return { kind: 'margin', repaidUsdcUnits: event.args.principalUsdcUnits, tokenUnits: tokenUnits(0n) };
    case 'PositionExited':
      return { kind: 'exit', repaidUsdcUnits: repaidBy(event.args.distribution), tokenUnits: null };
    case 'PositionSettled':
      return { kind: 'settlement', repaidUsdcUnits: repaidBy(event.args.distribution), tokenUnits: null };
    case 'PositionRefunded':
      return { kind: 'refund', repaidUsdcUnits: nothing, tokenUnits: tokenUnits(0n) };
    case 'Claimed':
      return { kind: 'claim', repaidUsdcUnits: event.args.recoveredUsdcUnits, tokenUnits: tokenUnits(0n) };
    case 'OrderAuthorized':
    case 'OrderEnded':
    case 'OrderFilled':
    case 'CloseRequested':
    case 'CancelRequested':
    case 'PaymentDeferred':
      return null;
  }
}

function repaidBy(paid: Readonly<Record<'principalUsdcUnits' | 'recoveredUsdcUnits', UsdcUnits>>): UsdcUnits {
  return add(paid.principalUsdcUnits, paid.recoveredUsdcUnits);
}

/** Return the money that sold tokens brought before fees: all that was paid from it. */
function broughtBy({ kind, repaidUsdcUnits }: Movement, amounts: Amounts): UsdcUnits {
  if (!sellingKinds.has(kind)) return nothing;
  const spent = add(add(repaidUsdcUnits, amounts.feeUsdcUnits), amounts.paidOutUsdcUnits);
  return subtract(spent, amounts.paidInUsdcUnits);
}

function amountsOf(position: Position, rows: readonly PositionLedgerRow[]): Amounts {
  const before = ledgerTotalsOf(rows);
  const paidInUsdcUnits = paidInOf(position);
  const paidOutUsdcUnits = paidOutOf(position);
  const realizedPnlUsdcUnits = add(subtract(paidOutUsdcUnits, paidInUsdcUnits), paidForOpenOf(position));
  return {
    paidInUsdcUnits: subtract(paidInUsdcUnits, before.paidInUsdcUnits),
    paidOutUsdcUnits: subtract(paidOutUsdcUnits, before.paidOutUsdcUnits),
    feeUsdcUnits: subtract(feesOf(position), before.feeUsdcUnits),
    realizedPnlUsdcUnits: subtract(realizedPnlUsdcUnits, before.realizedPnlUsdcUnits),
  };
}

function paidInOf(position: Position): UsdcUnits {
  const quoted = add(
    add(position.quotedCollateralUsdcUnits, position.quotedOriginationFeeUsdcUnits),
    position.quotedVenueFeeUsdcUnits,
  );
  const opening = position.openedAtMs === null ? quoted : subtract(quoted, position.refundedUsdcUnits);
  return add(opening, position.repaidMarginUsdcUnits);
}

/** Of a refund the record counts the collateral alone as proceeds; the fees came back beside it. */
function paidOutOf(position: Position): UsdcUnits {
  const { proceedsUsdcUnits, refundedUsdcUnits, chainState } = position;
  if (chainState !== 'cancelled' && chainState !== 'reverted') return proceedsUsdcUnits;
  return add(proceedsUsdcUnits, subtract(refundedUsdcUnits, refundedCollateralOf(position, refundedUsdcUnits)));
}

function feesOf(position: Position): UsdcUnits {
  return [
    position.totalOriginationFeeUsdcUnits,
    position.totalOpenVenueFeeUsdcUnits,
    position.totalSaleVenueFeeUsdcUnits,
    position.collectedLifetimeFeeUsdcUnits,
    position.collectedLiquidationFeeUsdcUnits,
  ].reduce((sum, fee) => add(sum, fee), nothing);
}

/** Return the money paid in that the open profit is measured against; nothing once the position has ended. */
function paidForOpenOf(position: Position): UsdcUnits {
  if (position.chainState === 'pending') return paidInOf(position);
  if (position.chainState !== 'open') return nothing;
  const basis = add(
    add(position.collateralUsdcUnits, position.originationFeeUsdcUnits),
    position.openVenueFeeUsdcUnits,
  );
  return subtract(basis, position.unwindPaidUsdcUnits);
}

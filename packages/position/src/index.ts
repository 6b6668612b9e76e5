export { debtOf, liquidationPriceAt } from './debt/debt.ts';
export type { CloseAttempt } from './decide/closeRetry.ts';
export { decideGrantOrder, type GrantConsent, grantSizesOf } from './decide/decideGrantOrder.ts';
export { type Consent, decideOrder, type OrderDecision } from './decide/decideOrder.ts';
export { decidePosition } from './decide/decidePosition.ts';
export type { ExecutionConfig } from './decide/executionConfig.ts';
export {
  awaitEnd,
  awaitEvent,
  type OpeningProgress,
  type OrderAction,
  type PositionAction,
  type Wait,
} from './decide/positionAction.ts';
export type { LiveBook, PositionObservation } from './decide/positionObservation.ts';
export type { UnwindAdvice } from './decide/unwindAdvice.ts';
export { nextUnwindRefusal, type UnwindRefusal, unwindRefusalLifeMs } from './decide/unwindRetry.ts';
export { keysOf } from './keysOf.ts';
export { partialCloseShareOf } from './ledger/closedShare.ts';
export type { FoldContext, QuotedTerms } from './ledger/createdPosition.ts';
export { type CustomerEvent, customerEventsOf } from './ledger/customerEvents.ts';
export { foldPosition } from './ledger/foldPosition.ts';
export { ledgerPriceOf, ledgerTotalsOf } from './ledger/ledgerTotals.ts';
export type { Distribution, PositionEvent, PositionEventArguments, PositionEventName } from './ledger/positionEvent.ts';
export { positionUsageOf } from './ledger/positionUsage.ts';
export { sellableRequestOf } from './orders/closeRequest.ts';
export { type UnfilledOrder, unfilledReasonOf } from './orders/openingOrder.ts';
export { closableTokensOf } from './orders/saleOrder.ts';
export { venueFeeLeftOf } from './orders/venueFeeLeft.ts';
export { blankOf } from './record/blank.ts';
export type { FieldTable, RecordOf } from './record/field.ts';
export * as field from './record/field.ts';
export { type Hex, lowerHex } from './record/hex.ts';
export { type Position, positionFields } from './record/position.ts';
export {
  ledgerKinds,
  type PositionHistory,
  type PositionLedgerRow,
  type PositionPartialClose,
  type PositionTransaction,
  type PositionUnwind,
  positionLedgerFields,
  positionPartialCloseFields,
  positionTransactionFields,
  positionUnwindFields,
  type TransactionGroup,
} from './record/positionHistory.ts';
export type { PlannedUnwind, QuotedRisk } from './record/quotedRisk.ts';
export { type OpeningFailureReason, openingFailureReasons, openingFailures } from './states/openingFailure.ts';
export { type RiskMode, type Route, routeNames, type Side } from './states/terms.ts';
export {
  activeStatuses,
  closeReasons,
  inactiveStatuses,
  isActiveStatus,
  type LivePurpose,
  livePurposes,
  orderPurposes,
  type PositionStateName,
  type PositionStatus,
  positionStates,
} from './states/transitions.ts';
export { type UnwindInput, type UnwindReason, unwindReasonOf, unwindReasons } from './states/unwindReasons.ts';
export { plannedPrincipalOf } from './unwind/plannedPrincipal.ts';
export type {
  ClosedFigures,
  EntryFigures,
  OpenFigures,
} from './valuation/figures.ts';
export {
  closedFeeFigures,
  currentFigures,
  entryFigures,
  openFeeFigures,
  originationFigures,
  resultFigures,
  riskFigures,
} from './valuation/figureTables.ts';
export { ladderOf } from './valuation/ladder.ts';
export { type OpenBasis, openBasisOf } from './valuation/openBasis.ts';
export { openFiguresOf } from './valuation/openFigures.ts';
export { partialCloseFiguresOf } from './valuation/partialCloseFigures.ts';
export { pendingOperationOf } from './valuation/pendingOperation.ts';
export { payoutPriceOf, timingFiguresOf, unresolvedAfterMs } from './valuation/settlementState.ts';
export { isShownChange } from './valuation/shownChange.ts';
export { valuePosition } from './valuation/valuePosition.ts';

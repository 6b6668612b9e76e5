// One direction: a folder imports only those above it. Config: the one table of numbers.

export type { PolicyConfig } from './config.ts';
export { policyDefaults } from './defaults.ts';

// Exit: what the measured time of forced sales means for quotes.

export { decideExitTime, exitSecondsOf, policyAtExit } from './exit/exitTime.ts';

// Fill: which grants the shipped filler takes, and what the outcome of grants means for quotes.

export { type BookClaims, claimsWith } from './fill/bookClaims.ts';
export { type ChosenFill, decideFill, type FillTerms, isAcceptedAt } from './fill/decideFill.ts';
export { type FillCost, type FilledGrant, measureFillCosts } from './fill/fillCosts.ts';
export type { FillBooks, FillWay } from './fill/fillWays.ts';
export { decideGrantFills, type EndedGrant, grantMemoryMs } from './fill/grantFills.ts';
export { heldSaleFloorOf } from './fill/heldSaleFloor.ts';

// Route: the ways of an order, and the rules of each.

export { type Route, routeNames } from '@core/position';
export { routes } from './route/routes.ts';

// Market: the phase of its life, and the marks a sale is bounded by.

export { hardExitOf } from './market/hardExit.ts';
export { saleMarkOf } from './market/marks.ts';
export { latestEntryAtMsOf, riskPhaseOf } from './market/riskPhase.ts';

// Leverage: how much a side carries at a size.

export { leverageLimitOf, sideModelOf } from './leverage/sideModel.ts';
export { debtPerTokenOf } from './leverage/watch.ts';

// Unwind: when and how debt is repaid by a sale.

export { type CoverInputs, coverInputsOf, coverOf } from './unwind/coverInputs.ts';
export { decideUnwind, type OwingPosition, type UnwindDecision } from './unwind/decideUnwind.ts';
export { decideUnwindReason } from './unwind/decideUnwindReason.ts';
export { isUnsellable } from './unwind/isUnsellable.ts';

// Partner: terms, usage and the caps on it.

export { type ContractTerms, isPartnerFeeAllowed } from './partner/contractTerms.ts';
export type { PartnerTerms } from './partner/partnerTerms.ts';
export { partnerTermsOf } from './partner/partnerTermsOf.ts';
export { quoteCapsOf } from './partner/quoteCaps.ts';
export type {
  ChainUsage,
  NotionalUsage,
  OutcomeLoan,
  PoolSnapshot,
  UsageByScope,
  UsageCounters,
  UsageSnapshot,
} from './partner/usageSnapshot.ts';
export { noUsage, usageSnapshotOf } from './partner/usageSnapshotOf.ts';

// Quote: the gates in their documented order.

export { decideFeeReport } from './quote/decideFeeReport.ts';
export { decideQuote } from './quote/decideQuote.ts';
export { decideUnknownMarket } from './quote/decideUnknownMarket.ts';
export type { PricedQuote } from './quote/pricedQuote.ts';
export type { QuoteRequest, ServiceSnapshot } from './quote/quoteRequest.ts';
export { quoteExpiryMsOf, quoteWindowOf } from './quote/quoteWindow.ts';

// Eligibility: what a market shows of all this.

export type { Eligibility } from './eligibility/decideEligibility.ts';
export {
  depthOf,
  type MarketFigures,
  type MarketPrices,
  marketFiguresOf,
  marketPricesOf,
  shownTiersOf,
} from './eligibility/marketFigures.ts';
export type { MarketLimits, SideLimits } from './eligibility/marketLimits.ts';

// Attestation: which price may be signed.

export type { AttestationRequest, AttestationTerms } from './attestation/attestationTerms.ts';
export { decideAttestation } from './attestation/decideAttestation.ts';
export {
  type CountersignatureRefusalReason,
  decideCountersignature,
} from './attestation/decideCountersignature.ts';
export { decideGrant, type GrantRequest, type GrantTerms } from './attestation/decideGrant.ts';
export { decideGrantBatch, decideGrantBatchCountersignature } from './attestation/decideGrantBatch.ts';
export {
  decideGrantCountersignature,
  type GrantDisagreementReason,
  jointGrantTermsOf,
} from './attestation/decideGrantCountersignature.ts';
export { jointTermsOf } from './attestation/jointTerms.ts';
export { policyAtPace } from './fill/policyAtPace.ts';

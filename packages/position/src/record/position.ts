import { openingFailureReasons } from '../states/openingFailure.ts';
import { riskModes, sides } from '../states/terms.ts';
import { closeReasons, livePurposes, positionStates, positionStatuses } from '../states/transitions.ts';
import {
  bigint,
  type FieldTable,
  flag,
  hex,
  instant,
  json,
  leverageBps,
  nullable,
  oneOf,
  pricePips,
  type RecordOf,
  rateBps,
  text,
  tokenUnits,
  usdcUnits,
} from './field.ts';
import type { QuotedRisk } from './quotedRisk.ts';

/**
 * Every field of a position, as the ledger of the chain gives it, and the terms it was quoted with. The record type,
 * the columns of the database and samples follow from this table. Letters in the comments are those of DEFINITIONS
 * sections 4 and 5.
 */
export const positionFields = {
  id: text,
  positionKey: hex,
  accountAddress: hex,
  /** Null together with `quoteId` when no stored quote matches. */
  partnerId: nullable(text),
  quoteId: nullable(text),
  walletAddress: hex,
  marketId: nullable(text),
  side: oneOf(sides),
  venueMarketId: hex,
  venueTokenId: text,
  riskMode: oneOf(riskModes),
  /** Null when the quote is not known: the debt is then watched with the defaults of the policy, without a ladder. */
  quotedRisk: nullable(json<QuotedRisk>()),
  chainState: oneOf(positionStates),
  status: oneOf(positionStatuses),
  closeReason: nullable(oneOf(closeReasons)),
  failureReason: nullable(oneOf(openingFailureReasons)),
  /** Reason of the freeze; the keeper leaves a frozen position alone until a person releases it. */
  frozenReason: nullable(text),

  /** c, N, quoted origination fee, venue part + partner part of the quoted open fee. */
  quotedCollateralUsdcUnits: usdcUnits,
  quotedNotionalUsdcUnits: usdcUnits,
  quotedOriginationFeeUsdcUnits: usdcUnits,
  quotedVenueFeeUsdcUnits: usdcUnits,
  /** T of the quote, before slippage. */
  quotedTokenUnits: tokenUnits,
  /** Indicative entry price of the quote. */
  entryPricePips: pricePips,
  leverageBps: leverageBps,
  originationFeeBps: rateBps,
  protocolOriginationFeeBps: rateBps,
  partnerOriginationFeeBps: rateBps,
  partnerTradingFeeBps: rateBps,
  lifetimeFeeAprBps: rateBps,
  liquidationFeeBps: rateBps,
  /** b; the buffer of the opening attestation once open, before that of the policy at quote time. */
  exitBufferBps: rateBps,
  slippageBps: rateBps,
  /** The user's unsigned arguments as the chain has them. */
  minPositionTokenUnits: tokenUnits,
  maxLiquidationPricePips: pricePips,
  contractMinFillBps: rateBps,
  /** Echoes of the request; null without partial-open. */
  allowPartialFill: nullable(flag),
  minFillBps: nullable(rateBps),

  /** S, T0 and the mark at the opening; null until opened. */
  spentUsdcUnits: nullable(usdcUnits),
  openedTokenUnits: nullable(tokenUnits),
  openedMarkPricePips: nullable(pricePips),

  /** T, P, C, d, o, the two parts of v (opening, sales) and y; o, v and y are scaled by partial closes. */
  tokenUnits: tokenUnits,
  principalUsdcUnits: usdcUnits,
  collateralUsdcUnits: usdcUnits,
  pendingLifetimeFeeUsdcUnits: usdcUnits,
  originationFeeUsdcUnits: usdcUnits,
  openVenueFeeUsdcUnits: usdcUnits,
  saleVenueFeeUsdcUnits: usdcUnits,
  /** Paid to the user by sales that were no close: unwinds, and liquidations of a part. */
  unwindPaidUsdcUnits: usdcUnits,
  /** Structural leverage: the entry value until an unwind completed. */
  structuralLeverageBps: leverageBps,
  /** Σ structural leverage × seconds until `leverageChangedAtMs`; the running part is added by the reader. */
  leverageBpsSeconds: bigint,

  /** Whole-life totals, never scaled. */
  totalOriginationFeeUsdcUnits: usdcUnits,
  totalOpenVenueFeeUsdcUnits: usdcUnits,
  totalSaleVenueFeeUsdcUnits: usdcUnits,
  /** Paid or credited to the user after opening, without open-time refunds. */
  proceedsUsdcUnits: usdcUnits,
  /** Returned at opening, cancel or revert. */
  refundedUsdcUnits: usdcUnits,
  /** Counted in one of the two above, and still in the account: the user could not receive it when it was paid. */
  deferredUsdcUnits: usdcUnits,
  /** Debt the user repaid: with margin, to exit, or with a payment that waited when the debt was taken. */
  repaidMarginUsdcUnits: usdcUnits,
  collectedLifetimeFeeUsdcUnits: usdcUnits,
  collectedLiquidationFeeUsdcUnits: usdcUnits,
  /** Unpaid principal only. */
  badDebtUsdcUnits: usdcUnits,

  livePurpose: nullable(oneOf(livePurposes)),
  liveOrderHash: nullable(hex),
  liveValidUntilMs: nullable(instant),
  /** Block time of the live order's authorisation. */
  liveAuthorizedAtMs: nullable(instant),
  /** Tokens still asked to be closed; null without a request. */
  closeRequestedTokenUnits: nullable(tokenUnits),
  closeRequestedMinPricePips: nullable(pricePips),
  closeRequestedAtMs: nullable(instant),
  cancelRequestedAtMs: nullable(instant),
  /** A requested close met a resolved market: the tokens wait for settlement. */
  closeDeferredAtMs: nullable(instant),

  /** Block times. */
  createdAtMs: instant,
  openedAtMs: nullable(instant),
  principalChangedAtMs: nullable(instant),
  leverageChangedAtMs: nullable(instant),
  closedAtMs: nullable(instant),
  /** Block of the last event folded in. */
  updatedBlockNumber: bigint,
} as const satisfies FieldTable;

/** One position: what one fold of its events yields. */
export interface Position extends RecordOf<typeof positionFields> {}

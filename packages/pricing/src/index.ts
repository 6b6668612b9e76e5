// Units.

export { clearableNotionalOf, slippageOf } from './book/clearable.ts';
export { askDepthOf, bestAskOf, bestBidOf, bidDepthOf, midPriceOf } from './book/depth.ts';
// Books.
export type { BookFill, BookLevel, OrderBook } from './book/orderBook.ts';
export type { AskWalk, BidWalk, TokenWalk } from './book/walk.ts';
export { walkAsks, walkAsksByTokens, walkBids } from './book/walk.ts';
export { constants } from './constants.ts';
export { lifetimeFeeOf, liquidationFeeOf } from './fees/lifetimeFee.ts';
export type { OriginationFee, OriginationTerms } from './fees/originationFee.ts';
export { originationFeeBpsOf, originationFeeOf, shownOriginationTiersOf } from './fees/originationFee.ts';
// Fees.
export type { FeeSchedule, OriginationTier, VenueFeeSchedule } from './fees/schedule.ts';
export type { OpenVenueFeeInput } from './fees/venueFee.ts';
export {
  expectedOpenVenueFeeOf,
  partnerTradingFeeOf,
  venueFeeOf,
  venueFeeOfFills,
  venueFeeShareBpsOf,
  venueTradingFeeBpsOf,
} from './fees/venueFee.ts';
// Tables of figures.
export type { FigureKind, FigureRow, FiguresOf, FigureTable, WireFiguresOf } from './figures/figureTable.ts';
export { wireFiguresOf } from './figures/figureTable.ts';
export { feeReportFigures, maxGainFigures, quoteFigures } from './figures/quoteTables.ts';
// Grants.
export type { Grant, GrantFill, GrantFillRefusal, PurchaseGrant, SaleGrant } from './grants/grantFill.ts';
export {
  bestGrantFillOf,
  clipGrantFill,
  grantFillRefusalOf,
  isGrantDone,
  minimumFirstFillOf,
} from './grants/grantFill.ts';
export type { GrantPath, GrantPrice, GrantSide } from './grants/grantPrice.ts';
export { grantPathDivisor, grantPriceOf, grantTokensOf, grantUsdcOf } from './grants/grantPrice.ts';
export { reviseSize } from './ladder/reviseSize.ts';
export type { SideLeverage } from './ladder/shownLeverage.ts';
export { grantedLeverageOf, sideLeverageOf } from './ladder/shownLeverage.ts';
// The revision ladder.
export type {
  AcceptedSize,
  Revision,
  SizeMarket,
  SizeRefusal,
  SizeRefusalCode,
  SizeRefusalParams,
  SizeRequest,
  SizeRevision,
} from './ladder/sizeRevision.ts';
export type { AmountDecimals, AmountKind, PriceDecimals } from './limits/amountTable.ts';
export type { LimitUsage } from './limits/capacity.ts';
export { capacityMaxNotionalOf, limitUsageOf, maxNotionalOf } from './limits/capacity.ts';
export type { AmountSteps, GridOrder, PartialCloseRange, TickPrice } from './limits/grid.ts';
export {
  amountDecimalsOf,
  amountStepsOf,
  buyOrderOf,
  isDust,
  partialCloseRangeOf,
  sellOrderOf,
  toShareStep,
  toTick,
} from './limits/grid.ts';
// Limits, hints and the venue's grid.
export type {
  CapitalHint,
  MinFillFloor,
  MinFillHint,
  PartnerLimitHint,
  PositionLimitHint,
  SideCapacityHint,
} from './limits/hints.ts';
export * as hints from './limits/hints.ts';
// Liquidation.
export type { Debt, LiquidationTerms } from './liquidation/liquidationPrice.ts';
export {
  estimatedLiquidationPriceOf,
  isLiquidatable,
  isLiquidationViable,
  liquidationPriceOf,
  liquidationThresholdOf,
  minimumBufferOf,
  priceViableLeverageOf,
} from './liquidation/liquidationPrice.ts';
export type { ExpectedFill } from './quote/expectedFill.ts';
export { expectedFillOf } from './quote/expectedFill.ts';
export type { FeeReport } from './quote/feeReport.ts';
export { feeReportOf } from './quote/feeReport.ts';
export type { MaxGain } from './quote/maxGain.ts';
export { maxGainOf } from './quote/maxGain.ts';
export type { OpeningCost } from './quote/openingCost.ts';
export type { QuoteFigures, QuoteInput } from './quote/quoteFigures.ts';
export { quoteFiguresOf } from './quote/quoteFigures.ts';
// Quotes.
export type { SnappedSize } from './size/snapQuote.ts';
export { snapQuote } from './size/snapQuote.ts';
export type { Rounding } from './units/arithmetic.ts';
export {
  add,
  compare,
  divide,
  equals,
  isZero,
  max,
  min,
  multiplyDivide,
  subtract,
} from './units/arithmetic.ts';
export {
  applyRate,
  leverageOf,
  priceOf,
  ratioOf,
  tokensFor,
  toUsdcUnits,
  toUsdPips,
  valueOf,
} from './units/conversion.ts';
export { formatCents } from './units/formatCents.ts';
export { formatUsd } from './units/formatUsd.ts';
export type {
  LeverageBps,
  PricePips,
  Quantity,
  RateBps,
  TokenUnits,
  UsdcUnits,
  UsdPips,
} from './units/quantity.ts';
export { leverageBps, pricePips, rateBps, raw, tokenUnits, usdcUnits, usdPips } from './units/quantity.ts';

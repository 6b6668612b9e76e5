import { type Rejection, reject } from '@core/errors';
import { type MarketSnapshot, sideOf } from '@core/market';
import type { Side } from '@core/position';
import {
  bestAskOf,
  compare,
  constants,
  type FeeReport,
  feeReportOf,
  hints,
  type LeverageBps,
  type PricePips,
  snapQuote,
  type UsdPips,
} from '@core/pricing';
import { type ContractTerms, chargedFeesOf } from '../partner/contractTerms.ts';
import type { PartnerTerms } from '../partner/partnerTerms.ts';
import { leverageRangeRefusalOf, minimumNotionalRefusalOf } from './requestGates.ts';

/** A parsed fee-report request. */
export interface FeeReportQuestion {
  readonly side: Side;
  readonly leverageBps: LeverageBps;
  readonly notionalUsdPips: UsdPips;
  /** Caller's own price; the best ask where it is null. */
  readonly entryPricePips: PricePips | null;
}

/**
 * Every fee of a size at one price. Validates like a quote, without eligibility and limits: range of leverage, minimum
 * notional, collateral floor. Null as snapshot is a market that is listed but not observed yet.
 */
export function decideFeeReport(
  question: FeeReportQuestion,
  snapshot: MarketSnapshot | null,
  { terms, contract }: { readonly terms: PartnerTerms; readonly contract: ContractTerms },
): FeeReport | Rejection {
  const venue = snapshot?.facts.venueFee ?? null;
  // Without the venue's own schedule there is nothing to report.
  if (snapshot === null || venue === null) return reject('quote_market_not_ready');
  const refusal =
    leverageRangeRefusalOf(question, () => constants.maxLeverageBps) ??
    minimumNotionalRefusalOf(question, terms) ??
    collateralRefusalOf(question, terms);
  if (refusal !== null) return refusal;
  const { book } = sideOf(snapshot, question.side);
  const entryPricePips = question.entryPricePips ?? (book === null ? null : bestAskOf(book));
  if (entryPricePips === null) return reject('notional_selector_empty_order_book');
  return feeReportOf({ ...question, entryPricePips, fees: { ...chargedFeesOf(terms.fees, contract), venue } });
}

function collateralRefusalOf(question: FeeReportQuestion, terms: PartnerTerms): Rejection | null {
  const floorUsdcUnits = hints.collateralFloorOf(terms.minCollateralUsdPips);
  if (compare(snapQuote(question).collateralUsdcUnits, floorUsdcUnits) >= 0) return null;
  return reject('quote_leverage_exceeds_collateral_floor', hints.collateralFloorHintOf(question, floorUsdcUnits));
}

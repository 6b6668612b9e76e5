import { add, min, subtract } from '../units/arithmetic.ts';
import { type TokenUnits, type UsdcUnits, usdcUnits } from '../units/quantity.ts';
import { entryFiguresOf } from './openPosition.ts';
import type { OpeningFill, PositionLedger, PositionTerms } from './openPositionFigures.ts';
import { type OpeningSplit, partialCloseShareOf, type Waterfall } from './waterfall.ts';

const nothing = usdcUnits(0n);

/** One sale of a position, as measured on chain. */
export interface SaleOutcome {
  readonly soldTokenUnits: TokenUnits;
  /** Lifetime fee accrued up to the sale: it becomes pending before anything is paid. */
  readonly accruedLifetimeFeeUsdcUnits: UsdcUnits;
  readonly saleTradingFeeUsdcUnits: UsdcUnits;
  readonly paid: Pick<Waterfall, 'principalPaidUsdcUnits' | 'lifetimeFeePaidUsdcUnits'>;
}

/** Ledger right after the opening, from the split of its money and the tokens delivered. */
export function openedLedgerOf(terms: PositionTerms, fill: OpeningFill, split: OpeningSplit): PositionLedger {
  return {
    tokenUnits: fill.deliveredTokenUnits,
    principalUsdcUnits: split.principalUsdcUnits,
    collateralUsdcUnits: entryFiguresOf(terms, fill).collateralUsdcUnits,
    pendingLifetimeFeeUsdcUnits: nothing,
    originationFeeUsdcUnits: split.originationFeeUsdcUnits,
    openTradingFeeUsdcUnits: split.tradingFeeUsdcUnits,
    saleTradingFeeUsdcUnits: nothing,
  };
}

function afterSale(ledger: PositionLedger, sale: SaleOutcome): PositionLedger {
  const due = add(ledger.pendingLifetimeFeeUsdcUnits, sale.accruedLifetimeFeeUsdcUnits);
  return {
    ...ledger,
    tokenUnits: subtract(ledger.tokenUnits, sale.soldTokenUnits),
    principalUsdcUnits: subtract(ledger.principalUsdcUnits, sale.paid.principalPaidUsdcUnits),
    pendingLifetimeFeeUsdcUnits: subtract(due, sale.paid.lifetimeFeePaidUsdcUnits),
  };
}

/** After an unwind: tokens, principal, pending and venue fees change, the collateral basis does not. */
export function afterUnwind(ledger: PositionLedger, sale: SaleOutcome): PositionLedger {
  return {
    ...afterSale(ledger, sale),
    saleTradingFeeUsdcUnits: add(ledger.saleTradingFeeUsdcUnits, sale.saleTradingFeeUsdcUnits),
  };
}

/**
 * After a user's partial close: basis and fees shrink with the share sold, each share rounded up as the vault rounds
 * the share of the debt. The fee of this sale belongs to the part that is gone.
 */
export function afterPartialClose(ledger: PositionLedger, sale: SaleOutcome): PositionLedger {
  const { soldTokenUnits } = sale;
  const remaining = (amountUsdcUnits: UsdcUnits): UsdcUnits =>
    subtract(
      amountUsdcUnits,
      partialCloseShareOf({ amountUsdcUnits, soldTokenUnits, heldTokenUnits: ledger.tokenUnits }),
    );
  return {
    ...afterSale(ledger, sale),
    collateralUsdcUnits: remaining(ledger.collateralUsdcUnits),
    originationFeeUsdcUnits: remaining(ledger.originationFeeUsdcUnits),
    openTradingFeeUsdcUnits: remaining(ledger.openTradingFeeUsdcUnits),
    saleTradingFeeUsdcUnits: remaining(ledger.saleTradingFeeUsdcUnits),
  };
}

/** After added margin: it repays principal, then lifetime fees, and all that was taken becomes collateral basis. */
export function afterAddedMargin(
  ledger: PositionLedger,
  addedUsdcUnits: UsdcUnits,
  accruedLifetimeFeeUsdcUnits: UsdcUnits,
): PositionLedger {
  const due = add(ledger.pendingLifetimeFeeUsdcUnits, accruedLifetimeFeeUsdcUnits);
  const principal = min(addedUsdcUnits, ledger.principalUsdcUnits);
  const fees = min(subtract(addedUsdcUnits, principal), due);
  return {
    ...ledger,
    principalUsdcUnits: subtract(ledger.principalUsdcUnits, principal),
    collateralUsdcUnits: add(add(ledger.collateralUsdcUnits, principal), fees),
    pendingLifetimeFeeUsdcUnits: subtract(due, fees),
  };
}

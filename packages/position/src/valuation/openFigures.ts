import {
  add,
  compare,
  isLiquidatable,
  isZero,
  leverageOf,
  liquidationPriceOf,
  liquidationThresholdOf,
  max,
  type PricePips,
  partialCloseRangeOf,
  rateBps,
  ratioOf,
  raw,
  subtract,
  type TokenUnits,
  tokenUnits,
  toUsdPips,
  type UsdcUnits,
  usdcUnits,
  usdPips,
  valueOf,
} from '@core/pricing';
import { accruedLifetimeFeeOf, debtOf } from '../debt/debt.ts';
import { bookLeverageOf } from '../debt/leverage.ts';
import type { Position } from '../record/position.ts';
import type { CurrentFigures, OpenFeeFigures, RiskFigures } from './figures.ts';

const nothing = usdcUnits(0n);
const wholeBps = 10_000n;

/** What a position holds and owes at a moment, and its basis: letters of DEFINITIONS 4. */
interface Books {
  readonly isPending: boolean;
  /** T. */
  readonly tokenUnits: TokenUnits;
  /** P. */
  readonly principalUsdcUnits: UsdcUnits;
  /** C. */
  readonly collateralUsdcUnits: UsdcUnits;
  /** a. */
  readonly accruedUsdcUnits: UsdcUnits;
  /** d. */
  readonly pendingUsdcUnits: UsdcUnits;
  /** o. */
  readonly originationFeeUsdcUnits: UsdcUnits;
  /** v of the opening and of sales. */
  readonly openVenueFeeUsdcUnits: UsdcUnits;
  readonly saleVenueFeeUsdcUnits: UsdcUnits;
}

/** A pending position is shown with its quote, nothing paid yet. */
function booksOf(position: Position, nowMs: number): Books {
  if (position.spentUsdcUnits === null) {
    return {
      isPending: true,
      tokenUnits: position.quotedTokenUnits,
      principalUsdcUnits: subtract(position.quotedNotionalUsdcUnits, position.quotedCollateralUsdcUnits),
      collateralUsdcUnits: position.quotedCollateralUsdcUnits,
      accruedUsdcUnits: nothing,
      pendingUsdcUnits: nothing,
      originationFeeUsdcUnits: position.quotedOriginationFeeUsdcUnits,
      openVenueFeeUsdcUnits: nothing,
      saleVenueFeeUsdcUnits: nothing,
    };
  }
  return {
    ...position,
    isPending: false,
    principalUsdcUnits: debtOf(position, nowMs).principalUsdcUnits,
    accruedUsdcUnits: accruedLifetimeFeeOf(position, nowMs),
    pendingUsdcUnits: position.pendingLifetimeFeeUsdcUnits,
  };
}

/**
 * Live figures, distance from liquidation and fees of an open-type position at a mark and a moment (DEFINITIONS 4):
 * value and liquidation price down, debt and fees up, PnL towards minus infinity.
 * @throws RangeError when the collateral basis is 0.
 */
export function openFiguresOf(position: Position, markPricePips: PricePips, nowMs: number) {
  const books = booksOf(position, nowMs);
  return {
    current: currentFiguresOf(position, books, markPricePips),
    risk: riskFiguresOf(position, books, markPricePips),
    fees: feeFiguresOf(position, books),
  };
}

function currentFiguresOf(position: Position, books: Books, markPricePips: PricePips): CurrentFigures {
  const { isPending, principalUsdcUnits: principal, collateralUsdcUnits: collateral } = books;
  const value = valueOf(books.tokenUnits, markPricePips, 'down');
  const equity = subtract(subtract(subtract(value, principal), books.accruedUsdcUnits), books.pendingUsdcUnits);
  const effectiveCollateral = max(nothing, equity);
  const sold = subtract(add(value, books.saleVenueFeeUsdcUnits), principal);
  const unrealized = isPending ? nothing : subtract(subtract(sold, books.accruedUsdcUnits), collateral);
  const opening = add(books.originationFeeUsdcUnits, books.openVenueFeeUsdcUnits);
  const net = isPending ? nothing : subtract(subtract(equity, collateral), opening);
  const book = add(collateral, principal);
  const { openedTokenUnits: opened } = position;
  return {
    bookLeverageBps: bookLeverageOf(books),
    leverageBps: position.structuralLeverageBps,
    marketLeverageBps: raw(equity) > 0n ? leverageOf(value, equity) : null,
    markPricePips,
    notionalUsdcUnits: book,
    notionalUsdPips: toUsdPips(book, 'down'),
    positionTokenUnits: books.tokenUnits,
    remainingBps: opened === null ? null : ratioOf(books.tokenUnits, opened, 'down'),
    collateralUsdcUnits: collateral,
    collateralUsdPips: toUsdPips(collateral, 'down'),
    effectiveCollateralUsdcUnits: effectiveCollateral,
    effectiveCollateralUsdPips: toUsdPips(effectiveCollateral, 'down'),
    unrealizedPnlUsdcUnits: unrealized,
    unrealizedPnlUsdPips: toUsdPips(unrealized, 'down'),
    unrealizedPnlBps: ratioOf(unrealized, collateral, 'down'),
    netUnrealizedPnlUsdcUnits: net,
    netUnrealizedPnlUsdPips: toUsdPips(net, 'down'),
    netUnrealizedPnlBps: ratioOf(net, collateral, 'down'),
    positionValueUsdcUnits: value,
    positionValueUsdPips: toUsdPips(value, 'down'),
    // Before anything is delivered no part of it can be closed.
    ...partialCloseRangeOf(opened ?? tokenUnits(0n), opened === null ? tokenUnits(0n) : position.tokenUnits),
  };
}

function riskFiguresOf(position: Position, books: Books, markPricePips: PricePips): RiskFigures {
  const debt = {
    principalUsdcUnits: books.principalUsdcUnits,
    feesUsdcUnits: add(books.accruedUsdcUnits, books.pendingUsdcUnits),
  };
  const liquidationPricePips = liquidationPriceOf({ ...position, ...debt, tokenUnits: books.tokenUnits });
  const threshold = liquidationThresholdOf(debt, position);
  const marginBuffer = max(nothing, subtract(valueOf(books.tokenUnits, markPricePips, 'down'), threshold));
  const isHealthy = books.isPending || isZero(books.principalUsdcUnits);
  const referencePricePips = position.openedMarkPricePips ?? position.entryPricePips;
  const health = isHealthy ? wholeBps : healthOf({ markPricePips, liquidationPricePips, referencePricePips });
  const distance = subtract(markPricePips, liquidationPricePips);
  return {
    healthBps: rateBps(health),
    currentLiquidationPricePips: liquidationPricePips,
    liquidationThresholdUsdcUnits: threshold,
    liquidationBufferBps: isZero(markPricePips) ? rateBps(0n) : ratioOf(distance, markPricePips, 'down'),
    liquidationFeeBps: position.liquidationFeeBps,
    marginBufferUsdcUnits: marginBuffer,
    marginBufferUsdPips: toUsdPips(marginBuffer, 'down'),
  };
}

/** 0 at or below the liquidation price, 10,000 at or above the mark of the opening, in between the share of the way. */
function healthOf(
  prices: Readonly<Record<'markPricePips' | 'liquidationPricePips' | 'referencePricePips', PricePips>>,
): bigint {
  if (isLiquidatable(prices.markPricePips, prices.liquidationPricePips)) return 0n;
  if (compare(prices.markPricePips, prices.referencePricePips) >= 0) return wholeBps;
  const distance = subtract(prices.markPricePips, prices.liquidationPricePips);
  return raw(ratioOf(distance, subtract(prices.referencePricePips, prices.liquidationPricePips), 'down'));
}

function feeFiguresOf(position: Position, books: Books): OpenFeeFigures {
  const { accruedUsdcUnits: accrued, pendingUsdcUnits: pending } = books;
  const venue = add(books.openVenueFeeUsdcUnits, books.saleVenueFeeUsdcUnits);
  const parts = [books.originationFeeUsdcUnits, accrued, pending, venue];
  return {
    lifetimeFeeAprBps: position.lifetimeFeeAprBps,
    accruedLifetimeFeeUsdcUnits: accrued,
    accruedLifetimeFeeUsdPips: toUsdPips(accrued, 'up'),
    pendingLifetimeFeeUsdcUnits: pending,
    pendingLifetimeFeeUsdPips: toUsdPips(pending, 'up'),
    accruedVenueFeeUsdcUnits: venue,
    accruedVenueFeeUsdPips: toUsdPips(venue, 'up'),
    totalFeesUsdcUnits: parts.reduce((total, part) => add(total, part), nothing),
    totalFeesUsdPips: parts.reduce((total, part) => add(total, toUsdPips(part, 'up')), usdPips(0n)),
  };
}

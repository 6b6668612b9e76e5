import {
  add,
  compare,
  isLiquidatable,
  isZero,
  leverageOf,
  liquidationPriceOf,
  liquidationThresholdOf,
  max,
  min,
  type PricePips,
  partialCloseRangeOf,
  pricePips,
  rateBps,
  ratioOf,
  raw,
  subtract,
  tokenUnits,
  toUsdPips,
  type UsdcUnits,
  usdcUnits,
  usdPips,
  valueOf,
} from '@core/pricing';
import { accruedLifetimeFeeOf } from '../debt/debt.ts';
import { bookLeverageOf } from '../debt/leverage.ts';
import type { CurrentFigures, OpenFeeFigures, OpenMomentFigures, RiskFigures } from './figures.ts';
import type { OpenBasis } from './openBasis.ts';

const nothing = usdcUnits(0n);
const wholeBps = 10_000n;
/** Payout of a winning token. */
const wholePrice = pricePips(10_000n);

/** The mark and the moment an open position is valued at. */
export interface OpenMoment {
  readonly markPricePips: PricePips;
  readonly nowMs: number;
}

/** Holdings and debt of a position at a moment: its basis with the fee accrued by then. */
interface Books extends OpenBasis {
  /** a of DEFINITIONS 4. */
  readonly accruedUsdcUnits: UsdcUnits;
}

/**
 * Live figures, distance from liquidation and fees of an open-type position at a mark and a moment (DEFINITIONS 4):
 * value and liquidation price down, debt and fees up, PnL towards minus infinity. A loss is at most what was paid in,
 * and a liquidation price at most one dollar.
 * @throws RangeError when the collateral basis is 0.
 */
export function openFiguresOf(basis: OpenBasis, { markPricePips, nowMs }: OpenMoment): OpenMomentFigures {
  const accruedUsdcUnits = basis.isPending ? nothing : accruedLifetimeFeeOf(basis, nowMs);
  const books: Books = { ...basis, accruedUsdcUnits };
  return {
    current: currentFiguresOf(books, markPricePips),
    risk: riskFiguresOf(books, markPricePips),
    fees: feeFiguresOf(books),
  };
}

function currentFiguresOf(books: Books, markPricePips: PricePips): CurrentFigures {
  const { isPending, principalUsdcUnits: principal, collateralUsdcUnits: collateral } = books;
  const value = valueOf(books.tokenUnits, markPricePips, 'down');
  const equity = subtract(
    subtract(subtract(value, principal), books.accruedUsdcUnits),
    books.pendingLifetimeFeeUsdcUnits,
  );
  const effectiveCollateral = max(nothing, equity);
  const gained = isPending ? nothing : subtract(add(effectiveCollateral, books.unwindPaidUsdcUnits), collateral);
  const unrealized = add(gained, add(books.pendingLifetimeFeeUsdcUnits, books.saleVenueFeeUsdcUnits));
  const opening = add(books.originationFeeUsdcUnits, books.openVenueFeeUsdcUnits);
  const net = isPending ? nothing : subtract(gained, opening);
  const book = add(collateral, principal);
  const { openedTokenUnits: opened } = books;
  return {
    bookLeverageBps: bookLeverageOf(books),
    leverageBps: books.structuralLeverageBps,
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
    ...partialCloseRangeOf(opened ?? tokenUnits(0n), opened === null ? tokenUnits(0n) : books.tokenUnits),
  };
}

function riskFiguresOf(books: Books, markPricePips: PricePips): RiskFigures {
  const debt = {
    principalUsdcUnits: books.principalUsdcUnits,
    feesUsdcUnits: add(books.accruedUsdcUnits, books.pendingLifetimeFeeUsdcUnits),
  };
  // A debt above one dollar per token can be liquidated at every price.
  const liquidationPricePips = min(wholePrice, liquidationPriceOf({ ...books, ...debt }));
  const threshold = liquidationThresholdOf(debt, books);
  const marginBuffer = max(nothing, subtract(valueOf(books.tokenUnits, markPricePips, 'down'), threshold));
  const isHealthy = books.isPending || isZero(books.principalUsdcUnits);
  const { referencePricePips } = books;
  const health = isHealthy ? wholeBps : healthOf({ markPricePips, liquidationPricePips, referencePricePips });
  const distance = subtract(markPricePips, liquidationPricePips);
  return {
    healthBps: rateBps(health),
    currentLiquidationPricePips: liquidationPricePips,
    liquidationThresholdUsdcUnits: threshold,
    liquidationBufferBps: isZero(markPricePips) ? rateBps(0n) : ratioOf(distance, markPricePips, 'down'),
    liquidationFeeBps: books.liquidationFeeBps,
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

function feeFiguresOf(books: Books): OpenFeeFigures {
  const { accruedUsdcUnits: accrued, pendingLifetimeFeeUsdcUnits: pending } = books;
  const venue = add(books.openVenueFeeUsdcUnits, books.saleVenueFeeUsdcUnits);
  const parts = [books.originationFeeUsdcUnits, accrued, pending, venue];
  return {
    lifetimeFeeAprBps: books.lifetimeFeeAprBps,
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

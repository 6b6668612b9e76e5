import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyLeverage } from '../../testing/arbitraries.ts';
import { expectCompanions } from '../../testing/companions.ts';
import {
  add,
  afterAddedMargin,
  afterPartialClose,
  afterUnwind,
  entryFiguresOf,
  liquidationFeeOf,
  max,
  min,
  type OpeningFill,
  type OpenPositionFigures,
  openedLedgerOf,
  openingSplitOf,
  type PositionLedger,
  type PositionTerms,
  partialCloseShareOf,
  pricePips,
  rateBps,
  raw,
  snapQuote,
  subtract,
  tokensFor,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
  usdPips,
  valueClosedPosition,
  valueOf,
  valueOpenPosition,
  waterfallOf,
} from '../index.ts';

const zero = usdcUnits(0n);

interface Step {
  readonly kind: 'partialClose' | 'unwind' | 'addMargin';
  readonly shareBps: bigint;
  readonly mark: bigint;
  readonly seconds: number;
  readonly feeBps: bigint;
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('partialClose' as const, 'unwind' as const, 'addMargin' as const),
  shareBps: fc.bigInt({ min: 500n, max: 6_000n }),
  mark: fc.bigInt({ min: 1n, max: 9_999n }),
  seconds: fc.integer({ min: 0, max: 1_000_000 }),
  feeBps: fc.bigInt({ min: 0n, max: 500n }),
});

const anyLife = fc.record({
  notional: fc.bigInt({ min: 1_000_000n, max: 10n ** 8n }),
  leverage: anyLeverage,
  entry: fc.bigInt({ min: 500n, max: 9_500n }),
  filledBps: fc.bigInt({ min: 2_000n, max: 10_000n }),
  openFeeBps: fc.bigInt({ min: 0n, max: 10_000n }),
  apr: fc.bigInt({ min: 0n, max: 2_000n }),
  steps: fc.array(anyStep, { maxLength: 5 }),
  last: anyStep,
});

type Life = typeof anyLife extends fc.Arbitrary<infer T> ? T : never;

/** Opens a life: honest fill, split of the money, first ledger. */
function open(life: Life): { terms: PositionTerms; fill: OpeningFill; ledger: PositionLedger } {
  const entryPricePips = pricePips(life.entry);
  const size = snapQuote({ notionalUsdPips: usdPips(life.notional), leverageBps: life.leverage });
  const terms: PositionTerms = {
    leverageBps: life.leverage,
    collateralUsdcUnits: size.collateralUsdcUnits,
    notionalUsdcUnits: size.notionalUsdcUnits,
    entryPricePips,
    positionTokenUnits: tokensFor(size.notionalUsdcUnits, entryPricePips, 'down'),
    originationFeeUsdcUnits: usdcUnits(raw(size.notionalUsdcUnits) / 50n),
    lifetimeFeeAprBps: rateBps(life.apr),
    liquidationFeeBps: rateBps(100n),
    exitBufferBps: rateBps(800n),
  };
  const venueFee = raw(size.notionalUsdcUnits) / 20n;
  const spent = usdcUnits((raw(size.notionalUsdcUnits) * life.filledBps) / 10_000n);
  const tokens = tokensFor(spent, entryPricePips, 'down');
  const paidFee = (venueFee * life.openFeeBps) / 10_000n;
  const budget = raw(size.notionalUsdcUnits) + venueFee + raw(terms.originationFeeUsdcUnits);
  const split = openingSplitOf({
    ...size,
    lentUsdcUnits: size.borrowUsdcUnits,
    venueFeeUsdcUnits: usdcUnits(venueFee),
    originationFeeUsdcUnits: terms.originationFeeUsdcUnits,
    filledUsdcUnits: spent,
    cashUsdcUnits: usdcUnits(budget - raw(spent) - paidFee),
    tokenUnits: tokens,
  });
  const fill = {
    spentUsdcUnits: spent,
    deliveredTokenUnits: tokens,
    isComplete: false,
    markPricePips: entryPricePips,
  };
  return { terms, fill, ledger: openedLedgerOf(terms, fill, split) };
}

/** Books of one life while it runs: the ledger, and what has left it so far. */
class Books {
  readonly terms: PositionTerms;
  readonly fill: OpeningFill;
  readonly first: PositionLedger;
  ledger: PositionLedger;
  proceeds: UsdcUnits = zero;
  repaid: UsdcUnits = zero;
  lifetime: UsdcUnits = zero;
  saleFees: UsdcUnits = zero;
  /** Net result of the parts already closed. */
  realized = 0n;

  constructor(life: Life) {
    const { terms, fill, ledger } = open(life);
    this.terms = terms;
    this.fill = fill;
    this.first = ledger;
    this.ledger = ledger;
  }

  value(step: Step, elapsedSeconds: number): OpenPositionFigures {
    return valueOpenPosition({
      terms: this.terms,
      fill: this.fill,
      ledger: this.ledger,
      structuralLeverageBps: this.terms.leverageBps,
      elapsedSeconds,
      markPricePips: pricePips(step.mark),
    });
  }

  /** Everything the user has and has had, net of what was paid in, at the mark. */
  net(figures: OpenPositionFigures): bigint {
    return this.realized + raw(figures.current.netUnrealizedPnlUsdcUnits);
  }

  /** Sells a share at the mark less a fee; principal and fees due are all (unwind) or their share (partial close). */
  sell(step: Step): bigint {
    const { fees } = this.value(step, step.seconds);
    const accrued = fees.accruedLifetimeFeeUsdcUnits;
    const due = add(this.ledger.pendingLifetimeFeeUsdcUnits, accrued);
    const held = this.ledger.tokenUnits;
    const isClose = step.kind === 'partialClose';
    const wanted = tokenUnits((raw(held) * step.shareBps) / 10_000n);
    const debt = add(this.ledger.principalUsdcUnits, due);
    // An unwind sells no more than the debt takes, so nothing of it reaches the user.
    const sold = isClose ? wanted : min(wanted, tokensFor(debt, pricePips(step.mark), 'down'));
    const share = (amountUsdcUnits: UsdcUnits): UsdcUnits =>
      isClose ? partialCloseShareOf({ amountUsdcUnits, soldTokenUnits: sold, heldTokenUnits: held }) : amountUsdcUnits;
    const gross = valueOf(sold, pricePips(step.mark), 'down');
    const fee = usdcUnits((raw(gross) * step.feeBps) / 10_000n);
    const paid = waterfallOf({
      proceedsUsdcUnits: subtract(gross, fee),
      principalDueUsdcUnits: share(this.ledger.principalUsdcUnits),
      lifetimeFeeDueUsdcUnits: share(due),
      liquidationFeeBps: rateBps(0n),
    });
    const before = this.ledger;
    const sale = { soldTokenUnits: sold, accruedLifetimeFeeUsdcUnits: accrued, saleTradingFeeUsdcUnits: fee, paid };
    this.ledger = isClose ? afterPartialClose(before, sale) : afterUnwind(before, sale);
    this.proceeds = add(this.proceeds, paid.userPaidUsdcUnits);
    this.lifetime = add(this.lifetime, paid.lifetimeFeePaidUsdcUnits);
    this.saleFees = add(this.saleFees, fee);
    const gone = (key: keyof PositionLedger): bigint => raw(before[key]) - raw(this.ledger[key]);
    const costs = gone('collateralUsdcUnits') + gone('originationFeeUsdcUnits') + gone('openTradingFeeUsdcUnits');
    this.realized += raw(paid.userPaidUsdcUnits) - (isClose ? costs : 0n);
    return raw(fee);
  }

  margin(step: Step): void {
    const { fees } = this.value(step, step.seconds);
    const added = usdcUnits((raw(this.ledger.principalUsdcUnits) * step.shareBps) / 5_000n);
    const before = this.ledger.collateralUsdcUnits;
    this.ledger = afterAddedMargin(this.ledger, added, fees.accruedLifetimeFeeUsdcUnits);
    const taken = subtract(this.ledger.collateralUsdcUnits, before);
    const debt = raw(fees.pendingLifetimeFeeUsdcUnits) + raw(fees.accruedLifetimeFeeUsdcUnits);
    this.lifetime = add(this.lifetime, usdcUnits(debt - raw(this.ledger.pendingLifetimeFeeUsdcUnits)));
    this.repaid = add(this.repaid, taken);
  }
}

describe('open and closed figures agree over random lives', () => {
  test('closing at the mark realizes what was shown, step by step and at the end', () => {
    let lives = 0;
    fc.assert(
      fc.property(anyLife, (life) => {
        const books = new Books(life);
        for (const step of life.steps) {
          const before = books.net(books.value(step, step.seconds));
          const solvent = raw(books.value(step, step.seconds).current.effectiveCollateralUsdcUnits) > 0n;
          if (!solvent) return;
          const fee = step.kind === 'addMargin' ? (books.margin(step), 0n) : books.sell(step);
          const lost = before - books.net(books.value(step, 0));
          // Every step costs its sale fee; rounding of value and shares moves a few units.
          expect(lost - fee >= -3n && lost - fee <= 3n).toBe(true);
          if (raw(books.ledger.collateralUsdcUnits) <= 0n) return;
        }
        const shown = books.value(life.last, life.last.seconds);
        const { effectiveCollateralUsdcUnits: equity } = shown.current;
        if (raw(equity) === 0n) return;
        const shownNet = books.net(shown);
        books.sell({ ...life.last, kind: 'partialClose', shareBps: 10_000n, feeBps: 0n });
        expect(raw(books.ledger.tokenUnits)).toBe(0n);
        const closed = valueClosedPosition({
          closeReason: 'closed',
          entryCollateralUsdcUnits: entryFiguresOf(books.terms, books.fill).collateralUsdcUnits,
          repaidMarginUsdcUnits: books.repaid,
          proceedsUsdcUnits: books.proceeds,
          originationFeeUsdcUnits: books.first.originationFeeUsdcUnits,
          openTradingFeeUsdcUnits: books.first.openTradingFeeUsdcUnits,
          saleTradingFeeUsdcUnits: books.saleFees,
          collectedLifetimeFeeUsdcUnits: books.lifetime,
          collectedLiquidationFeeUsdcUnits: zero,
        });
        for (const part of [shown.entry, shown.current, shown.risk, closed.result]) expectCompanions(part);
        for (const fees of [shown.fees, closed.fees]) expectCompanions(fees, ['totalFeesUsdPips']);
        lives += 1;
        const net = raw(closed.result.netRealizedPnlUsdcUnits);
        expect(net).toBe(shownNet);
        // Net is everything received less everything paid in.
        const paidIn = raw(books.first.collateralUsdcUnits) + raw(books.repaid);
        const opening = raw(books.first.originationFeeUsdcUnits) + raw(books.first.openTradingFeeUsdcUnits);
        expect(net).toBe(raw(books.proceeds) - paidIn - opening);
      }),
      { numRuns: 3_000 },
    );
    expect(lives).toBeGreaterThan(300);
  });

  test('unwinding never raises debt per token while the mark covers it, and added margin lowers the price', () => {
    fc.assert(
      fc.property(anyLife, anyStep, (life, step) => {
        const books = new Books(life);
        const before = books.value(step, 0);
        if (raw(before.current.effectiveCollateralUsdcUnits) === 0n) return;
        const old = books.ledger;
        books.sell({ ...step, kind: 'unwind', feeBps: 0n, seconds: 0 });
        expect(
          raw(books.ledger.principalUsdcUnits) * raw(old.tokenUnits) <=
            (raw(old.principalUsdcUnits) + 1n) * raw(books.ledger.tokenUnits),
        ).toBe(true);
        books.margin({ ...step, seconds: 0 });
        const after = books.value(step, 0);
        expect(raw(after.risk.currentLiquidationPricePips) <= raw(before.risk.currentLiquidationPricePips) + 1n).toBe(
          true,
        );
        expect(raw(max(zero, liquidationFeeOf(books.ledger.principalUsdcUnits, rateBps(100n)))) >= 0n).toBe(true);
      }),
    );
  });
});

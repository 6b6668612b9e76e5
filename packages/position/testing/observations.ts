import { pricePips, tokenUnits, usdcUnits } from '@core/pricing';
import * as fc from 'fast-check';
import type { PositionDecision } from '../src/decide/positionAction.ts';
import type { BookedObservation } from '../src/decide/positionObservation.ts';
import {
  type CloseAttempt,
  decidePosition,
  type LiveBook,
  type UnwindAdvice,
  type UnwindRefusal,
} from '../src/index.ts';
import { sampleExecution } from './sampleExecution.ts';

export const nowMs = 1_800_000_000_000;
export const usdc = (whole: number) => usdcUnits(BigInt(whole) * 1_000_000n);
export const tokens = (whole: number) => tokenUnits(BigInt(whole) * 1_000_000n);

/** Half a dollar on both sides, with more than any test trades. */
export const book: LiveBook = {
  bids: [{ pricePips: pricePips(4_900n), sizeTokenUnits: tokens(10_000) }],
  asks: [{ pricePips: pricePips(5_000n), sizeTokenUnits: tokens(10_000) }],
  tickPricePips: pricePips(100n),
  saleFloorPricePips: pricePips(4_208n),
};
/** An order for a close of 50 tokens at any price. */
export const closeAt = (decidedAtMs: number): CloseAttempt => ({
  decidedAtMs,
  requestedTokenUnits: tokens(50),
  minPricePips: pricePips(0n),
  reachTokenUnits: tokens(50),
});

/** 120 of 150 tokens repay the debt. */
export const unwindAdvice = {
  kind: 'sell',
  reason: 'price_drop_moderate',
  rung: null,
  isHardExit: false,
  isBelowDebt: false,
  tokenUnits: tokens(120),
  tickPricePips: pricePips(100n),
  retryAtMs: nowMs + 1_000,
} as const satisfies UnwindAdvice;

export function pending(overrides: Partial<BookedObservation['opening']> = {}): BookedObservation {
  return {
    nowMs,
    book,
    callCounts: { finalize: 0, refund: 0, settle: 0 },
    state: 'pending',
    isKnownQuote: true,
    liveOrder: null,
    isMarketTradable: true,
    arePayoutsKnown: false,
    opening: {
      isCancelRequested: false,
      windowEndsAtMs: nowMs + 300_000,
      allowPartialFill: false,
      notionalUsdcUnits: usdc(100),
      floorUsdcUnits: usdc(100),
      filledUsdcUnits: usdc(0),
      minPositionTokenUnits: tokens(190),
      venueFeeLeftUsdcUnits: usdc(3),
      hasTokens: false,
      attemptCount: 0,
      lastAttemptAtMs: null,
      unfilledReason: 'order_not_filled',
      ...overrides,
    },
    closing: {
      heldTokenUnits: tokens(0),
      debtUsdcUnits: usdc(50),
      askedTokenUnits: tokens(50),
      requestedTokenUnits: null,
      minPricePips: pricePips(0n),
      attemptCount: 0,
      attempts: [],
      isDeferred: false,
    },
    unwind: { advice: { kind: 'none' }, attemptCount: 0, refusal: null },
    liquidation: { isDue: false, attemptCount: 0, lastAttemptAtMs: null },
  };
}

export function open(overrides: Partial<BookedObservation['closing']> = {}): BookedObservation {
  const observation = pending();
  return {
    ...observation,
    state: 'open',
    closing: { ...observation.closing, heldTokenUnits: tokens(150), ...overrides },
  };
}

export const live = {
  purpose: 'open',
  isGrant: false,
  validUntilMs: nowMs + 60_000,
  isTerminalAtVenue: false,
  filledUsdcUnits: usdc(0),
} as const;
/** Any observation of a position that is pending or open, in a tradable market without payouts. */
export const observations: fc.Arbitrary<BookedObservation> = (() => {
  const orders = fc.record({
    purpose: fc.constantFrom('open', 'close', 'unwind', 'liquidate'),
    isGrant: fc.boolean(),
    validUntilMs: fc.integer({ min: nowMs - 10_000, max: nowMs + 10 }),
    isTerminalAtVenue: fc.boolean(),
    filledUsdcUnits: fc.bigInt(0n, 100_000_000n).map(usdcUnits),
  });
  const advices = fc.constantFrom<UnwindAdvice>(
    { kind: 'none' },
    { kind: 'wait', reason: 'book_stale', untilMs: nowMs + 1_000, isAlert: false },
    unwindAdvice,
    { ...unwindAdvice, isHardExit: true, tokenUnits: tokens(150) },
  );
  const refusals: fc.Arbitrary<UnwindRefusal> = fc.record({
    atMs: fc.integer({ min: nowMs - 70_000, max: nowMs }),
    reason: fc.constant('not_due'),
    sale: fc.record({ rung: fc.constantFrom(null, 1), isHardExit: fc.boolean() }),
    lastingCount: fc.integer({ min: 0, max: 9 }),
  });
  const times = fc.option(fc.integer({ min: nowMs - 10_000, max: nowMs }));
  return fc.record({
    nowMs: fc.constant(nowMs),
    book: fc.option(fc.constant(book)),
    callCounts: fc.constant({ finalize: 0, refund: 0, settle: 0 }),
    state: fc.constantFrom('pending', 'open'),
    isKnownQuote: fc.boolean(),
    liveOrder: fc.option(orders),
    isMarketTradable: fc.constant(true),
    arePayoutsKnown: fc.constant(false),
    opening: fc.record({
      isCancelRequested: fc.boolean(),
      windowEndsAtMs: fc.integer({ min: nowMs - 10, max: nowMs + 10 }),
      allowPartialFill: fc.boolean(),
      notionalUsdcUnits: fc.constant(usdc(100)),
      floorUsdcUnits: fc.constant(usdc(30)),
      filledUsdcUnits: fc.bigInt(0n, 100_000_000n).map(usdcUnits),
      minPositionTokenUnits: fc.constant(tokens(190)),
      venueFeeLeftUsdcUnits: fc.constant(usdc(3)),
      hasTokens: fc.boolean(),
      attemptCount: fc.integer({ min: 0, max: 4 }),
      lastAttemptAtMs: times,
      unfilledReason: fc.constant('order_not_filled' as const),
    }),
    closing: fc.record({
      heldTokenUnits: fc.constant(tokens(150)),
      debtUsdcUnits: fc.constant(usdc(50)),
      askedTokenUnits: fc.constant(tokens(50)),
      requestedTokenUnits: fc.option(fc.constant(tokens(50))),
      minPricePips: fc.constant(pricePips(0n)),
      attemptCount: fc.integer({ min: 4, max: 40 }),
      attempts: fc
        .array(fc.integer({ min: nowMs - 10_000, max: nowMs }), { maxLength: 4 })
        .map((made) => made.toSorted((left, right) => left - right).map(closeAt)),
      isDeferred: fc.boolean(),
    }),
    unwind: fc.record({ advice: advices, attemptCount: fc.integer({ min: 0, max: 4 }), refusal: fc.option(refusals) }),
    liquidation: fc.record({
      isDue: fc.boolean(),
      attemptCount: fc.integer({ min: 0, max: 4 }),
      lastAttemptAtMs: times,
    }),
  });
})();

/** Decide on an observation with its book. */
export const decideOn = (observation: BookedObservation, config = sampleExecution): PositionDecision =>
  decidePosition(observation, config, (complete) => complete(observation.book));

/** Return true when the decision on an observation reads the book. */
export const isBookRead = (observation: BookedObservation): boolean =>
  decidePosition(observation, sampleExecution, () => 'read') === 'read';

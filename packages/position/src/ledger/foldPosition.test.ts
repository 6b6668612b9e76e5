import { pricePips, raw } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import {
  authorized,
  context,
  created,
  type EventPart,
  ended,
  historyOf,
  nothing,
  opening,
  positionOf,
  reduced,
  sale,
  tokens,
  untilOpen,
  usdc,
} from '../../testing/positionHistory.ts';
import { hashOf, sampleNowMs } from '../../testing/samples.ts';
import type { PositionStateName } from '../states/transitions.ts';
import { customerEventsOf } from './customerEvents.ts';
import { foldPosition } from './foldPosition.ts';
import { positionUsageOf } from './positionUsage.ts';

test('events before a creation make no position', () => {
  expect(foldPosition([], context)).toBeNull();
  expect(foldPosition(historyOf(authorized('open')), context)).toBeNull();
});

describe('the fold', () => {
  test('opens with what the vault measured', () => {
    expect(positionOf(...untilOpen)).toMatchObject({
      chainState: 'open',
      status: 'open',
      spentUsdcUnits: 100_000_000n,
      collateralUsdcUnits: 20_000_000n,
      principalUsdcUnits: 80_000_000n,
      openVenueFeeUsdcUnits: 3_400_000n,
      openedMarkPricePips: 4_950n,
      exitBufferBps: 800n,
      openedAtMs: sampleNowMs + 3 * 3_600_000,
      quoteId: null,
      quotedRisk: null,
      frozenReason: null,
    });
  });

  test('a part closed by the user scales basis and fees, an unwind does not', () => {
    const distribution = { ...nothing, ...sale };
    const close = [authorized('close'), ended('close'), reduced('close', 'open', { distribution })] as const;
    const part = foldPosition(historyOf(...untilOpen, ...close), context);
    expect(part?.position).toMatchObject({
      collateralUsdcUnits: 10_000_000n,
      originationFeeUsdcUnits: 500_000n,
      totalOriginationFeeUsdcUnits: 1_000_000n,
      principalUsdcUnits: 40_000_000n,
      proceedsUsdcUnits: 10_000_000n,
      structuralLeverageBps: 50_000n,
    });
    expect(part?.partialCloses).toMatchObject([{ sequence: 0, soldTokenUnits: 100_000_000n, newLeverageBps: 50_000n }]);

    const unwind = [
      authorized('unwind'),
      ended('unwind'),
      reduced('unwind', 'open', { distribution: { ...nothing, ...sale, userUsdcUnits: usdc(0) } }),
    ] as const;
    const lower = foldPosition(historyOf(...untilOpen, ...unwind), context);
    expect(lower?.position).toMatchObject({
      collateralUsdcUnits: 20_000_000n,
      principalUsdcUnits: 40_000_000n,
      structuralLeverageBps: 30_000n,
    });
    expect(lower?.unwinds).toMatchObject([{ beforeLeverageBps: 50_000n, afterLeverageBps: 30_000n, reason: null }]);
    const withOrder = {
      ...context,
      unwindOrders: new Map([[hashOf(50), { reason: 'depth_drain' as const, rung: null }]]),
    };
    expect(foldPosition(historyOf(...untilOpen, ...unwind), withOrder)?.unwinds).toMatchObject([
      { reason: 'depth_drain' },
    ]);
    // Two hours at 5x before the unwind.
    expect(lower?.position.leverageBpsSeconds).toBe(50_000n * 7_200n);
    expect(lower?.transactions.map(({ group }) => group)).toEqual([
      'open',
      'open',
      'open',
      'force_unwind',
      'force_unwind',
    ]);
    // What accrued before the principal changed is pending now.
    expect(raw(lower?.position.pendingLifetimeFeeUsdcUnits ?? usdc(0))).toBeGreaterThan(0n);
  });

  test('added margin moves principal to collateral and is paid margin', () => {
    const margin: EventPart = {
      name: 'MarginAdded',
      args: { principalUsdcUnits: usdc(5_000_000), lifetimeFeeUsdcUnits: usdc(0) },
    };
    expect(positionOf(...untilOpen, margin)).toMatchObject({
      principalUsdcUnits: 75_000_000n,
      collateralUsdcUnits: 25_000_000n,
      repaidMarginUsdcUnits: 5_000_000n,
      principalChangedAtMs: sampleNowMs + 4 * 3_600_000,
    });
    const folded = foldPosition(historyOf(...untilOpen, margin), context);
    expect(folded?.transactions.length).toBe(3);
    // 100 USDC on 25 of collateral, and an hour at 5x before; no risk run is behind it.
    expect(folded?.unwinds).toEqual([
      {
        sequence: 0,
        executedAtMs: sampleNowMs + 4 * 3_600_000,
        beforeLeverageBps: 50_000n,
        afterLeverageBps: 40_000n,
        reason: null,
        rung: null,
        blockNumber: 4n,
      },
    ]);
    expect(folded?.position).toMatchObject({ structuralLeverageBps: 40_000n, leverageBpsSeconds: 50_000n * 3_600n });
  });

  test('every end is distinguished', () => {
    const liquidated = positionOf(
      ...untilOpen,
      authorized('liquidate'),
      ended('liquidate'),
      reduced('liquidate', 'liquidated', {
        tokenUnits: tokens(0),
        distribution: {
          ...nothing,
          proceedsUsdcUnits: usdc(70_000_000),
          principalUsdcUnits: usdc(70_000_000),
          badDebtUsdcUnits: usdc(10_000_000),
        },
      }),
    );
    expect(liquidated).toMatchObject({
      status: 'liquidated',
      closeReason: 'liquidated',
      badDebtUsdcUnits: 10_000_000n,
      principalUsdcUnits: 0n,
      tokenUnits: 0n,
    });
    const exited = positionOf(...untilOpen, {
      name: 'PositionExited',
      args: {
        tokenUnits: tokens(200_000_000),
        distribution: { ...nothing, principalUsdcUnits: usdc(80_000_000), lifetimeFeeUsdcUnits: usdc(50) },
      },
    });
    expect(exited).toMatchObject({
      status: 'closed',
      closeReason: 'closed',
      repaidMarginUsdcUnits: 80_000_050n,
      proceedsUsdcUnits: 0n,
    });
    const settlement = positionOf(
      ...untilOpen,
      {
        name: 'PositionSettled',
        args: {
          tokenUnits: tokens(200_000_000),
          distribution: { ...nothing, userUsdcUnits: usdc(119_000_000) },
        },
      },
      {
        name: 'Claimed',
        args: { userUsdcUnits: usdc(5), recoveredUsdcUnits: usdc(0), tokenUnits: tokens(0) },
      },
    );
    expect(settlement).toMatchObject({ status: 'settled', proceedsUsdcUnits: 119_000_005n });
    const refund = (state: PositionStateName): EventPart => ({
      name: 'PositionRefunded',
      args: { state, refundUsdcUnits: usdc(24_500_000), badDebtUsdcUnits: usdc(0) },
    });
    expect(positionOf(created, refund('cancelled'))).toMatchObject({
      status: 'cancelled',
      closeReason: 'cancelled',
      proceedsUsdcUnits: 20_000_000n,
      refundedUsdcUnits: 24_500_000n,
      failureReason: null,
    });
    expect(
      foldPosition(historyOf(created, refund('reverted')), { ...context, refundReason: 'ghost_fill' })?.position,
    ).toMatchObject({ status: 'cancelled', closeReason: 'reverted', failureReason: 'ghost_fill' });
  });

  test('added margin repays principal, an exit the rest; a claim lowers bad debt, and known payouts settle', () => {
    const margin: EventPart = {
      name: 'MarginAdded',
      args: { principalUsdcUnits: usdc(30_000_000), lifetimeFeeUsdcUnits: usdc(0) },
    };
    const exit: EventPart = {
      name: 'PositionExited',
      args: { tokenUnits: tokens(1), distribution: { ...nothing, principalUsdcUnits: usdc(50_000_000) } },
    };
    expect(positionOf(...untilOpen, margin)).toMatchObject({
      principalUsdcUnits: 50_000_000n,
      badDebtUsdcUnits: 0n,
      status: 'open',
    });
    expect(positionOf(...untilOpen, margin, exit)).toMatchObject({
      principalUsdcUnits: 0n,
      repaidMarginUsdcUnits: 80_000_000n,
    });
    const settlement: EventPart = {
      name: 'PositionSettled',
      args: { tokenUnits: tokens(1), distribution: { ...nothing, badDebtUsdcUnits: usdc(80_000_000) } },
    };
    const claim: EventPart = {
      name: 'Claimed',
      args: { userUsdcUnits: usdc(0), recoveredUsdcUnits: usdc(3), tokenUnits: tokens(0) },
    };
    expect(positionOf(...untilOpen, settlement, claim)?.badDebtUsdcUnits).toBe(79_999_997n);
    expect(foldPosition(historyOf(...untilOpen), { ...context, arePayoutsKnown: true })?.position.status).toBe(
      'settling',
    );
  });

  test('a request is shown until it is withdrawn, filled or deferred', () => {
    const requestOf = (units: number): EventPart => ({
      name: 'CloseRequested',
      args: { tokenUnits: tokens(units), minPricePips: pricePips(1n) },
    });
    expect(positionOf(...untilOpen, requestOf(200_000_000))).toMatchObject({
      status: 'closing',
      closeRequestedTokenUnits: 200_000_000n,
    });
    expect(positionOf(...untilOpen, requestOf(200_000_000), requestOf(0))).toMatchObject({
      status: 'open',
      closeRequestedTokenUnits: null,
    });
    const deferred = foldPosition(historyOf(...untilOpen, requestOf(200_000_000)), {
      ...context,
      closeDeferredAtMs: 5,
    });
    expect(deferred?.position).toMatchObject({ status: 'open', closeDeferredAtMs: 5 });
  });
});

describe('fees of a part', () => {
  const closeHalf = (fee: number): readonly EventPart[] => [
    authorized('close'),
    { name: 'OrderFilled', args: { orderHash: hashOf(50), side: 'sell', feeUsdcUnits: usdc(fee) } },
    ended('close'),
    reduced('close', 'open', { distribution: { ...nothing, ...sale } }),
  ];

  test('a close takes the fee of its own sale with it, and its share of the fees before', () => {
    expect(positionOf(...untilOpen, ...closeHalf(1_000_000))).toMatchObject({
      saleVenueFeeUsdcUnits: 0n,
      totalSaleVenueFeeUsdcUnits: 1_000_000n,
    });
    const unwind: readonly EventPart[] = [
      authorized('unwind'),
      { name: 'OrderFilled', args: { orderHash: hashOf(50), side: 'sell', feeUsdcUnits: usdc(600_000) } },
      ended('unwind'),
      reduced('unwind', 'open', {
        soldTokenUnits: tokens(50_000_000),
        tokenUnits: tokens(150_000_000),
        distribution: { ...nothing, ...sale, userUsdcUnits: usdc(0) },
      }),
    ];
    const closeThird = closeHalf(1_000_000).slice(0, 3);
    const third = reduced('close', 'open', {
      soldTokenUnits: tokens(50_000_000),
      tokenUnits: tokens(100_000_000),
      distribution: { ...nothing, ...sale, principalUsdcUnits: usdc(13_333_334) },
    });
    expect(positionOf(...untilOpen, ...unwind)).toMatchObject({ saleVenueFeeUsdcUnits: 600_000n });
    expect(positionOf(...untilOpen, ...unwind, ...closeThird, third)).toMatchObject({
      saleVenueFeeUsdcUnits: 400_000n,
      totalSaleVenueFeeUsdcUnits: 1_600_000n,
    });
  });

  test('lifetime fees that added margin paid are collected, and repaid margin', () => {
    const margin: EventPart = {
      name: 'MarginAdded',
      args: { principalUsdcUnits: usdc(80_000_000), lifetimeFeeUsdcUnits: usdc(3) },
    };
    const exit: EventPart = { name: 'PositionExited', args: { distribution: nothing } };
    expect(positionOf(...untilOpen, margin, ...closeHalf(0), exit)).toMatchObject({
      status: 'closed',
      collectedLifetimeFeeUsdcUnits: 3n,
      repaidMarginUsdcUnits: 80_000_003n,
    });
  });

  test('an order that sold nothing but found money is no partial close and no customer event', () => {
    const waiting: EventPart = { name: 'PaymentDeferred', args: { usdcUnits: usdc(100_000) }, sameAsBefore: true };
    const distribution = { ...nothing, proceedsUsdcUnits: usdc(100_000), userUsdcUnits: usdc(100_000) };
    const empty = { soldTokenUnits: tokens(0), tokenUnits: tokens(200_000_000), distribution };
    const events = historyOf(
      ...untilOpen,
      waiting,
      authorized('close'),
      ended('close'),
      reduced('close', 'open', empty),
    );
    const folded = foldPosition(events, context);
    expect(folded?.partialCloses).toEqual([]);
    expect(folded?.position).toMatchObject({ collateralUsdcUnits: 20_000_000n, proceedsUsdcUnits: 0n });
    expect(customerEventsOf(events, 5n, context)).toEqual([]);
  });
});

test('each end of a position is an event of its own', () => {
  const refund = (state: PositionStateName): EventPart => ({
    name: 'PositionRefunded',
    args: { state, refundUsdcUnits: usdc(24_500_000), badDebtUsdcUnits: usdc(0) },
  });
  const leaving = { tokenUnits: tokens(200_000_000), distribution: nothing };
  const lastTypeOf = (...parts: readonly EventPart[]) =>
    customerEventsOf(historyOf(...parts), 0n, context).findLast(({ type }) => type !== 'notification')?.type;
  expect(lastTypeOf(created, refund('cancelled'))).toBe('position.cancelled');
  expect(lastTypeOf(created, refund('reverted'))).toBe('position.reverted');
  expect(lastTypeOf(...untilOpen, { name: 'PositionExited', args: leaving })).toBe('position.closed');
  expect(lastTypeOf(...untilOpen, { name: 'PositionSettled', args: leaving })).toBe('position.settled');
});

test('a part that an unwind leaves no room for needs a new request, and the user is notified once', () => {
  const requestOf = (units: number): EventPart => ({
    name: 'CloseRequested',
    args: { tokenUnits: tokens(units), minPricePips: pricePips(1n) },
  });
  const unwoundTo = (units: number): readonly EventPart[] => [
    authorized('unwind'),
    ended('unwind'),
    reduced('unwind', 'open', {
      soldTokenUnits: tokens(50_000_000),
      tokenUnits: tokens(units),
      distribution: { ...nothing, ...sale, principalUsdcUnits: usdc(20_000_000), userUsdcUnits: usdc(0) },
    }),
  ];
  const typesOf = (...parts: readonly EventPart[]) =>
    customerEventsOf(historyOf(...parts), 0n, context)
      .map(({ type }) => type)
      .slice(4);
  const asking = [...untilOpen, requestOf(146_000_000)];
  const tooSmall = [...asking, ...unwoundTo(150_000_000)];
  expect(positionOf(...tooSmall)).toMatchObject({ status: 'open', closeRequestedTokenUnits: null });
  expect(typesOf(...tooSmall)).toEqual(['position.force_unwound', 'position.partial_close_aborted']);
  // Another unwind leaves less than was asked for: the vault counts everything as asked, and it can be sold again.
  expect(positionOf(...tooSmall, ...unwoundTo(100_000_000))).toMatchObject({
    status: 'closing',
    closeRequestedTokenUnits: 100_000_000n,
  });
  const largeEnough = [...asking, ...unwoundTo(160_000_000)];
  expect(positionOf(...largeEnough)).toMatchObject({ status: 'closing', closeRequestedTokenUnits: 146_000_000n });
  expect(typesOf(...largeEnough)).toEqual(['position.force_unwound']);
});

test('usage of a position: promised, then lent, then none', () => {
  const usageOf = (...parts: readonly EventPart[]) => {
    const position = positionOf(...parts);
    return position === undefined ? null : positionUsageOf(position);
  };
  expect(usageOf(created)).toMatchObject({
    activeNotionalUsdPips: 1_000_000n,
    pendingBorrowUsdcUnits: 80_000_000n,
    lentBorrowUsdcUnits: 0n,
  });
  expect(usageOf(created, authorized('open'))).toMatchObject({
    pendingBorrowUsdcUnits: 0n,
    lentBorrowUsdcUnits: 80_000_000n,
  });
  expect(usageOf(...untilOpen)).toMatchObject({ activeNotionalUsdPips: 1_000_000n, lentBorrowUsdcUnits: 80_000_000n });
  const settlement: EventPart = {
    name: 'PositionSettled',
    args: { tokenUnits: tokens(1), distribution: nothing },
  };
  expect(usageOf(...untilOpen, settlement)).toMatchObject({
    activeNotionalUsdPips: 0n,
    pendingBorrowUsdcUnits: 0n,
    lentBorrowUsdcUnits: 0n,
  });
});

test('a fill between known events hides none of them from the outbox', () => {
  const fill: EventPart = {
    name: 'OrderFilled',
    args: { orderHash: hashOf(50), side: 'buy', feeUsdcUnits: usdc(0) },
  };
  const events = historyOf(created, authorized('open'), fill, ended('open'), opening);
  const types = customerEventsOf(events, 2n, context).map(({ type }) => type);
  expect(types).toEqual(['position.opening', 'position.opened']);
  const ids = customerEventsOf(events, 0n, context).map(({ transactionHash, type }) => `${transactionHash}:${type}`);
  expect(new Set(ids).size).toBe(3);
});

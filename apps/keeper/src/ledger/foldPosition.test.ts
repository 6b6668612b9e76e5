import { pricePips, raw } from '@core/pricing';
import { hashOf, sampleNowMs } from '@core/store/testing';
import { PositionState, Purpose } from '@core/vault';
import { describe, expect, test } from 'vitest';
import {
  authorized,
  context,
  created,
  type EventPart,
  ended,
  historyOf,
  nothing,
  opened,
  positionKey,
  positionOf,
  reduced,
  sale,
  tokens,
  untilOpen,
  usdc,
  user,
} from '../../testing/positionHistory.ts';
import { foldPosition } from './foldPosition.ts';
import { outboxEntriesOf } from './outboxEntries.ts';
import { positionUsageOf } from './positionUsage.ts';

test('events before a creation make no position', () => {
  expect(foldPosition([], context)).toBeNull();
  expect(foldPosition(historyOf(authorized(Purpose.Open)), context)).toBeNull();
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
      frozenReason: 'unknown_quote',
    });
  });

  test('a part closed by its owner scales basis and fees, an unwind does not', () => {
    const distribution = { ...nothing, ...sale };
    const close = [
      authorized(Purpose.Close),
      ended(Purpose.Close),
      reduced(Purpose.Close, PositionState.Open, { distribution }),
    ] as const;
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
      authorized(Purpose.Unwind),
      ended(Purpose.Unwind),
      reduced(Purpose.Unwind, PositionState.Open, { distribution: { ...nothing, ...sale, userUsdcUnits: usdc(0) } }),
    ] as const;
    const lower = foldPosition(historyOf(...untilOpen, ...unwind), context);
    expect(lower?.position).toMatchObject({
      collateralUsdcUnits: 20_000_000n,
      principalUsdcUnits: 40_000_000n,
      structuralLeverageBps: 30_000n,
    });
    expect(lower?.unwinds).toMatchObject([{ beforeLeverageBps: 50_000n, afterLeverageBps: 30_000n, reason: null }]);
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
      args: { positionKey, user, principalUsdcUnits: usdc(5_000_000), lifetimeFeeUsdcUnits: usdc(0) },
    };
    expect(positionOf(...untilOpen, margin)).toMatchObject({
      principalUsdcUnits: 75_000_000n,
      collateralUsdcUnits: 25_000_000n,
      repaidMarginUsdcUnits: 5_000_000n,
      principalChangedAtMs: sampleNowMs + 4 * 3_600_000,
    });
    expect(foldPosition(historyOf(...untilOpen, margin), context)?.transactions.length).toBe(3);
  });

  test('every end is told apart', () => {
    const liquidated = positionOf(
      ...untilOpen,
      authorized(Purpose.Liquidate),
      ended(Purpose.Liquidate),
      reduced(Purpose.Liquidate, PositionState.Liquidated, {
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
        positionKey,
        user,
        to: user,
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
    const settled = positionOf(
      ...untilOpen,
      {
        name: 'PositionSettled',
        args: {
          positionKey,
          user,
          tokenUnits: tokens(200_000_000),
          distribution: { ...nothing, userUsdcUnits: usdc(119_000_000) },
        },
      },
      {
        name: 'Claimed',
        args: { positionKey, user, userUsdcUnits: usdc(5), recoveredUsdcUnits: usdc(0), tokenUnits: tokens(0) },
      },
    );
    expect(settled).toMatchObject({ status: 'settled', proceedsUsdcUnits: 119_000_005n });
    const refund = (state: PositionState): EventPart => ({
      name: 'PositionRefunded',
      args: { positionKey, user, state, refundUsdcUnits: usdc(24_500_000), badDebtUsdcUnits: usdc(0) },
    });
    expect(positionOf(created, refund(PositionState.Cancelled))).toMatchObject({
      status: 'cancelled',
      closeReason: 'cancelled',
      proceedsUsdcUnits: 20_000_000n,
      refundedUsdcUnits: 24_500_000n,
      failureReason: null,
    });
    expect(
      foldPosition(historyOf(created, refund(PositionState.Reverted)), { ...context, refundReason: 'ghost_fill' })
        ?.position,
    ).toMatchObject({ status: 'cancelled', closeReason: 'reverted', failureReason: 'ghost_fill' });
  });

  test('a written-off debt is bad debt, and known payouts make an open position settling', () => {
    const writtenOff: EventPart = { name: 'WrittenOff', args: { positionKey, usdcUnits: usdc(80_000_000) } };
    expect(positionOf(...untilOpen, writtenOff)).toMatchObject({
      principalUsdcUnits: 0n,
      badDebtUsdcUnits: 80_000_000n,
      status: 'open',
    });
    const pending = positionOf(...untilOpen, writtenOff)?.pendingLifetimeFeeUsdcUnits;
    expect(raw(pending ?? usdc(0))).toBeGreaterThan(0n);
    const margin: EventPart = {
      name: 'MarginAdded',
      args: { positionKey, user, principalUsdcUnits: usdc(30_000_000), lifetimeFeeUsdcUnits: usdc(0) },
    };
    const recovered = usdc(50_000_000);
    const exit: EventPart = {
      name: 'PositionExited',
      args: {
        positionKey,
        user,
        to: user,
        tokenUnits: tokens(1),
        distribution: { ...nothing, recoveredUsdcUnits: recovered },
      },
    };
    expect(positionOf(...untilOpen, writtenOff, margin)).toMatchObject({
      principalUsdcUnits: 0n,
      badDebtUsdcUnits: 50_000_000n,
      // Nothing accrues on what was given up.
      pendingLifetimeFeeUsdcUnits: pending,
    });
    expect(positionOf(...untilOpen, writtenOff, margin, exit)).toMatchObject({
      badDebtUsdcUnits: 0n,
      repaidMarginUsdcUnits: 80_000_000n,
    });
    const claim: EventPart = {
      name: 'Claimed',
      args: { positionKey, user, userUsdcUnits: usdc(0), recoveredUsdcUnits: usdc(3), tokenUnits: tokens(0) },
    };
    expect(positionOf(...untilOpen, writtenOff, claim)?.badDebtUsdcUnits).toBe(79_999_997n);
    expect(foldPosition(historyOf(...untilOpen), { ...context, arePayoutsKnown: true })?.position.status).toBe(
      'settling',
    );
  });

  test('a request is shown until it is withdrawn, filled or deferred', () => {
    const asked = (units: number): EventPart => ({
      name: 'CloseRequested',
      args: { positionKey, user, tokenUnits: tokens(units), minPricePips: pricePips(1n) },
    });
    expect(positionOf(...untilOpen, asked(200_000_000))).toMatchObject({
      status: 'closing',
      closeRequestedTokenUnits: 200_000_000n,
    });
    expect(positionOf(...untilOpen, asked(200_000_000), asked(0))).toMatchObject({
      status: 'open',
      closeRequestedTokenUnits: null,
    });
    const deferred = foldPosition(historyOf(...untilOpen, asked(200_000_000)), { ...context, closeDeferredAtMs: 5 });
    expect(deferred?.position).toMatchObject({ status: 'open', closeDeferredAtMs: 5 });
  });
});

test('a part that an unwind leaves no room for needs a new request, and its owner is told once', () => {
  const asked = (units: number): EventPart => ({
    name: 'CloseRequested',
    args: { positionKey, user, tokenUnits: tokens(units), minPricePips: pricePips(1n) },
  });
  const unwoundTo = (units: number): readonly EventPart[] => [
    authorized(Purpose.Unwind),
    ended(Purpose.Unwind),
    reduced(Purpose.Unwind, PositionState.Open, {
      soldTokenUnits: tokens(50_000_000),
      tokenUnits: tokens(units),
      distribution: { ...nothing, ...sale, principalUsdcUnits: usdc(20_000_000), userUsdcUnits: usdc(0) },
    }),
  ];
  const typesOf = (...parts: readonly EventPart[]) =>
    outboxEntriesOf(historyOf(...parts), 0n, context)
      .map(({ type }) => type)
      .slice(4);
  const asking = [...untilOpen, asked(146_000_000)];
  const lost = [...asking, ...unwoundTo(150_000_000)];
  expect(positionOf(...lost)).toMatchObject({ status: 'open', closeRequestedTokenUnits: null });
  expect(typesOf(...lost)).toEqual(['position.force_unwound', 'position.partial_close_aborted']);
  // Another unwind leaves less than was asked for: the vault counts everything as asked, and it can be sold again.
  expect(positionOf(...lost, ...unwoundTo(100_000_000))).toMatchObject({
    status: 'closing',
    closeRequestedTokenUnits: 100_000_000n,
  });
  const kept = [...asking, ...unwoundTo(160_000_000)];
  expect(positionOf(...kept)).toMatchObject({ status: 'closing', closeRequestedTokenUnits: 146_000_000n });
  expect(typesOf(...kept)).toEqual(['position.force_unwound']);
});

test('usage follows the position: promised, lent, gone', () => {
  const usageOf = (...parts: readonly EventPart[]) => {
    const position = positionOf(...parts);
    return position === undefined ? null : positionUsageOf(position, null);
  };
  expect(usageOf(created)).toMatchObject({
    activeNotionalUsdPips: 1_000_000n,
    pendingBorrowUsdcUnits: 80_000_000n,
    lentBorrowUsdcUnits: 0n,
  });
  expect(usageOf(created, authorized(Purpose.Open))).toMatchObject({
    pendingBorrowUsdcUnits: 0n,
    lentBorrowUsdcUnits: 80_000_000n,
  });
  expect(usageOf(...untilOpen)).toMatchObject({ activeNotionalUsdPips: 1_000_000n, lentBorrowUsdcUnits: 80_000_000n });
  const settled: EventPart = {
    name: 'PositionSettled',
    args: { positionKey, user, tokenUnits: tokens(1), distribution: nothing },
  };
  expect(usageOf(...untilOpen, settled)).toMatchObject({
    activeNotionalUsdPips: 0n,
    pendingBorrowUsdcUnits: 0n,
    lentBorrowUsdcUnits: 0n,
  });
});

test('a fill between known events hides none of them from the outbox', () => {
  const fill: EventPart = {
    name: 'OrderFilled',
    args: { orderHash: hashOf(50), side: 0, makerAmountFilled: 1n, takerAmountFilled: 1n, feeAmount: 0n },
  };
  const events = historyOf(created, authorized(Purpose.Open), fill, ended(Purpose.Open), opened);
  const types = outboxEntriesOf(events, 2n, context).map(({ type }) => type);
  expect(types).toEqual(['position.opening', 'position.opened']);
  const ids = outboxEntriesOf(events, 0n, context).map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
});

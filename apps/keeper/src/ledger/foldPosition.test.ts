import { leverageBps, pricePips, rateBps, raw, tokenUnits, usdcUnits } from '@core/pricing';
import { hashOf, sampleNowMs, walletOf } from '@core/store/testing';
import { PositionState, Purpose } from '@core/vault';
import type { Address, Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import type { FoldContext } from './createdPosition.ts';
import { foldPosition } from './foldPosition.ts';
import type { PlacedEvent } from './ledgerEvent.ts';
import { outboxEntriesOf } from './outboxEntries.ts';
import { positionUsageOf } from './positionUsage.ts';

const positionKey = hashOf(1) as Hex;
const user = walletOf(1) as Address;
const context: FoldContext = {
  quote: null,
  market: null,
  arePayoutsKnown: false,
  refundReason: null,
  closeDeferredAtMs: null,
};
const usdc = (units: number) => usdcUnits(BigInt(units));
const tokens = (units: number) => tokenUnits(BigInt(units));
const nothing = {
  proceedsUsdcUnits: usdc(0),
  principalUsdcUnits: usdc(0),
  lifetimeFeeUsdcUnits: usdc(0),
  liquidationFeeUsdcUnits: usdc(0),
  recoveredUsdcUnits: usdc(0),
  userUsdcUnits: usdc(0),
  badDebtUsdcUnits: usdc(0),
};

interface EventPart {
  readonly name: PlacedEvent['name'];
  readonly args: object;
  readonly sameAsBefore?: boolean;
}

/** Events one block and an hour apart, each in a transaction of its own unless `sameAsBefore` says otherwise. */
function historyOf(...parts: readonly EventPart[]): readonly PlacedEvent[] {
  let blockNumber = 0;
  return parts.map(({ name, args, sameAsBefore }, logIndex) => {
    blockNumber += sameAsBefore === true ? 0 : 1;
    return {
      source: name === 'OrderFilled' ? 'exchange' : 'vault',
      name,
      args,
      transactionHash: hashOf(1_000 + blockNumber),
      blockNumber: BigInt(blockNumber),
      logIndex,
      blockTimeMs: sampleNowMs + blockNumber * 3_600_000,
    } as PlacedEvent;
  });
}

const created: EventPart = {
  name: 'PositionCreated',
  args: {
    positionKey,
    user,
    outcomeId: 1,
    account: walletOf(2) as Address,
    originationFeeUsdcUnits: usdc(1_000_000),
    request: {
      positionSeed: `0x${'00'.repeat(16)}`,
      venueMarketId: hashOf(2) as Hex,
      venueTokenId: 11n,
      collateralUsdcUnits: usdc(20_000_000),
      leverageBps: leverageBps(50_000n),
      notionalUsdcUnits: usdc(100_000_000),
      originationFeeBps: rateBps(100n),
      lifetimeFeeAprBps: rateBps(1_000n),
      liquidationFeeBps: rateBps(100n),
      signatureExpiry: 0n,
      venueFeeUsdcUnits: usdc(3_500_000),
      minPositionTokenUnits: tokens(190_000_000),
      maxLiquidationPricePips: pricePips(4_600n),
      minFillBps: rateBps(10_000n),
    },
  },
};
const authorized = (purpose: Purpose): EventPart => ({
  name: 'OrderAuthorized',
  args: {
    positionKey,
    orderHash: hashOf(50) as Hex,
    purpose,
    makerAmount: 1n,
    takerAmount: 1n,
    validUntil: 99n,
    markPips: pricePips(4_950n),
    limitPips: pricePips(5_000n),
  },
});
const ended = (purpose: Purpose): EventPart => ({
  name: 'OrderEnded',
  args: { positionKey, orderHash: hashOf(50) as Hex, purpose, filledMakerAmount: 1n },
});
const opened: EventPart = {
  name: 'PositionOpened',
  args: {
    positionKey,
    user,
    tokenUnits: tokens(200_000_000),
    tradeUsdcUnits: usdc(100_000_000),
    spentUsdcUnits: usdc(103_400_000),
    principalUsdcUnits: usdc(80_000_000),
    originationFeeUsdcUnits: usdc(1_000_000),
    refundUsdcUnits: usdc(100_000),
    exitBufferBps: rateBps(800n),
  },
  sameAsBefore: true,
};
const untilOpen = [created, authorized(Purpose.Open), ended(Purpose.Open), opened] as const;
const reduced = (purpose: Purpose, state: PositionState, part: object): EventPart => ({
  name: 'PositionReduced',
  args: {
    positionKey,
    user,
    purpose,
    state,
    soldTokenUnits: tokens(100_000_000),
    tokenUnits: tokens(100_000_000),
    distribution: nothing,
    ...part,
  },
  sameAsBefore: true,
});
const sale = {
  proceedsUsdcUnits: usdc(50_000_000),
  principalUsdcUnits: usdc(40_000_000),
  lifetimeFeeUsdcUnits: usdc(0),
  userUsdcUnits: usdc(10_000_000),
};
const positionOf = (...parts: readonly EventPart[]) => foldPosition(historyOf(...parts), context)?.position;

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

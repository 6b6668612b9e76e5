// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyLeverage, anyNotional } from '../../testing/arbitraries.ts';
import { usd } from '../../testing/ladder.ts';
import {
  amountStepsOf,
  buyOrderOf,
  capacityMaxNotionalOf,
  constants,
  hints,
  isDust,
  leverageBps,
  limitUsageOf,
  maxNotionalOf,
  partialCloseRangeOf,
  pricePips,
  rateBps,
  raw,
  sellOrderOf,
  snapQuote,
  tokenUnits,
  toShareStep,
  toTick,
  toUsdPips,
  usdcUnits,
  usdPips,
} from '../index.ts';

const anyHeadroom = fc.bigInt({ min: 0n, max: 10n ** 12n }).map(usdcUnits);

describe('capitalHintOf', () => {
  test('the available notional borrows within the headroom when resubmitted, one pip more does not', () => {
    fc.assert(
      fc.property(anyHeadroom, anyHeadroom, anyLeverage, (cap, current, leverage) => {
        const hint = hints.capitalHintOf({
          capUsdcUnits: cap,
          currentBorrowedUsdcUnits: current,
          requestedBorrowedUsdcUnits: cap,
          leverageBps: leverage,
        });
        const available = raw(hint.available_borrowed_usdc_units);
        expect(available).toBe(raw(cap) > raw(current) ? raw(cap) - raw(current) : 0n);
        const { available_notional_usdc_units: notional, available_collateral_usdc_units: collateral } = hint;
        if (notional === undefined || collateral === undefined) throw new Error('shown above 1x');
        expect(raw(notional) * 10_000n).toBe(raw(collateral) * raw(leverage));
        expect(raw(notional) - raw(collateral) <= available).toBe(true);
        const pips = toUsdPips(notional, 'down');
        const borrowOf = (n: bigint): bigint =>
          raw(snapQuote({ notionalUsdPips: usdPips(n), leverageBps: leverage }).borrowUsdcUnits);
        expect(borrowOf(raw(pips)) <= available).toBe(true);
        expect(borrowOf(raw(pips) + 1n) > available).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('at 1x nothing is borrowed and the last two params are absent', () => {
    const hint = hints.capitalHintOf({
      capUsdcUnits: usdcUnits(5n),
      currentBorrowedUsdcUnits: usdcUnits(7n),
      requestedBorrowedUsdcUnits: usdcUnits(0n),
      leverageBps: leverageBps(10_000n),
    });
    expect(hint).toEqual({
      available_borrowed_usdc_units: usdcUnits(0n),
      cap_usdc_units: usdcUnits(5n),
      current_borrowed_usdc_units: usdcUnits(7n),
      requested_borrowed_usdc_units: usdcUnits(0n),
    });
  });
});

describe('positionLimitHintOf and sideCapacityHintOf', () => {
  test("available is the headroom, never negative; the partner's hint has both parts", () => {
    expect(hints.positionLimitHintOf(usd(100), usd(30))).toEqual({
      available_capacity_usd_pips: usd(70),
      current_notional_usd_pips: usd(30),
      limit_usd_pips: usd(100),
    });
    expect(
      hints.partnerLimitHintOf({ limitUsdPips: usd(100), activeUsdPips: usd(80), inFlightUsdPips: usd(30) }),
    ).toEqual({
      available_capacity_usd_pips: usd(0),
      current_notional_usd_pips: usd(110),
      limit_usd_pips: usd(100),
      active_notional_usd_pips: usd(80),
      in_flight_notional_usd_pips: usd(30),
    });
  });

  test('the supported collateral never exceeds the capacity', () => {
    fc.assert(
      fc.property(anyNotional, anyLeverage, (availableUsdPips, leverage) => {
        const hint = hints.sideCapacityHintOf({ availableUsdPips, leverageBps: leverage, minNotionalUsdPips: usd(5) });
        const collateral = raw(hint.max_supported_collateral_usd_pips);
        expect(collateral * raw(leverage) <= raw(availableUsdPips) * 10_000n).toBe(true);
        expect((collateral + 1n) * raw(leverage) > raw(availableUsdPips) * 10_000n).toBe(true);
      }),
    );
    const none = hints.sideCapacityHintOf({
      availableUsdPips: usdPips(-5n),
      leverageBps: leverageBps(20_000n),
      minNotionalUsdPips: usd(5),
    });
    expect(none).toMatchObject({ available_capacity_usd_pips: usd(0), max_supported_collateral_usd_pips: usd(0) });
  });
});

describe('minFillFloorOf', () => {
  test('returns the smallest step that keeps both minimums', () => {
    const anyMinimum = fc.bigInt({ min: 10_000n, max: 2_000_000n }).map(usdPips);
    fc.assert(
      fc.property(fc.tuple(anyNotional, anyLeverage, anyMinimum, anyMinimum), ([notionalUsdPips, leverage, c, n]) => {
        const size = snapQuote({ notionalUsdPips, leverageBps: leverage });
        const floor = hints.minFillFloorOf({ size, minCollateralUsdPips: c, minNotionalUsdPips: n });
        const step = raw(floor.floorMinFillBps);
        expect(step % 500n).toBe(0n);
        const keepsCollateral = (m: bigint): boolean =>
          (raw(size.collateralUsdcUnits) * m + 9_999n) / 10_000n >= raw(c) * 100n;
        const keepsNotional = (m: bigint): boolean => raw(size.notionalUsdcUnits) * m >= raw(n) * 1_000_000n;
        expect(keepsCollateral(step) && keepsNotional(step)).toBe(true);
        expect(keepsCollateral(step - 500n) && keepsNotional(step - 500n)).toBe(false);
        // The binding minimum fails one step below the floor.
        const keeps = floor.boundBy === 'collateral' ? keepsCollateral : keepsNotional;
        expect(keeps(step - 500n)).toBe(false);
        const fallback = hints.defaultMinFillBpsOf(floor);
        if (step > 5_000n) expect(fallback).toBeNull();
        else expect(raw(fallback ?? rateBps(0n))).toBe(step > 2_000n ? step : 2_000n);
      }),
      { numRuns: 500 },
    );
  });

  test('the hint names the request and the binding minimum', () => {
    const size = snapQuote({ notionalUsdPips: usd(20), leverageBps: leverageBps(50_000n) });
    const floor = hints.minFillFloorOf({ size, minCollateralUsdPips: usd(1), minNotionalUsdPips: usd(8) });
    expect(hints.minFillHintOf(rateBps(2_000n), size, floor)).toEqual({
      min_fill_bps: rateBps(2_000n),
      floor_min_fill_bps: rateBps(4_000n),
      bound_by: 'notional',
      requested_collateral_usd_pips: usd(4),
      requested_notional_usd_pips: usd(20),
    });
    const uneven = snapQuote({ notionalUsdPips: usdPips(200_001n), leverageBps: leverageBps(32_500n) });
    expect(hints.minFillHintOf(rateBps(2_000n), uneven, floor)).toMatchObject({
      requested_collateral_usd_pips: usdPips(61_538n),
      requested_notional_usd_pips: usdPips(200_001n),
    });
  });
});

describe('capacity and limits', () => {
  const maxLeverageBps = leverageBps(50_000n);

  test('capacityMaxNotionalOf: the smallest headroom binds, and can be requested unchanged', () => {
    fc.assert(
      fc.property(anyHeadroom, anyHeadroom, anyLeverage, (market, side, leverage) => {
        const capacity = capacityMaxNotionalOf({
          notionalHeadroomsUsdPips: [usdPips(10n ** 14n)],
          borrowHeadroomsUsdcUnits: [market, side],
          maxLeverageBps: leverage,
        });
        if (capacity === null) throw new Error('known');
        const smallest = raw(market) < raw(side) ? raw(market) : raw(side);
        const { borrowUsdcUnits } = snapQuote({ notionalUsdPips: capacity, leverageBps: leverage });
        expect(raw(borrowUsdcUnits) <= smallest).toBe(true);
      }),
    );
    const of = (notionals: readonly bigint[], borrows: readonly bigint[]) =>
      capacityMaxNotionalOf({
        notionalHeadroomsUsdPips: notionals.map(usdPips),
        borrowHeadroomsUsdcUnits: borrows.map(usdcUnits),
        maxLeverageBps,
      });
    expect(of([70n, 50n, 60n], [10_000_000n])).toBe(usdPips(50n));
    expect(of([700_000n], [8_000_000n, 4_000_000n])).toBe(usdPips(50_000n));
    expect(of([-5n], [8_000_000n])).toBe(usdPips(0n));
    expect(of([], [4_000_000n])).toBe(usdPips(50_000n));
  });

  test('capacity and maximum are null when usage or chain state is unknown', () => {
    const inputs = {
      notionalHeadroomsUsdPips: [usdPips(1n)],
      borrowHeadroomsUsdcUnits: [usdcUnits(1n)],
      maxLeverageBps,
    };
    expect(capacityMaxNotionalOf({ ...inputs, notionalHeadroomsUsdPips: [null] })).toBeNull();
    expect(capacityMaxNotionalOf({ ...inputs, borrowHeadroomsUsdcUnits: [null] })).toBeNull();
    expect(
      capacityMaxNotionalOf({ notionalHeadroomsUsdPips: [], borrowHeadroomsUsdcUnits: [], maxLeverageBps }),
    ).toBeNull();
    expect(capacityMaxNotionalOf({ ...inputs, maxLeverageBps: leverageBps(10_000n) })).toBe(usdPips(1n));
  });

  test('maxNotionalOf: the minimum of four limits, 0 on a closed side, null exactly without capacity', () => {
    const of = (change: Partial<Parameters<typeof maxNotionalOf>[0]>) =>
      maxNotionalOf({
        isSideOpen: true,
        slippageMaxUsdPips: usdPips(40n),
        capacityMaxUsdPips: usdPips(30n),
        partnerRemainingUsdPips: usdPips(20n),
        userLimitUsdPips: usdPips(10n),
        ...change,
      });
    expect(of({})).toBe(usdPips(10n));
    expect(of({ userLimitUsdPips: usdPips(50n) })).toBe(usdPips(20n));
    expect(of({ slippageMaxUsdPips: usdPips(5n) })).toBe(usdPips(5n));
    expect(of({ slippageMaxUsdPips: null })).toBe(usdPips(10n));
    expect(of({ partnerRemainingUsdPips: usdPips(-3n) })).toBe(usdPips(0n));
    expect(of({ isSideOpen: false })).toBe(usdPips(0n));
    expect(of({ isSideOpen: false, capacityMaxUsdPips: null })).toBeNull();
  });

  test('limitUsageOf: remaining is limit less usage', () => {
    expect(limitUsageOf(usd(100), usd(30))).toEqual({
      limitUsdPips: usd(100),
      usageUsdPips: usd(30),
      remainingUsdPips: usd(70),
    });
  });
});

describe('grid and dust', () => {
  test('orders: amounts are on the steps, less than a cent is unspent, the price is within a pip', () => {
    const tickPrice = fc
      .constantFrom(1n, 10n, 25n, 50n, 100n, 1_000n)
      .chain((tick) =>
        fc
          .bigInt({ min: 1n, max: 9_999n / tick })
          .map((count) => ({ pricePips: pricePips(count * tick), tickPricePips: pricePips(tick) })),
      );
    fc.assert(
      fc.property(anyHeadroom, tickPrice, (budget, price) => {
        const buy = buyOrderOf(budget, price);
        const buySteps = amountStepsOf('immediateBuy', price.tickPricePips);
        const unspent = raw(budget) - raw(buy.usdcUnits);
        expect(unspent >= 0n && unspent < buySteps.usdcUnits).toBe(true);
        expect([raw(buy.usdcUnits) % buySteps.usdcUnits, raw(buy.tokenUnits) % buySteps.tokenUnits]).toEqual([0n, 0n]);
        const excess = raw(buy.usdcUnits) * 10_000n - raw(buy.tokenUnits) * raw(price.pricePips);
        expect(excess >= 0n && excess < buySteps.tokenUnits * raw(price.pricePips) + 10_000n).toBe(true);
        const sell = sellOrderOf(tokenUnits(raw(budget)), price);
        const sellSteps = amountStepsOf('immediateSell', price.tickPricePips);
        expect(raw(sell.tokenUnits)).toBe((raw(budget) / 10_000n) * 10_000n);
        expect(raw(sell.usdcUnits) % sellSteps.usdcUnits).toBe(0n);
        const lack = raw(sell.tokenUnits) * raw(price.pricePips) - raw(sell.usdcUnits) * 10_000n;
        expect(lack >= 0n && lack < sellSteps.usdcUnits * 10_000n).toBe(true);
      }),
    );
  });

  test('rounds to steps and ticks, and recognises dust', () => {
    expect(raw(toShareStep(tokenUnits(19_999n), 'down'))).toBe(10_000n);
    expect(raw(toShareStep(tokenUnits(10_001n), 'up'))).toBe(20_000n);
    expect(raw(toTick(pricePips(5_049n), pricePips(50n), 'down'))).toBe(5_000n);
    expect(raw(toTick(pricePips(5_001n), pricePips(50n), 'up'))).toBe(5_050n);
    expect([isDust(tokenUnits(9_999n)), isDust(tokenUnits(10_000n))]).toEqual([true, false]);
  });

  test('partialCloseRangeOf: sells at least a fifth and 5 tokens, and leaves 5', () => {
    const range = (delivered: bigint, held: bigint): readonly bigint[] => {
      const { minPartialCloseTokenUnits, maxPartialCloseTokenUnits } = partialCloseRangeOf(
        tokenUnits(delivered),
        tokenUnits(held),
      );
      return [raw(minPartialCloseTokenUnits), raw(maxPartialCloseTokenUnits)];
    };
    expect(range(100_000_001n, 100_000_001n)).toEqual([20_000_001n, 95_000_001n]);
    expect(range(20_000_000n, 12_000_000n)).toEqual([5_000_000n, 7_000_000n]);
    expect(range(100_000_000n, 25_000_000n)).toEqual([20_000_000n, 20_000_000n]);
    expect(range(100_000_000n, 24_999_999n)).toEqual([0n, 0n]);
  });
});

test('constants: equal the numbers of the specification', () => {
  expect(constants).toMatchObject({
    leverageStepBps: 2_500n,
    minLeverageBps: 20_000n,
    maxLeverageBps: 100_000n,
    minRevisedLeverageBps: 15_000n,
    minCollateralUsdcUnits: 1_000_000n,
    minSlippageBps: 100n,
    maxSlippageBps: 1_000n,
    minFillBps: 2_000n,
    maxFillBps: 5_000n,
    fillStepBps: 500n,
    secondsPerYear: 31_536_000,
  });
});

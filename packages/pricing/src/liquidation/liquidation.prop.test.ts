import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyLeverage } from '../../testing/arbitraries.ts';
import {
  add,
  estimatedLiquidationPriceOf,
  isLiquidatable,
  isLiquidationViable,
  leverageBps,
  liquidationPriceOf,
  liquidationThresholdOf,
  minimumBufferOf,
  pricePips,
  priceViableLeverageOf,
  rateBps,
  raw,
  tokensFor,
  tokenUnits,
  usdcUnits,
} from '../index.ts';

const anyUnits = fc.bigInt({ min: 1n, max: 10n ** 12n });
const anyPrice = fc.bigInt({ min: 1n, max: 9_999n }).map(pricePips);
const anyTerms = fc.record({
  liquidationFeeBps: fc.bigInt({ min: 0n, max: 1_000n }).map(rateBps),
  exitBufferBps: fc.bigInt({ min: 0n, max: 1_500n }).map(rateBps),
});

describe('liquidationPriceOf', () => {
  test('a sale at the price covers the threshold within a pip per token, and more debt raises the price', () => {
    fc.assert(
      fc.property(fc.tuple(anyUnits, anyUnits, anyUnits, anyTerms), ([principal, fees, tokens, terms]) => {
        const debt = { principalUsdcUnits: usdcUnits(principal), feesUsdcUnits: usdcUnits(fees) };
        const position = { ...terms, tokenUnits: tokenUnits(tokens) };
        const threshold = raw(liquidationThresholdOf(debt, terms));
        expect(threshold >= principal + fees).toBe(true);
        const price = raw(liquidationPriceOf({ ...debt, ...position }));
        expect(price * tokens <= threshold * 10_000n && threshold * 10_000n < (price + 1n) * tokens).toBe(true);
        const more = liquidationPriceOf({
          ...debt,
          feesUsdcUnits: add(debt.feesUsdcUnits, usdcUnits(1n)),
          ...position,
        });
        expect(raw(more) >= price).toBe(true);
      }),
    );
  });

  test('is zero without debt or without tokens', () => {
    const terms = { liquidationFeeBps: rateBps(100n), exitBufferBps: rateBps(800n) };
    const fees = { feesUsdcUnits: usdcUnits(5n) };
    const none = { ...terms, ...fees, principalUsdcUnits: usdcUnits(0n), tokenUnits: tokenUnits(5n) };
    expect(raw(liquidationPriceOf(none))).toBe(0n);
    const bare = { ...terms, ...fees, principalUsdcUnits: usdcUnits(5n), tokenUnits: tokenUnits(0n) };
    expect(raw(liquidationPriceOf(bare))).toBe(0n);
  });

  test('equals the estimate within one pip without buffer and pending fees', () => {
    fc.assert(
      fc.property(anyPrice, anyLeverage, fc.bigInt({ min: 0n, max: 1_000n }), (entryPricePips, leverage, fee) => {
        const liquidationFeeBps = rateBps(fee);
        const notional = 10n ** 15n * raw(leverage);
        const borrow = notional - (notional * 10_000n) / raw(leverage);
        const binding = liquidationPriceOf({
          principalUsdcUnits: usdcUnits(borrow),
          feesUsdcUnits: usdcUnits(0n),
          tokenUnits: tokensFor(usdcUnits(notional), entryPricePips, 'down'),
          liquidationFeeBps,
          exitBufferBps: rateBps(0n),
        });
        const estimate = estimatedLiquidationPriceOf({ entryPricePips, leverageBps: leverage, liquidationFeeBps });
        const difference = raw(binding) - raw(estimate);
        expect(difference >= -1n && difference <= 1n).toBe(true);
      }),
    );
  });

  test("estimate: returns the specification's example, 0.50 at 5x with a fee of 1 %", () => {
    const estimate = estimatedLiquidationPriceOf({
      entryPricePips: pricePips(5_000n),
      leverageBps: leverageBps(50_000n),
      liquidationFeeBps: rateBps(100n),
    });
    expect(raw(estimate)).toBe(4_040n);
  });

  test('isLiquidatable: true at or below the price, and only with debt', () => {
    const at = (mark: bigint, principal: bigint): boolean =>
      isLiquidatable(
        pricePips(mark),
        liquidationPriceOf({
          principalUsdcUnits: usdcUnits(principal),
          feesUsdcUnits: usdcUnits(1n),
          tokenUnits: tokenUnits(100_000_000n),
          liquidationFeeBps: rateBps(0n),
          exitBufferBps: rateBps(0n),
        }),
      );
    // 39.999999 of principal and 0.000001 of fees on 100 tokens: 0.40.
    const principal = 39_999_999n;
    expect([at(4_001n, principal), at(4_000n, principal), at(3_999n, principal)]).toEqual([false, true, true]);
    expect([at(3_999n, 0n), at(0n, 0n)]).toEqual([false, false]);
  });
});

describe('price viability', () => {
  test('a granted leverage keeps the liquidation price below 99 % of entry and mark, the next step does not', () => {
    fc.assert(
      fc.property(anyPrice, anyPrice, anyTerms, (entryPricePips, markPricePips, terms) => {
        const leverage = raw(priceViableLeverageOf({ entryPricePips, markPricePips, ...terms }));
        expect(leverage % 2_500n).toBe(0n);
        const [entry, mark] = [raw(entryPricePips), raw(markPricePips)];
        const reference = entry < mark ? entry : mark;
        const factor = 10_000n + raw(terms.liquidationFeeBps) + raw(terms.exitBufferBps);
        // entry × (L − 1) / L × factor ≤ 0.99 × reference, in whole numbers.
        const holds = (bps: bigint): boolean => entry * (bps - 10_000n) * factor <= reference * 9_900n * bps;
        expect(holds(leverage)).toBe(true);
        expect(holds(leverage + 2_500n)).toBe(false);
      }),
    );
  });

  test('viability and buffer are measured from the lower of entry and mark', () => {
    const viable = (price: bigint, entry: bigint, mark: bigint): boolean =>
      isLiquidationViable({
        liquidationPricePips: pricePips(price),
        entryPricePips: pricePips(entry),
        markPricePips: pricePips(mark),
      });
    expect([viable(3_960n, 5_000n, 4_000n), viable(3_961n, 5_000n, 4_000n)]).toEqual([true, false]);
    expect([viable(3_960n, 4_000n, 5_000n), viable(3_961n, 4_000n, 5_000n)]).toEqual([true, false]);
    expect(raw(minimumBufferOf(pricePips(5_000n), pricePips(4_001n)))).toBe(41n);
    expect(raw(minimumBufferOf(pricePips(4_000n), pricePips(5_000n)))).toBe(40n);
  });
});

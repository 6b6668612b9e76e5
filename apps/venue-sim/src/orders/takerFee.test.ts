import { describe, expect, it } from 'vitest';
import { takerFeeUsdcUnits } from './takerFee.ts';

const fee = (tokens: bigint, takerPricePips: bigint, [ratePpm, exponent]: readonly [bigint, bigint]): bigint =>
  takerFeeUsdcUnits({ ratePpm, exponent }, [{ tokenUnits: tokens * 1_000_000n, takerPricePips }]);

describe('the taker fee', () => {
  it('is the venue’s formula, rounded down to five decimals', () => {
    expect(fee(100n, 5_000n, [70_000n, 1n])).toBe(1_750_000n);
    expect(fee(100n, 1_000n, [70_000n, 1n])).toBe(630_000n);
    expect(fee(100n, 9_900n, [70_000n, 1n])).toBe(69_300n);
    expect(fee(100n, 5_000n, [250_000n, 2n])).toBe(1_562_500n);
    expect(fee(25n, 1_300n, [50_000n, 1n])).toBe(141_370n);
    expect(fee(100n, 5_000n, [0n, 1n])).toBe(0n);
    expect(fee(100n, 5_000n, [20_000n, 0n])).toBe(2_000_000n);
    expect(takerFeeUsdcUnits(null, [{ tokenUnits: 5_000_000n, takerPricePips: 5_000n }])).toBe(0n);
  });

  it('adds up over fills before it rounds', () => {
    const fill = { tokenUnits: 10_000n, takerPricePips: 5_100n };
    const one = takerFeeUsdcUnits({ ratePpm: 70_000n, exponent: 1n }, [fill]);
    const many = takerFeeUsdcUnits(
      { ratePpm: 70_000n, exponent: 1n },
      Array.from({ length: 100 }, () => ({ ...fill })),
    );
    expect(many).toBeGreaterThanOrEqual(one * 100n);
    expect(many % 10n).toBe(0n);
  });
});

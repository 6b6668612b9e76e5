// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bestGrantFillOf,
  clipGrantFill,
  type Grant,
  type GrantPath,
  grantFillRefusalOf,
  grantPriceOf,
  grantTokensOf,
  grantUsdcOf,
  isGrantDone,
  minimumFirstFillOf,
  type PurchaseGrant,
  pricePips,
  rateBps,
  raw,
  type SaleGrant,
  tokenUnits,
  usdcUnits,
} from '../index.ts';

const anyUnits = fc.bigInt({ min: 1n, max: 10n ** 13n });
/** Path with the start on the vault's better side of the limit, and a second of it. */
const anyPath = fc
  .record({
    side: fc.constantFrom('purchase' as const, 'sale' as const),
    prices: fc.tuple(fc.bigInt({ min: 1n, max: 9_999n }), fc.bigInt({ min: 1n, max: 9_999n })),
    fee: fc.bigInt({ min: 0n, max: 1_000n }),
    validForSeconds: fc.integer({ min: 6, max: 20 }),
    share: fc.integer({ min: 0, max: 1_000 }),
  })
  .map(({ side, prices, fee, validForSeconds, share }) => {
    const [low, high] = prices[0] < prices[1] ? prices : [prices[1], prices[0]];
    const [start, limit] = side === 'purchase' ? [low, high] : [high, low];
    const path: GrantPath = {
      side,
      startPricePips: pricePips(start),
      limitPricePips: pricePips(limit),
      venueFeeBps: rateBps(fee),
      validForSeconds,
    };
    return { path, second: Math.floor((share * validForSeconds) / 1_000) };
  });

function grantOf(path: GrantPath, maximum: bigint, filled: bigint): Grant {
  const bound = { notionalUsdcUnits: usdcUnits(1n), minimumTokenUnits: tokenUnits(0n) };
  const filledUnits = filled % maximum;
  return path.side === 'purchase'
    ? {
        ...path,
        side: 'purchase',
        maximumUsdcUnits: usdcUnits(maximum),
        filledUsdcUnits: usdcUnits(filledUnits),
        minimumFirstUsdcUnits: null,
        ...bound,
      }
    : {
        ...path,
        side: 'sale',
        maximumTokenUnits: tokenUnits(maximum),
        filledTokenUnits: tokenUnits(filledUnits),
        heldTokenUnits: tokenUnits(maximum),
      };
}

const anyGrant = fc
  .tuple(anyPath, anyUnits, fc.bigInt({ min: 0n, max: 10n ** 13n }))
  .map(([{ path, second }, maximum, filled]) => ({ grant: grantOf(path, maximum, filled), second }));

const ofTokens = (tokens: bigint, usdc = 0n) => ({ tokenUnits: tokenUnits(tokens), usdcUnits: usdcUnits(usdc) });

/** Most that the vault may give at the limit with the whole fee; R3 forbids more. */
const leftWithFee = (grant: Grant): bigint =>
  grant.side === 'purchase'
    ? ((raw(grant.maximumUsdcUnits) - raw(grant.filledUsdcUnits)) * (10_000n + raw(grant.venueFeeBps))) / 10_000n
    : raw(grant.maximumTokenUnits) - raw(grant.filledTokenUnits);

describe('price path', () => {
  test('begins at the start price without a fee, at the limit with the whole fee from half of its time on', () => {
    fc.assert(
      fc.property(anyPath, ({ path, second }) => {
        const { dividend, divisor } = grantPriceOf(path, 0);
        expect(dividend * 10_000n).toBe(divisor * raw(path.startPricePips));
        const end = grantPriceOf(path, Math.max(second, Math.ceil(path.validForSeconds / 2)));
        const factor = 10_000n + (path.side === 'purchase' ? raw(path.venueFeeBps) : -raw(path.venueFeeBps));
        expect(end.dividend * 100_000_000n).toBe(end.divisor * raw(path.limitPricePips) * factor);
      }),
    );
  });

  test('moves one way, towards the filler, and rounds for the vault', () => {
    fc.assert(
      fc.property(anyPath, anyUnits, ({ path, second }, amount) => {
        const tokens = tokenUnits(amount);
        const usdc = raw(grantUsdcOf(path, second, tokens));
        const { dividend, divisor } = grantPriceOf(path, second);
        const isPurchase = path.side === 'purchase';
        expect(isPurchase ? usdc * divisor <= amount * dividend : usdc * divisor >= amount * dividend).toBe(true);
        const limit = raw(grantUsdcOf(path, path.validForSeconds, tokens));
        expect(isPurchase ? usdc <= limit : usdc >= limit).toBe(true);
        if (second === 0) return;
        const before = raw(grantUsdcOf(path, second - 1, tokens));
        expect(isPurchase ? before <= usdc : before >= usdc).toBe(true);
      }),
    );
  });

  test('tokens for an amount are the fewest that are paid it, or the most that it buys', () => {
    fc.assert(
      fc.property(anyPath, anyUnits, ({ path, second }, amount) => {
        const tokens = raw(grantTokensOf(path, second, usdcUnits(amount)));
        const at = (units: bigint): bigint => raw(grantUsdcOf(path, second, tokenUnits(units)));
        if (path.side === 'purchase') {
          expect(at(tokens) >= amount && (tokens === 0n || at(tokens - 1n) < amount)).toBe(true);
        } else {
          expect(at(tokens) <= amount && at(tokens + 1n) > amount).toBe(true);
        }
      }),
    );
  });

  test('the figures of a 100,000 USD grant at .50 to .505 with a fee of 3.5 %', () => {
    const path: GrantPath = {
      side: 'purchase',
      startPricePips: pricePips(5_000n),
      limitPricePips: pricePips(5_050n),
      venueFeeBps: rateBps(350n),
      validForSeconds: 10,
    };
    expect(raw(grantUsdcOf(path, 0, tokenUnits(200_000_000_000n)))).toBe(100_000_000_000n);
    expect(raw(grantUsdcOf(path, 10, tokenUnits(198_019_801_980n)))).toBe(103_499_999_999n);
    // Half way, after a quarter of the time: .5025, and half of the fee on top.
    const long = { ...path, validForSeconds: 20 };
    expect(raw(grantUsdcOf(long, 5, tokenUnits(1_000_000n)))).toBe(511_293n);
    expect(raw(grantUsdcOf({ ...long, side: 'sale' }, 5, tokenUnits(1_000_000n)))).toBe(493_707n);
    // An odd time is over its middle after a whole second: 6 of 7 parts after 3 s, all after 4 s.
    const odd = { ...path, validForSeconds: 7, limitPricePips: pricePips(5_070n), venueFeeBps: rateBps(0n) };
    expect([3, 4].map((second) => raw(grantUsdcOf(odd, second, tokenUnits(1_000_000n))))).toEqual([506_000n, 507_000n]);
  });

  test.each([-1, 11, 0.5])('throws a RangeError %s s after the start of a path of 10 s', (second) => {
    const path: GrantPath = {
      side: 'sale',
      startPricePips: pricePips(5_000n),
      limitPricePips: pricePips(4_900n),
      venueFeeBps: rateBps(0n),
      validForSeconds: 10,
    };
    expect(() => grantPriceOf(path, second)).toThrow(RangeError);
  });
});

describe('fills', () => {
  test('clip: the vault gives no more than what is left, at a ratio no worse than the maxima', () => {
    fc.assert(
      fc.property(anyGrant, anyUnits, anyUnits, ({ grant, second }, tokens, usdc) => {
        const maxima = ofTokens(tokens, usdc);
        const fill = clipGrantFill(grant, second, maxima);
        const [given, taken] = [raw(fill.tokenUnits), raw(fill.usdcUnits)];
        if (grant.side === 'purchase') {
          expect(taken <= leftWithFee(grant) && given * usdc >= taken * tokens && given <= tokens).toBe(true);
        } else {
          expect(given <= leftWithFee(grant) && taken * tokens >= given * usdc && taken <= usdc).toBe(true);
        }
        if (grantFillRefusalOf(grant, second, maxima) !== 'price_too_poor') {
          expect(grantFillRefusalOf(grant, second, fill)).not.toBe('price_too_poor');
        }
      }),
    );
  });

  test('best: is never refused for its price, and one unit better for the filler is, or is cut to the best', () => {
    fc.assert(
      fc.property(anyGrant, anyUnits, ({ grant, second }, amount) => {
        const fill = bestGrantFillOf(grant, second, ofTokens(amount, amount));
        expect(grantFillRefusalOf(grant, second, fill)).not.toBe('price_too_poor');
        expect(clipGrantFill(grant, second, fill)).toEqual(fill);
        const better = raw(fill.usdcUnits) + (grant.side === 'purchase' ? 1n : -1n);
        const cut = clipGrantFill(grant, second, ofTokens(raw(fill.tokenUnits), better));
        // Where a token costs more than a unit of USDC, the most that is left may be paid for the same tokens.
        const isBest = cut.tokenUnits === fill.tokenUnits && cut.usdcUnits === fill.usdcUnits;
        if (!isBest) expect(grantFillRefusalOf(grant, second, cut)).toBe('price_too_poor');
      }),
    );
  });

  test('a fill of all that is left is large enough, a dust fill is not', () => {
    fc.assert(
      fc.property(anyGrant, ({ grant, second }) => {
        const whole = bestGrantFillOf(grant, second, ofTokens(10n ** 20n, 10n ** 20n));
        expect(grantFillRefusalOf(grant, second, whole)).toBe(null);
        if (raw(whole.tokenUnits) <= 5_000_000n) return;
        const part = bestGrantFillOf(
          grant,
          second,
          ofTokens(4_999_999n, raw(grantUsdcOf(grant, second, tokenUnits(4_999_999n)))),
        );
        expect(grantFillRefusalOf(grant, second, part)).toBe('below_minimum');
      }),
    );
  });
});

describe('minima', () => {
  const purchase: PurchaseGrant = {
    side: 'purchase',
    startPricePips: pricePips(5_000n),
    limitPricePips: pricePips(5_000n),
    venueFeeBps: rateBps(0n),
    validForSeconds: 10,
    maximumUsdcUnits: usdcUnits(300_000_000n),
    filledUsdcUnits: usdcUnits(0n),
    minimumFirstUsdcUnits: minimumFirstFillOf(usdcUnits(300_000_000n), rateBps(10_000n)),
    notionalUsdcUnits: usdcUnits(300_000_000n),
    minimumTokenUnits: tokenUnits(590_000_000n),
  };
  const sale: SaleGrant = {
    side: 'sale',
    startPricePips: pricePips(5_000n),
    limitPricePips: pricePips(5_000n),
    venueFeeBps: rateBps(0n),
    validForSeconds: 10,
    maximumTokenUnits: tokenUnits(600_000_000n),
    filledTokenUnits: tokenUnits(0n),
    heldTokenUnits: tokenUnits(600_000_000n),
  };
  const refusalOf = (grant: Grant, tokens: bigint) => grantFillRefusalOf(grant, 0, ofTokens(tokens, tokens / 2n));

  test('a first fill of a whole opening takes 99 % of the notional', () => {
    expect(raw(purchase.minimumFirstUsdcUnits ?? usdcUnits(0n))).toBe(297_000_000n);
    expect(raw(minimumFirstFillOf(usdcUnits(300_000_000n), rateBps(2_000n)))).toBe(60_000_000n);
    expect(refusalOf(purchase, 594_000_000n)).toBe(null);
    expect(refusalOf(purchase, 593_999_998n)).toBe('below_minimum');
  });

  test('a later fill takes a fifth of the grant', () => {
    const later: PurchaseGrant = { ...purchase, minimumFirstUsdcUnits: null };
    expect([refusalOf(later, 120_000_000n), refusalOf(later, 119_999_998n)]).toEqual([null, 'below_minimum']);
    expect([refusalOf(sale, 120_000_000n), refusalOf(sale, 119_999_998n)]).toEqual([null, 'below_minimum']);
  });

  test('five tokens are the least of a small grant, unless less is left', () => {
    const small: SaleGrant = { ...sale, maximumTokenUnits: tokenUnits(12_000_000n) };
    expect([refusalOf(small, 5_000_000n), refusalOf(small, 4_999_998n)]).toEqual([null, 'below_minimum']);
    expect(refusalOf({ ...small, filledTokenUnits: tokenUnits(10_000_000n) }, 2_000_000n)).toBe(null);
  });

  test('a part of a sale leaves nothing or five tokens of the position', () => {
    const saleOf = (units: bigint): SaleGrant => ({ ...sale, heldTokenUnits: tokenUnits(units) });
    expect(refusalOf(saleOf(604_000_000n), 600_000_000n)).toBe(null);
    expect(refusalOf(saleOf(604_000_000n), 599_000_000n)).toBe(null);
    expect(refusalOf(saleOf(602_000_000n), 599_000_000n)).toBe('below_minimum');
    expect(refusalOf(saleOf(600_000_000n), 596_000_000n)).toBe('below_minimum');
    expect(refusalOf(saleOf(600_000_000n), 595_000_000n)).toBe(null);
  });

  test('a purchase brings the tokens that the user expects, also where the price of a pip would bring fewer', () => {
    const later: PurchaseGrant = {
      ...purchase,
      minimumFirstUsdcUnits: null,
      minimumTokenUnits: tokenUnits(600_000_001n),
    };
    const best = bestGrantFillOf(later, 0, ofTokens(600_000_000n));
    expect(best).toEqual(ofTokens(600_000_000n, 299_999_999n));
    expect(refusalOf(later, 600_000_000n)).toBe('price_too_poor');
    expect(bestGrantFillOf(later, 0, ofTokens(700_000_000n))).toEqual(ofTokens(600_000_001n, 300_000_000n));
    expect(grantFillRefusalOf(later, 0, ofTokens(600_000_001n, 300_000_000n))).toBe(null);
  });

  test('a purchase is done with 1 % left, a sale with dust', () => {
    const at = (filled: bigint): boolean => isGrantDone({ ...purchase, filledUsdcUnits: usdcUnits(filled) });
    expect([at(297_000_000n), at(296_999_999n)]).toEqual([true, false]);
    const sold = (filled: bigint): boolean => isGrantDone({ ...sale, filledTokenUnits: tokenUnits(filled) });
    expect([sold(599_990_001n), sold(599_990_000n)]).toEqual([true, false]);
  });
});

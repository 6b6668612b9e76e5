// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.

import { rateBps, raw, snapQuote, tokenUnits, usdcUnits, usdPips } from '@core/pricing';
import { anyLeverage } from '@core/pricing/testing/arbitraries.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partialCloseShareOf } from '../src/index.ts';
import { openingSplitOf, waterfallOf } from '../testing/settlement.ts';

const anyUnits = fc.bigInt({ min: 0n, max: 10n ** 12n }).map(usdcUnits);

describe('waterfallOf', () => {
  test('conserves, pays in order, and the user only when the pool is whole', () => {
    const anyFeeBps = fc.bigInt({ min: 0n, max: 1_000n }).map(rateBps);
    fc.assert(
      fc.property(
        fc.tuple(anyUnits, anyUnits, anyUnits, anyFeeBps),
        ([proceeds, principal, lifetime, liquidationFeeBps]) => {
          const paid = waterfallOf({
            proceedsUsdcUnits: proceeds,
            principalDueUsdcUnits: principal,
            lifetimeFeeDueUsdcUnits: lifetime,
            liquidationFeeBps,
          });
          const parts = [
            paid.principalPaidUsdcUnits,
            paid.lifetimeFeePaidUsdcUnits,
            paid.liquidationFeePaidUsdcUnits,
            paid.userPaidUsdcUnits,
          ].map(raw);
          expect(parts.reduce((a, b) => a + b, 0n)).toBe(raw(proceeds));
          expect(parts.every((part) => part >= 0n)).toBe(true);
          expect(raw(paid.principalPaidUsdcUnits) + raw(paid.principalUnpaidUsdcUnits)).toBe(raw(principal));
          expect(raw(paid.lifetimeFeePaidUsdcUnits) + raw(paid.lifetimeFeeUnpaidUsdcUnits)).toBe(raw(lifetime));
          if (raw(paid.lifetimeFeePaidUsdcUnits) > 0n) expect(raw(paid.principalUnpaidUsdcUnits)).toBe(0n);
          if (raw(paid.userPaidUsdcUnits) > 0n) {
            expect(raw(paid.principalUnpaidUsdcUnits) + raw(paid.lifetimeFeeUnpaidUsdcUnits)).toBe(0n);
          }
        },
      ),
    );
  });

  test('the liquidation fee is on the principal repaid, rounded up', () => {
    const paid = waterfallOf({
      proceedsUsdcUnits: usdcUnits(1_000n),
      principalDueUsdcUnits: usdcUnits(901n),
      lifetimeFeeDueUsdcUnits: usdcUnits(9n),
      liquidationFeeBps: rateBps(100n),
    });
    expect(raw(paid.liquidationFeePaidUsdcUnits)).toBe(10n);
    expect(raw(paid.userPaidUsdcUnits)).toBe(80n);
  });
});

describe('partialCloseShareOf', () => {
  test('all for all, nothing for nothing, and parts never owe less than the whole', () => {
    const anyTokens = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(anyUnits, anyTokens, fc.bigInt({ min: 0n, max: 10_000n }), (amount, held, part) => {
        const share = (sold: bigint): bigint =>
          raw(
            partialCloseShareOf({
              amountUsdcUnits: amount,
              soldTokenUnits: tokenUnits(sold),
              heldTokenUnits: tokenUnits(held),
            }),
          );
        const sold = (held * part) / 10_000n;
        expect(share(held)).toBe(raw(amount));
        expect(share(0n)).toBe(0n);
        const both = share(sold) + share(held - sold);
        expect(both === raw(amount) || both === raw(amount) + 1n).toBe(true);
      }),
    );
  });
});

const anyOpening = fc
  .record({
    notional: fc.bigInt({ min: 50_000n, max: 10n ** 9n }),
    leverage: anyLeverage,
    venueFee: fc.bigInt({ min: 0n, max: 10n ** 8n }),
    origination: fc.bigInt({ min: 0n, max: 10n ** 8n }),
    filledPpm: fc.bigInt({ min: 0n, max: 1_000_000n }),
    feeShareBps: fc.bigInt({ min: 0n, max: 10_000n }),
  })
  .map((o) => {
    const size = snapQuote({ notionalUsdPips: usdPips(o.notional), leverageBps: o.leverage });
    const [collateral, notional, lent] = [size.collateralUsdcUnits, size.notionalUsdcUnits, size.borrowUsdcUnits].map(
      raw,
    );
    return { ...o, collateral: collateral ?? 0n, notional: notional ?? 0n, lent: lent ?? 0n };
  });

type SampleOpening = typeof anyOpening extends fc.Arbitrary<infer Opening> ? Opening : never;

/** The split of an opening that ends with so much filled, and so much cash and tokens in the account. */
function splitOf(
  o: SampleOpening,
  { filled, cash, tokens }: { readonly filled: bigint; readonly cash: bigint; readonly tokens: bigint },
) {
  return openingSplitOf({
    collateralUsdcUnits: usdcUnits(o.collateral),
    notionalUsdcUnits: usdcUnits(o.notional),
    lentUsdcUnits: usdcUnits(o.lent),
    venueFeeUsdcUnits: usdcUnits(o.venueFee),
    originationFeeUsdcUnits: usdcUnits(o.origination),
    filledUsdcUnits: usdcUnits(filled),
    cashUsdcUnits: usdcUnits(cash),
    tokenUnits: tokenUnits(tokens),
  });
}

describe('openingSplitOf', () => {
  test('an honest fill costs the user a share of the whole, the pool its principal, and every unit is placed', () => {
    fc.assert(
      fc.property(anyOpening, (o) => {
        const fill = (o.notional * o.filledPpm) / 1_000_000n;
        const highest = fill / 10n < o.venueFee ? fill / 10n : o.venueFee;
        const fee = (highest * o.feeShareBps) / 10_000n;
        const budget = o.collateral + o.venueFee + o.lent;
        const cash = budget + o.origination - fill - fee;
        const split = splitOf(o, { filled: fill, cash, tokens: fill > 0n ? fill * 2n : 1n });
        expect(raw(split.spentUsdcUnits)).toBe(fill + fee);
        expect(raw(split.tradeUsdcUnits)).toBe(fill);
        expect(raw(split.tradingFeeUsdcUnits)).toBe(fee);
        const share = (o.collateral * fill + o.notional - 1n) / o.notional;
        expect(raw(split.principalUsdcUnits)).toBe(fill - share);
        const origination = (o.origination * fill + o.notional - 1n) / o.notional;
        expect(raw(split.originationFeeUsdcUnits)).toBe(origination);
        // The user paid collateral, fee budget and origination, and gets back all that was not used.
        const paid = o.collateral + o.venueFee + o.origination - raw(split.userRefundUsdcUnits);
        expect(paid).toBe(share + fee + origination);
      }),
      { numRuns: 1_000 },
    );
  });

  test('lends on what was filled alone, and takes the origination fee of all that was spent, where they disagree', () => {
    fc.assert(
      fc.property(anyOpening, fc.bigInt({ min: 0n, max: 10_000n }), (o, beyondBps) => {
        const fill = (o.notional * o.filledPpm) / 1_000_000n;
        const budget = o.collateral + o.venueFee + o.lent;
        const minimum = fill + fill / 10n + 1n;
        fc.pre(minimum <= budget);
        const spent = minimum + ((budget - minimum) * beyondBps) / 10_000n;
        const split = splitOf(o, { filled: fill, cash: budget + o.origination - spent, tokens: 1n });
        const trade = spent < o.notional ? spent : o.notional;
        expect(raw(split.tradeUsdcUnits)).toBe(trade);
        expect(raw(split.originationFeeUsdcUnits)).toBe((o.origination * trade + o.notional - 1n) / o.notional);
        const share = fill - (o.collateral * fill + o.notional - 1n) / o.notional;
        const overrun = spent - o.collateral - o.venueFee;
        expect(raw(split.principalUsdcUnits)).toBe(share > overrun ? share : overrun);
      }),
      { numRuns: 1_000 },
    );
  });

  test('conserves the cash for every answer of an exchange, every donation and every overrun', () => {
    const anyAmount = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(fc.tuple(anyOpening, anyAmount, anyAmount, fc.boolean()), ([o, filled, cash, hasTokens]) => {
        const split = splitOf(o, { filled, cash, tokens: hasTokens ? 1n : 0n });
        const parts = [split.poolRefundUsdcUnits, split.originationFeeUsdcUnits, split.userRefundUsdcUnits].map(raw);
        expect(parts.reduce((a, b) => a + b, 0n)).toBe(cash);
        expect(parts.every((part) => part >= 0n)).toBe(true);
        const principal = raw(split.principalUsdcUnits);
        expect(principal >= 0n && principal <= o.lent).toBe(true);
        if (!hasTokens) {
          // Nothing was opened: the pool first, all else to the user.
          expect(principal + raw(split.tradeUsdcUnits) + raw(split.originationFeeUsdcUnits)).toBe(0n);
          expect(raw(split.poolRefundUsdcUnits)).toBe(cash < o.lent ? cash : o.lent);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

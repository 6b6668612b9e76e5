import { pricePips, raw, tokenUnits, usdcUnits } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import { type Consent, decideOrder } from './decideOrder.ts';
import type { OrderAction } from './positionAction.ts';

const usdc = (whole: number) => usdcUnits(BigInt(whole) * 1_000_000n);
const tokens = (whole: number) => tokenUnits(BigInt(whole) * 1_000_000n);
const consentTo = (pips: bigint): Extract<Consent, { kind: 'given' }> => {
  return { kind: 'given', limitPricePips: pricePips(pips), venueFeeBps: 100n, coverFeeBps: 100n };
};
const refusalOf = (isTransient: boolean): Consent => ({ kind: 'refused', code: 'book_stale', isTransient });

const base = { kind: 'order', attempt: 1, retryAtMs: 7 } as const;
const opening: OrderAction = {
  ...base,
  purpose: 'open',
  orderType: 'FOK',
  tokenUnits: tokens(200),
  retryAtMs: null,
  progress: null,
  bounds: {
    dueUsdcUnits: usdc(100),
    openUsdcUnits: usdc(100),
    notionalUsdcUnits: usdc(100),
    minPositionTokenUnits: tokens(190),
    venueFeeLeftUsdcUnits: usdc(3),
    tickPricePips: pricePips(100n),
  },
};
const sale = {
  tokenUnits: tokens(100),
  heldTokenUnits: tokens(100),
  minPricePips: pricePips(4_000n),
  tickPricePips: pricePips(100n),
} as const;
const close: OrderAction = {
  ...base,
  purpose: 'close',
  orderType: 'FOK',
  tokenUnits: tokens(100),
  serves: {
    decidedAtMs: 1,
    requestedTokenUnits: tokens(100),
    minPricePips: pricePips(4_000n),
    reachTokenUnits: tokens(100),
  },
  bounds: { ...sale, debtUsdcUnits: usdc(40) },
};
const liquidation: OrderAction = {
  ...base,
  purpose: 'liquidate',
  orderType: 'FAK',
  tokenUnits: tokens(100),
  bounds: { ...sale, minPricePips: pricePips(0n) },
};

describe('under the signer’s consent', () => {
  test("an opening is bounded by limit, tick and the user's signature; a moved price counts as an attempt", () => {
    const decided = decideOrder(opening, consentTo(5_050n));
    expect(decided.kind === 'send' && raw(decided.grid.pricePips)).toBe(5_000n);
    // 190 tokens for 100 USDC are 0.5263 each: a dearer market cannot serve them, whatever the signer allows.
    expect(decideOrder(opening, consentTo(9_000n))).toMatchObject({ kind: 'send', grid: { pricePips: 5_200n } });
    expect(decideOrder(opening, consentTo(99n))).toEqual({ kind: 'miss', reason: 'price_moved' });
  });

  test('a close is sold at the better of limit and the user’s price, and never below its debt', () => {
    expect(decideOrder(close, consentTo(4_850n))).toMatchObject({ kind: 'send', grid: { pricePips: 4_900n } });
    expect(decideOrder(close, consentTo(3_900n))).toEqual({ kind: 'wait', reason: 'sale_below_debt', untilMs: 7 });
    // Its cover is computed with the maximum fee of the exchange, as the vault does.
    const atMaximum = { ...consentTo(4_300n), coverFeeBps: 1_000n };
    expect(decideOrder(close, atMaximum)).toEqual({ kind: 'wait', reason: 'sale_below_debt', untilMs: 7 });
  });

  test('a liquidation is sold at the limit, below its debt too', () => {
    expect(decideOrder(liquidation, consentTo(3_900n))).toMatchObject({ kind: 'send', grid: { pricePips: 3_900n } });
  });
});
describe('an unwind under the signer’s consent', () => {
  const unwind = (changes: Partial<Extract<OrderAction, { purpose: 'unwind' }>> = {}): OrderAction => ({
    ...base,
    purpose: 'unwind',
    orderType: 'FOK',
    tokenUnits: tokens(90),
    reason: 'depth_drain',
    rung: null,
    isHardExit: false,
    isBelowDebt: false,
    bounds: { ...sale, tokenUnits: tokens(90), minPricePips: pricePips(0n), debtUsdcUnits: usdc(40) },
    ...changes,
  });
  const sold = (action: OrderAction, limit: bigint) => {
    const decided = decideOrder(action, consentTo(limit));
    return decided.kind === 'send' ? raw(decided.grid.tokenUnits) : decided;
  };

  test('sells what repays the debt at the limit, never more than was consented to', () => {
    // 40 USDC at 0.49 × 0.99.
    expect(sold(unwind(), 4_900n)).toBe(82_460_000n);
    expect(sold(unwind({ tokenUnits: tokens(60), bounds: boundsOf(60) }), 4_900n)).toBe(60_000_000n);
    // 96.2 tokens would repay it; a rest of 3.8 could never be sold.
    expect(sold(unwind({ tokenUnits: tokens(100), bounds: boundsOf(100) }), 4_200n)).toBe(100_000_000n);
  });

  test('is refused below the debt, and goes through with it once no debt may stay', () => {
    const whole = { tokenUnits: tokens(100), bounds: boundsOf(100) };
    const refusal = { kind: 'refused', reason: 'sale_below_debt', isTransient: true };
    expect(sold(unwind(whole), 4_000n)).toEqual(refusal);
    expect(sold(unwind({ ...whole, isHardExit: true }), 4_000n)).toBe(100_000_000n);
    expect(sold(unwind({ ...whole, isBelowDebt: true }), 4_000n)).toBe(100_000_000n);
    // The vault lets only the whole of it go below its debt.
    expect(sold(unwind({ isHardExit: true }), 4_000n)).toEqual(refusal);
  });

  test("a refused unwind carries the signer's code and blocks nothing else", () => {
    for (const isTransient of [true, false]) {
      const decided = decideOrder(unwind(), refusalOf(isTransient));
      expect(decided).toEqual({ kind: 'refused', reason: 'book_stale', isTransient });
    }
  });

  const boundsOf = (whole: number) => ({
    ...sale,
    tokenUnits: tokens(whole),
    minPricePips: pricePips(0n),
    debtUsdcUnits: usdc(40),
  });
});

test('without consent a sale waits; an opening counts unless the refusal passes by itself', () => {
  for (const action of [close, liquidation]) {
    for (const passes of [true, false]) {
      expect(decideOrder(action, refusalOf(passes))).toEqual({ kind: 'wait', reason: 'book_stale', untilMs: 7 });
    }
  }
  expect(decideOrder(opening, refusalOf(true))).toEqual({ kind: 'wait', reason: 'book_stale', untilMs: null });
  expect(decideOrder(opening, refusalOf(false))).toEqual({ kind: 'miss', reason: 'book_stale' });
});

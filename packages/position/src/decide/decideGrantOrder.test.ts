import { pricePips, tokenUnits, usdcUnits } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import { decideGrantOrder, type GrantConsent, grantSizeOf } from './decideGrantOrder.ts';
import type { OrderAction } from './positionAction.ts';

const usdc = (whole: number) => usdcUnits(BigInt(whole) * 1_000_000n);
const tokens = (whole: number) => tokenUnits(BigInt(whole) * 1_000_000n);
const consentTo = (pips: bigint, venueFeeBps = 100n): GrantConsent => {
  return { kind: 'given', limitPricePips: pricePips(pips), venueFeeBps };
};

const base = { kind: 'order', attempt: 1, retryAtMs: 7, orderType: 'FOK' } as const;
const opening: OrderAction = {
  ...base,
  purpose: 'open',
  tokenUnits: tokens(200),
  isBookThin: false,
  progress: null,
  bounds: {
    dueUsdcUnits: usdc(100),
    openUsdcUnits: usdc(100),
    notionalUsdcUnits: usdc(100),
    minPositionTokenUnits: tokens(190),
    venueFeeLeftUsdcUnits: usdc(1),
    tickPricePips: pricePips(100n),
  },
};
const sale = {
  tokenUnits: tokens(100),
  heldTokenUnits: tokens(100),
  minPricePips: pricePips(0n),
  tickPricePips: pricePips(100n),
  debtUsdcUnits: usdc(40),
} as const;
const unwind = (changes: Partial<Extract<OrderAction, { purpose: 'unwind' }>> = {}): OrderAction => ({
  ...base,
  purpose: 'unwind',
  tokenUnits: tokens(100),
  reason: 'depth_drain',
  rung: null,
  isHardExit: false,
  isBelowDebt: false,
  bounds: sale,
  ...changes,
});

describe('the grant of a decided action', () => {
  test('is requested for the money of an opening and the tokens of a sale', () => {
    expect(grantSizeOf(opening)).toBe(100_000_000n);
    expect(grantSizeOf(unwind())).toBe(100_000_000n);
  });

  test('is for all that is open of a partial opening, and for its floor after a thin book', () => {
    const partial = { ...opening, bounds: { ...opening.bounds, dueUsdcUnits: usdc(20) } };
    expect(grantSizeOf(partial)).toBe(100_000_000n);
    expect(grantSizeOf({ ...partial, isBookThin: true })).toBe(20_000_000n);
  });

  test('is requested for everything that is held where only dust would be left', () => {
    const bounds = { ...sale, heldTokenUnits: tokenUnits(100_009_999n) };
    expect(grantSizeOf(unwind({ bounds }))).toBe(100_009_999n);
    expect(decideGrantOrder(unwind({ bounds }), consentTo(4_050n))).toEqual({
      kind: 'send',
      mostUnits: 100_009_999n,
    });
    expect(grantSizeOf(unwind({ bounds: { ...sale, heldTokenUnits: tokenUnits(100_010_000n) } }))).toBe(100_000_000n);
    const close = (requestedTokenUnits: bigint): OrderAction => ({
      ...base,
      purpose: 'close',
      tokenUnits: tokens(100),
      bounds,
      serves: {
        decidedAtMs: 7,
        requestedTokenUnits: tokenUnits(requestedTokenUnits),
        minPricePips: pricePips(0n),
        reachTokenUnits: tokens(100),
      },
    });
    expect(grantSizeOf(close(2n ** 128n))).toBe(100_009_999n);
    expect(grantSizeOf(close(100_000_000n))).toBe(100_000_000n);
  });

  test('is smaller where the budget for fees is, by a hundredth at most', () => {
    expect(decideGrantOrder(opening, consentTo(5_000n))).toEqual({ kind: 'send', mostUnits: 100_000_000n });
    expect(decideGrantOrder(opening, consentTo(5_000n, 101n))).toEqual({ kind: 'send', mostUnits: 99_009_900n });
    expect(decideGrantOrder(opening, consentTo(5_000n, 102n))).toEqual({
      kind: 'miss',
      reason: 'venue_fee_too_small',
    });
  });

  test('sells what repays the debt, and below the debt only everything, where that is allowed', () => {
    // 40 USDC at 0.49 × 0.99.
    expect(decideGrantOrder(unwind(), consentTo(4_900n))).toEqual({ kind: 'send', mostUnits: 82_460_000n });
    const refusal = { kind: 'refused', reason: 'sale_below_debt', isTransient: true };
    expect(decideGrantOrder(unwind(), consentTo(4_000n))).toEqual(refusal);
    for (const change of [{ isBelowDebt: true }, { isHardExit: true }]) {
      expect(decideGrantOrder(unwind(change), consentTo(4_000n))).toEqual({ kind: 'send', mostUnits: 100_000_000n });
    }
  });

  test('has the consequences of an order when it is refused', () => {
    const refusal = { kind: 'refused', code: 'jump_too_large', isTransient: false } as const;
    expect(decideGrantOrder(opening, refusal)).toEqual({ kind: 'miss', reason: 'jump_too_large' });
    expect(decideGrantOrder(unwind(), refusal)).toEqual({
      kind: 'refused',
      reason: 'jump_too_large',
      isTransient: false,
    });
  });
});

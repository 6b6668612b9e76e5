import { pricePips, tokenUnits, usdcUnits } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import { decideGrantOrder, type GrantConsent, grantSizesOf } from './decideGrantOrder.ts';
import type { OrderAction } from './positionAction.ts';

const usdc = (whole: number) => usdcUnits(BigInt(whole) * 1_000_000n);
const tokens = (whole: number) => tokenUnits(BigInt(whole) * 1_000_000n);
const consentTo = (pips: bigint, venueFeeBps = 100n, mostUnits = 100_000_000n): GrantConsent => {
  return { kind: 'given', limitPricePips: pricePips(pips), venueFeeBps, mostUnits };
};

const base = { kind: 'order', attempt: 1, retryAtMs: 7, orderType: 'FOK' } as const;
const opening: OrderAction = {
  ...base,
  purpose: 'open',
  tokenUnits: tokens(200),
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
    expect(grantSizesOf(opening)).toEqual([100_000_000n]);
    expect(grantSizesOf(unwind())).toEqual([100_000_000n]);
  });

  test('is for all that is open of a partial opening, and for its floor after a thin book', () => {
    const partial = { ...opening, bounds: { ...opening.bounds, dueUsdcUnits: usdc(20) } };
    expect(grantSizesOf(partial)).toEqual([100_000_000n, 20_000_000n]);
    // The budget of one dollar covers 99.01 dollars at 1.01 %, the floor at 5 %, and less than it at 5.01 %.
    for (const [venueFeeBps, mostUnits] of [[101n, 99_009_900n] as const, [500n, 20_000_000n] as const]) {
      expect(decideGrantOrder(partial, consentTo(5_000n, venueFeeBps))).toEqual({ kind: 'send', mostUnits });
    }
    const miss = { kind: 'miss', reason: 'venue_fee_too_small' };
    expect(decideGrantOrder(partial, consentTo(5_000n, 501n))).toEqual(miss);
    // The vault takes no first part under the floor.
    expect(decideGrantOrder(partial, consentTo(5_000n, 501n, 20_000_000n))).toEqual(miss);
  });

  test('is requested for everything that is held where only dust would be left', () => {
    const bounds = { ...sale, heldTokenUnits: tokenUnits(100_009_999n) };
    expect(grantSizesOf(unwind({ bounds }))).toEqual([100_009_999n]);
    expect(decideGrantOrder(unwind({ bounds }), consentTo(4_050n))).toEqual({
      kind: 'send',
      mostUnits: 100_009_999n,
    });
    const more = { ...sale, heldTokenUnits: tokenUnits(100_010_000n) };
    expect(grantSizesOf(unwind({ bounds: more }))).toEqual([100_000_000n]);
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
    expect(grantSizesOf(close(2n ** 128n))).toEqual([100_009_999n]);
    expect(grantSizesOf(close(100_000_000n))).toEqual([100_000_000n]);
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

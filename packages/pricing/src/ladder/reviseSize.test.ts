import { describe, expect, test } from 'vitest';
import { levels } from '../../testing/book.ts';
import { limitSteps, sizeMarket, sizeRequest, times, usd } from '../../testing/ladder.ts';
import { leverageBps, pricePips, rateBps, reviseSize, snapQuote, usdPips } from '../index.ts';

const rejection = (code: string, params: object) => ({ kind: 'rejection', code, params });

describe('step 0: liquidity', () => {
  test('refuses without asks', () => {
    const result = reviseSize(sizeRequest(), sizeMarket({ asks: [] }));
    expect(result).toEqual(rejection('notional_selector_empty_order_book', {}));
  });

  test('refuses a book below the minimum at any slippage, with its own code before the game', () => {
    const asks = levels([5_000, 4], [6_000, 100]);
    // At 2 %: 2 USD at 0.50, then 0.6 × (0.51 × 4 − 2) / 0.09 more. At 10 %: 0.6 × 0.2 / 0.05.
    const params = {
      max_supported_collateral_usd_pips: usdPips(7_555n),
      min_notional_usd_pips: usd(5),
      slippage_max_usd_pips: usdPips(44_000n),
    };
    expect(reviseSize(sizeRequest(), sizeMarket({ asks }))).toEqual(
      rejection('notional_selector_below_min_notional', params),
    );
    expect(reviseSize(sizeRequest(), sizeMarket({ asks, isPregame: true }))).toEqual(
      rejection('notional_selector_pregame_insufficient_liquidity', params),
    );
  });

  test('refuses when the minimum clears only at more slippage than requested', () => {
    const asks = levels([5_000, 4], [5_400, 100]);
    const result = reviseSize(sizeRequest({ slippageBps: rateBps(200n) }), sizeMarket({ asks }));
    // 5 USD buy 4 + 3 / 0.54 tokens: 4.65 % above 0.50, rounded up.
    expect(result).toEqual(
      rejection('quote_slippage_too_high', {
        current_slippage_bps: rateBps(466n),
        max_slippage_bps: rateBps(200n),
      }),
    );
  });

  test('refuses a book smaller than the minimum', () => {
    const result = reviseSize(sizeRequest(), sizeMarket({ asks: levels([5_000, 8]) }));
    expect(result).toMatchObject({ code: 'notional_selector_below_min_notional' });
  });

  test('partial-open: refused below its floor, never capped', () => {
    const asks = levels([5_000, 100]);
    const request = sizeRequest({ minFillBps: rateBps(5_000n) });
    expect(reviseSize({ ...request, notionalUsdPips: usdPips(1_000_001n) }, sizeMarket({ asks }))).toEqual(
      rejection('notional_selector_insufficient_liquidity', {
        max_supported_collateral_usd_pips: usdPips(166_666n),
        min_notional_usd_pips: usd(5),
        slippage_max_usd_pips: usd(50),
      }),
    );
    const granted = reviseSize(request, sizeMarket({ asks }));
    expect(granted).toMatchObject({ kind: 'accepted', revision: null, notionalUsdPips: usd(100) });
    // Tokens are counted for the whole notional at the price of the part that clears.
    expect(granted).toMatchObject({ fill: { entryPricePips: pricePips(5_000n) } });
  });
});

describe('steps a to d: capping and clamping', () => {
  const thin = levels([5_000, 100], [6_000, 10_000]);

  test('grants an unrestricted size unchanged', () => {
    const result = reviseSize(sizeRequest(), sizeMarket());
    const size = snapQuote({ notionalUsdPips: usd(100), leverageBps: times(3) });
    expect(result).toMatchObject({ kind: 'accepted', revision: null, leverageBps: times(3), size });
  });

  test('caps the notional at the clearable amount and keeps the leverage', () => {
    const market = sizeMarket({ asks: thin });
    // 50 USD at 0.50, then 0.6 × (0.51 × 100 − 50) / 0.09 more.
    const notional = usdPips(566_666n);
    expect(reviseSize(sizeRequest({ allowRevision: true }), market)).toMatchObject({
      revision: 'notional_reduced',
      notionalUsdPips: notional,
      leverageBps: times(3),
    });
    const { collateralUsdcUnits } = snapQuote({ notionalUsdPips: notional, leverageBps: times(3) });
    expect(reviseSize(sizeRequest(), market)).toEqual(
      rejection('QUOTE_REVISION_REQUIRED', {
        revision: 'notional_reduced',
        requested_leverage_bps: times(3),
        requested_notional_usd_pips: usd(100),
        acceptable_leverage_bps: times(3),
        acceptable_notional_usd_pips: notional,
        acceptable_collateral_usdc_units: collateralUsdcUnits,
      }),
    );
  });

  test('clamps the leverage to the collateral floor', () => {
    const request = sizeRequest({ notionalUsdPips: usd(10), leverageBps: times(10) });
    const market = sizeMarket({
      minCollateralUsdPips: usd(3),
      leverageLimitOf: () => times(10),
      liquidationFeeBps: rateBps(0n),
      exitBufferBps: rateBps(0n),
    });
    expect(reviseSize({ ...request, allowRevision: true }, market)).toMatchObject({
      revision: 'leverage_reduced',
      leverageBps: times(3.25),
    });
    expect(reviseSize(request, market)).toMatchObject({
      code: 'QUOTE_REVISION_REQUIRED',
      params: { revision: 'leverage_reduced', acceptable_leverage_bps: times(3.25) },
    });
  });

  test('caps the notional and clamps the leverage', () => {
    const request = sizeRequest({ allowRevision: true });
    const market = sizeMarket({ asks: thin, leverageLimitOf: () => times(2.25) });
    expect(reviseSize(request, market)).toMatchObject({
      revision: 'notional_and_leverage_reduced',
      leverageBps: times(2.25),
    });
    expect(reviseSize({ ...request, allowRevision: false }, market)).toMatchObject({
      code: 'QUOTE_REVISION_REQUIRED',
      params: { revision: 'notional_and_leverage_reduced' },
    });
  });

  test('lowers the notional to where the market allows 1.5x', () => {
    const market = sizeMarket({ leverageLimitOf: limitSteps([60, 1.75], [1_000, 1.25]) });
    expect(reviseSize(sizeRequest({ allowRevision: true }), market)).toMatchObject({
      revision: 'notional_and_leverage_reduced',
      notionalUsdPips: usd(60),
      leverageBps: times(1.75),
    });
    // Below 2x nothing can be resubmitted, so the refusal names the maximum of the market.
    expect(reviseSize(sizeRequest(), market)).toEqual(
      rejection('quote_max_leverage_too_low', { max_leverage_bps: times(1.25), min_leverage_bps: times(2) }),
    );
  });

  test('ends at exactly 1.5x at the lowest', () => {
    const market = sizeMarket({ leverageLimitOf: limitSteps([60, 1.5], [1_000, 1.25]) });
    const revised = { kind: 'accepted', notionalUsdPips: usd(60), leverageBps: times(1.5) };
    expect(reviseSize(sizeRequest({ allowRevision: true }), market)).toMatchObject(revised);
    // There is no smaller size to fall back to where not even the minimum can be opened.
    const closedMarket = sizeMarket({ leverageLimitOf: limitSteps([4, 1.5], [1_000, 1.25]) });
    expect(reviseSize(sizeRequest({ allowRevision: true }), closedMarket)).toEqual(
      rejection('LIQUIDITY_INSUFFICIENT', {}),
    );
  });

  test('refuses a revision below 1.5x', () => {
    const request = sizeRequest({ allowRevision: true });
    expect(reviseSize(request, sizeMarket({ leverageLimitOf: () => times(1.25) }))).toEqual(
      rejection('LIQUIDITY_INSUFFICIENT', {}),
    );
    expect(reviseSize(request, sizeMarket({ minCollateralUsdPips: usd(80) }))).toEqual(
      rejection('LIQUIDITY_INSUFFICIENT', {}),
    );
  });

  test('grants a revision below 2x with revision only', () => {
    const market = sizeMarket({ asks: thin, leverageLimitOf: () => times(1.75) });
    expect(reviseSize(sizeRequest({ allowRevision: true }), market)).toMatchObject({ leverageBps: times(1.75) });
    expect(reviseSize(sizeRequest(), market)).toEqual(rejection('LIQUIDITY_INSUFFICIENT', {}));
  });
});

describe('step e: the binding limit, without revision', () => {
  test('names the price when it binds', () => {
    // Buffer 15 % and fee 10 %: 0.5 / (0.5 − 0.99 × 0.4950 / 1.25) is 4.63, the worst fill allows 4x at 1 % slippage.
    const market = sizeMarket({
      liquidationFeeBps: rateBps(1_000n),
      exitBufferBps: rateBps(1_500n),
      leverageLimitOf: () => times(4.5),
    });
    expect(reviseSize(sizeRequest({ leverageBps: times(5), slippageBps: rateBps(100n) }), market)).toEqual(
      rejection('quote_leverage_too_high_for_price', {
        current_book_leverage_bps: times(5),
        entry_price_usd_pips: pricePips(5_000n),
        max_acceptable_leverage_bps: times(4.25),
        minimum_buffer_usd_pips: pricePips(50n),
      }),
    );
  });

  test('names the listed maximum of the size when it binds', () => {
    const market = sizeMarket({ leverageLimitOf: limitSteps([100, 4], [500, 3]) });
    const at = (dollars: number, multiple: number) =>
      reviseSize(sizeRequest({ notionalUsdPips: usd(dollars), leverageBps: times(multiple) }), market);
    expect(at(100, 4.25)).toEqual(
      rejection('quote_leverage_exceeds_maximum', {
        current_book_leverage_bps: times(4.25),
        max_leverage_bps: times(4),
      }),
    );
    // Within the maximum listed for 100 USD, above what the model allows at this very size.
    expect(at(101, 4)).toEqual(
      rejection('quote_leverage_exceeds_model_max', {
        current_book_leverage_bps: times(4),
        max_leverage_bps: times(3),
      }),
    );
    expect(at(50, 4.25)).toMatchObject({ code: 'quote_leverage_exceeds_maximum' });
  });

  test('a listed size counts from its first pip', () => {
    const market = sizeMarket({ leverageLimitOf: limitSteps([99, 5], [1_000, 4]) });
    const request = sizeRequest({ leverageBps: times(4.5) });
    expect(reviseSize(request, market)).toMatchObject({ code: 'quote_leverage_exceeds_maximum' });
  });

  test('names a resubmittable size when book and floor bind together', () => {
    const market = sizeMarket({ asks: levels([5_000, 100], [6_000, 10_000]), minCollateralUsdPips: usd(30) });
    const request = sizeRequest({ notionalUsdPips: usd(57) });
    expect(reviseSize(request, market)).toEqual(rejection('LIQUIDITY_INSUFFICIENT', {}));
  });

  test('names the collateral floor when it leaves less than 2x', () => {
    const market = sizeMarket({ minCollateralUsdPips: usd(60) });
    expect(reviseSize(sizeRequest(), market)).toEqual(
      rejection('quote_leverage_exceeds_collateral_floor', {
        current_book_leverage_bps: times(3),
        current_collateral_usd_pips: usdPips(333_333n),
        max_leverage_bps: times(1.5),
        min_collateral_usd_pips: usd(60),
      }),
    );
  });

  test('market and floor bind together: names the size that satisfies both', () => {
    const market = sizeMarket({ minCollateralUsdPips: usd(40), leverageLimitOf: () => times(2.25) });
    expect(reviseSize(sizeRequest(), market)).toMatchObject({
      code: 'QUOTE_REVISION_REQUIRED',
      params: { revision: 'leverage_reduced', acceptable_leverage_bps: times(2.25) },
    });
    const lower = sizeMarket({ minCollateralUsdPips: usd(60), leverageLimitOf: () => times(1.5) });
    expect(reviseSize(sizeRequest(), lower)).toEqual(rejection('LIQUIDITY_INSUFFICIENT', {}));
  });
});

describe('step f: liquidation at the worst allowed fill', () => {
  const far = { markPricePips: pricePips(3_000n) };

  test('refuses a leverage that is not viable, though the market allows it', () => {
    const result = reviseSize(sizeRequest(), sizeMarket({ ...far, leverageLimitOf: () => times(10) }));
    expect(result).toMatchObject(
      rejection('quote_liquidation_not_viable', {
        entry_price_usd_pips: pricePips(5_000n),
        min_tolerance_pct_bps: rateBps(100n),
        side: 'yes',
      }),
    );
    // Borrow 66.666668, threshold 72.666669 on 196 tokens.
    expect(result).toMatchObject({ params: { liquidation_price_usd_pips: pricePips(3_707n) } });
  });

  test('with revision the leverage falls to the viable one', () => {
    const result = reviseSize(sizeRequest({ allowRevision: true }), sizeMarket(far));
    expect(result).toMatchObject({ kind: 'accepted', revision: 'leverage_reduced', leverageBps: times(2) });
  });

  test('refuses when no leverage is viable', () => {
    const market = sizeMarket({ markPricePips: pricePips(500n) });
    for (const allowRevision of [true, false]) {
      expect(reviseSize(sizeRequest({ allowRevision, side: 'no' }), market)).toMatchObject({
        code: 'quote_liquidation_not_viable',
        params: { side: 'no' },
      });
    }
  });

  test("the market's hint considers the viable leverage too", () => {
    const market = sizeMarket({ ...far, leverageLimitOf: () => times(2.5) });
    // 3x is above the market's 2.5x, and of that only 2x stays viable at the worst fill.
    expect(reviseSize(sizeRequest(), market)).toMatchObject({
      code: 'quote_leverage_too_high_for_price',
      params: { max_acceptable_leverage_bps: times(2) },
    });
  });

  test('throws for a leverage off the step', () => {
    expect(() => reviseSize(sizeRequest({ leverageBps: leverageBps(20_001n) }), sizeMarket())).toThrow(RangeError);
  });
});

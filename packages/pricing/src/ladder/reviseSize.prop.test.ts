// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyMarket, anyRequest } from '../../testing/ladder.ts';
import {
  clearableNotionalOf,
  constants,
  isLiquidationViable,
  liquidationPriceOf,
  raw,
  reviseSize,
  type SizeMarket,
  type SizeRequest,
  type SizeRevision,
  usdcUnits,
} from '../index.ts';

function worstLiquidationIsViable(market: SizeMarket, result: SizeRevision & { kind: 'accepted' }): boolean {
  const liquidationPricePips = liquidationPriceOf({
    principalUsdcUnits: result.size.borrowUsdcUnits,
    feesUsdcUnits: usdcUnits(0n),
    tokenUnits: result.fill.minExpectedPositionTokenUnits,
    liquidationFeeBps: market.liquidationFeeBps,
    exitBufferBps: market.exitBufferBps,
  });
  return isLiquidationViable({
    liquidationPricePips,
    entryPricePips: result.fill.entryPricePips,
    markPricePips: market.markPricePips,
  });
}

describe('reviseSize', () => {
  test('an accepted size respects every limit and never grows', () => {
    fc.assert(
      fc.property(anyRequest, anyMarket, (request, market) => {
        const result = reviseSize(request, market);
        if (result.kind !== 'accepted') return;
        const { notionalUsdPips, leverageBps: leverage, size } = result;
        expect(raw(notionalUsdPips) <= raw(request.notionalUsdPips)).toBe(true);
        expect(raw(leverage) <= raw(request.leverageBps)).toBe(true);
        expect(raw(leverage) <= raw(market.leverageLimitOf(notionalUsdPips))).toBe(true);
        expect(raw(leverage) >= raw(constants.minRevisedLeverageBps)).toBe(true);
        expect(raw(size.collateralUsdcUnits) >= raw(constants.minCollateralUsdcUnits)).toBe(true);
        expect(raw(size.collateralUsdcUnits) >= raw(market.minCollateralUsdPips) * 100n).toBe(true);
        expect(raw(notionalUsdPips) >= raw(market.minNotionalUsdPips)).toBe(true);
        if (request.minFillBps === null) {
          const clearable = clearableNotionalOf({ asks: market.asks, slippageBps: request.slippageBps });
          expect(raw(notionalUsdPips) <= raw(clearable)).toBe(true);
        }
        expect(worstLiquidationIsViable(market, result)).toBe(true);
        const isSmaller = raw(notionalUsdPips) < raw(request.notionalUsdPips);
        const isLower = raw(leverage) < raw(request.leverageBps);
        const named = {
          both: 'notional_and_leverage_reduced',
          notional: 'notional_reduced',
          leverage: 'leverage_reduced',
        };
        const revision =
          isSmaller && isLower ? named.both : isSmaller ? named.notional : isLower ? named.leverage : null;
        expect(result.revision).toBe(revision);
        if (!request.allowRevision) expect(result.revision).toBeNull();
      }),
      { numRuns: 1_000 },
    );
  });

  test('the size in a refusal is granted when resubmitted, for every code', () => {
    let hints = 0;
    fc.assert(
      fc.property(anyRequest, anyMarket, (request, market) => {
        const result = reviseSize(request, market);
        const resubmit = (change: Partial<SizeRequest>): void => {
          hints += 1;
          const again = reviseSize({ ...request, ...change }, market);
          expect(again).toMatchObject({ kind: 'accepted' });
        };
        if (result.kind === 'accepted') {
          const { notionalUsdPips, leverageBps: leverage } = result;
          const again = reviseSize({ ...request, notionalUsdPips, leverageBps: leverage }, market);
          expect(again).toMatchObject({ kind: 'accepted', revision: null, notionalUsdPips, leverageBps: leverage });
        } else if (result.code === 'QUOTE_REVISION_REQUIRED') {
          const { acceptable_leverage_bps: leverage, acceptable_notional_usd_pips: notionalUsdPips } = result.params;
          resubmit({ leverageBps: leverage, notionalUsdPips });
        } else if (
          result.code === 'quote_leverage_exceeds_maximum' ||
          result.code === 'quote_leverage_exceeds_model_max'
        ) {
          resubmit({ leverageBps: result.params.max_leverage_bps });
        } else if (result.code === 'quote_leverage_too_high_for_price') {
          resubmit({ leverageBps: result.params.max_acceptable_leverage_bps });
        }
      }),
      { numRuns: 3_000 },
    );
    expect(hints).toBeGreaterThan(100);
  });

  test('with and without revision agree on the size', () => {
    fc.assert(
      fc.property(anyRequest, anyMarket, (request, market) => {
        const strict = reviseSize({ ...request, allowRevision: false }, market);
        const lenient = reviseSize({ ...request, allowRevision: true }, market);
        if (strict.kind === 'accepted') {
          expect(lenient).toEqual(strict);
        } else if (strict.code === 'QUOTE_REVISION_REQUIRED') {
          expect(lenient).toMatchObject({
            kind: 'accepted',
            revision: strict.params.revision,
            notionalUsdPips: strict.params.acceptable_notional_usd_pips,
            leverageBps: strict.params.acceptable_leverage_bps,
          });
        }
        if (lenient.kind !== 'accepted') {
          // Codes that no revision can avoid; only these are returned with revision too.
          expect([
            'notional_selector_empty_order_book',
            'notional_selector_below_min_notional',
            'notional_selector_pregame_insufficient_liquidity',
            'notional_selector_insufficient_liquidity',
            'quote_slippage_too_high',
            'quote_liquidation_not_viable',
            'LIQUIDITY_INSUFFICIENT',
          ]).toContain(lenient.code);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('the slippage named by quote_slippage_too_high clears the minimum', () => {
    fc.assert(
      fc.property(anyRequest, anyMarket, (request, market) => {
        const result = reviseSize(request, market);
        if (result.kind === 'accepted' || result.code !== 'quote_slippage_too_high') return;
        const slippageBps = result.params.current_slippage_bps;
        expect(raw(slippageBps) > raw(request.slippageBps)).toBe(true);
        expect(raw(clearableNotionalOf({ asks: market.asks, slippageBps })) >= raw(market.minNotionalUsdPips)).toBe(
          true,
        );
      }),
    );
  });
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyMarket, anyRequest } from '../../testing/ladder.ts';
import { constants, grantedLeverageOf, raw, reviseSize, sideLeverageOf } from '../index.ts';
import { shownLeverageOf } from './shownLeverage.ts';

const { at100Usd, at500Usd, at1000Usd, at10000Usd } = constants.leverageBucketsUsdPips;

describe('grantedLeverageOf', () => {
  test('equals the leverage that the ladder grants of the maximum at this notional', () => {
    fc.assert(
      fc.property(anyRequest, anyMarket, (request, market) => {
        const atMaximum = {
          ...request,
          leverageBps: constants.maxLeverageBps,
          allowRevision: true,
          minFillBps: null,
        };
        const size = reviseSize(atMaximum, market);
        const granted = raw(grantedLeverageOf(market, request));
        const isWhole = size.kind === 'accepted' && size.notionalUsdPips === request.notionalUsdPips;
        // Below the lowest leverage of a revision the ladder grants nothing, and the market shows the remaining
        // leverage.
        const displayed = granted < raw(constants.minRevisedLeverageBps) ? null : granted;
        expect(displayed).toBe(isWhole ? raw(size.leverageBps) : null);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('shownLeverageOf', () => {
  test('uses the largest listed notional below the size, else the maximum of the side', () => {
    fc.assert(
      fc.property(anyRequest, anyMarket, ({ notionalUsdPips }, market) => {
        const side = sideLeverageOf(market);
        const rows = [
          [at10000Usd, side.at10000Usd],
          [at1000Usd, side.at1000Usd],
          [at500Usd, side.at500Usd],
          [at100Usd, side.at100Usd],
        ] as const;
        const row = rows.find(([listed]) => raw(listed) <= raw(notionalUsdPips));
        expect(shownLeverageOf(market, notionalUsdPips)).toBe(row?.[1] ?? side.maxSideBps);
      }),
    );
  });
});

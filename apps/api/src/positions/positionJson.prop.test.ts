import { policyDefaults } from '@core/policy';
import { activeStatuses, inactiveStatuses } from '@core/position';
import { sampleNowMs, samplePosition } from '@core/position/testing';
import { tokenUnits, usdcUnits } from '@core/pricing';
import type { ListedPosition } from '@core/store';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PositionView } from './observePositions.ts';
import { positionJsonWriter } from './positionJson.ts';
import { presentPosition } from './presentPosition.ts';

const anyInstant = fc.integer({ min: sampleNowMs, max: sampleNowMs + 3_600_000 });

const anyPosition: fc.Arbitrary<ListedPosition> = fc
  .record({
    status: fc.constantFrom(...activeStatuses, ...inactiveStatuses),
    riskMode: fc.constantFrom('adaptive' as const, 'committed' as const),
    tokenUnits: fc.bigInt(0n, 200_000_000n).map(tokenUnits),
    principalUsdcUnits: fc.bigInt(0n, 90_000_000n).map(usdcUnits),
    allowPartialFill: fc.constantFrom(null, true),
    openedAtMs: fc.option(anyInstant),
    closedAtMs: fc.option(anyInstant),
    closeDeferredAtMs: fc.option(anyInstant),
    marketTitle: fc.option(fc.string()),
  })
  .map(({ marketTitle, ...changes }) => ({ ...samplePosition(1, changes), marketTicker: 'btc-up', marketTitle }));

const anyMoment: fc.Arbitrary<Omit<PositionView, 'position'>> = fc.record({
  nowMs: anyInstant,
  market: fc.option(
    fc.record({
      record: fc.record({
        status: fc.constantFrom('active' as const, 'closed' as const),
        closeTimeMs: fc.option(anyInstant),
        // A payout stands for any mark, and none for a market without one.
        payoutNumerators: fc.bigInt(0n, 100n).map((yes) => [yes, 100n - yes]),
        payoutDenominator: fc.constantFrom(null, 100n),
      }),
      snapshot: fc.constant(null),
    }),
  ),
  unwinds: fc.constantFrom(null, []),
  executed: fc.constantFrom(null, []),
  ledger: fc.constantFrom(null, []),
  isBasisAsked: fc.boolean(),
  policy: fc.constant(policyDefaults),
});

test('positionJson writes a position like presentPosition, at any moment', () => {
  fc.assert(
    fc.property(anyPosition, fc.array(anyMoment, { minLength: 1, maxLength: 4 }), (position, moments) => {
      const jsonOf = positionJsonWriter('ns');
      for (const moment of moments) {
        const view = { ...moment, position };
        expect(JSON.parse(jsonOf(view))).toEqual(presentPosition(view, 'ns'));
      }
    }),
  );
});

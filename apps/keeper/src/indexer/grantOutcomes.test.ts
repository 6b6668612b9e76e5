import { hashOf, walletOf } from '@core/position/testing';
import { pricePips, tokenUnits, usdcUnits } from '@core/pricing';
import { Purpose } from '@core/vault';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { authorizedAtMs, grantOf } from '../../testing/endedGrant.ts';
import { createKeeperMetrics } from '../runner/keeperMetrics.ts';
import { countGrants, endedGrantsOf, filledGrantsOf, type GrantOutcome, grantOutcomesOf } from './grantOutcomes.ts';

test('a grant is unfilled only after its last second, and any fill makes it filled or a part', () => {
  fc.assert(
    fc.property(fc.nat(3_600), fc.bigInt({ min: 0n, max: 100n }), fc.boolean(), (seconds, filledUnits, isByFill) => {
      const [outcome] = grantOutcomesOf([
        grantOf(seconds, filledUnits, { isEndedByFill: isByFill && filledUnits > 0n }),
      ]);
      const unfilled = seconds > 12 ? 'unfilled' : 'withdrawn';
      expect(outcome).toEqual({
        purpose: 'open',
        category: 'crypto',
        result: filledUnits === 0n ? unfilled : isByFill ? 'filled' : 'part',
        endedAtMs: authorizedAtMs + seconds * 1_000,
        durationMs: seconds * 1_000,
        entryPricePips: pricePips(5_050n),
        markPricePips: pricePips(5_000n),
        usdcUnits: usdcUnits(0n),
        tokenUnits: tokenUnits(0n),
      });
    }),
  );
});

const sampleOutcome: GrantOutcome = {
  purpose: 'open',
  result: 'filled',
  category: 'crypto',
  endedAtMs: 1,
  durationMs: 1,
  entryPricePips: pricePips(5_050n),
  markPricePips: pricePips(5_000n),
  usdcUnits: usdcUnits(51n),
  tokenUnits: tokenUnits(100n),
};

test('fillers are judged by openings and forced sales that ran out, and by every fill; not by closes without one', () => {
  const outcomeOf = (purpose: GrantOutcome['purpose'], result: GrantOutcome['result']): GrantOutcome => ({
    ...sampleOutcome,
    purpose,
    result,
  });
  const purposes = ['open', 'close', 'unwind', 'liquidate'] as const;
  const judged = (result: GrantOutcome['result']) =>
    purposes.map((purpose) =>
      endedGrantsOf([outcomeOf(purpose, result)]).map(({ kind, isFilled }) => [kind, isFilled]),
    );
  expect(judged('unfilled')).toEqual([[['opening', false]], [], [['sale', false]], [['sale', false]]]);
  for (const result of ['filled', 'part'] as const) {
    expect(judged(result)).toEqual([[['opening', true]], [['sale', true]], [['sale', true]], [['sale', true]]]);
  }
  expect(judged('withdrawn')).toEqual([[], [], [], []]);
});

test('costs are measured of openings and closes of users that were filled, whole or in part, in a listed market', () => {
  const purposes = ['open', 'close', 'unwind', 'liquidate'] as const;
  const measuredOf = (changes: Partial<GrantOutcome>) =>
    filledGrantsOf(purposes.map((purpose) => ({ ...sampleOutcome, purpose, ...changes })));
  for (const result of ['filled', 'part'] as const) {
    const grant = { category: 'crypto', usdcUnits: usdcUnits(51n), tokenUnits: tokenUnits(100n) };
    expect(measuredOf({ result })).toEqual([
      // From the entry price of its quote, not from the lower mark.
      { ...grant, kind: 'opening', referencePricePips: pricePips(5_050n) },
      { ...grant, kind: 'sale', referencePricePips: pricePips(5_000n) },
    ]);
  }
  expect(measuredOf({ result: 'unfilled', tokenUnits: tokenUnits(0n) })).toEqual([]);
  expect(measuredOf({ category: 'unlisted' })).toEqual([]);
  expect(measuredOf({ entryPricePips: pricePips(0n) })).toMatchObject([{ kind: 'sale' }]);
});

test('the fills of a grant are added up, fee part included', () => {
  const fills = [1n, 2n].map((part) => ({
    positionKey: hashOf(2),
    filler: walletOf(3),
    purpose: Purpose.Open,
    usdcUnits: 26n * part,
    tokenUnits: 50n * part,
    feeUsdcUnits: part,
  }));
  expect(filledGrantsOf(grantOutcomesOf([grantOf(4, 75n, { isEndedByFill: true, fills })]))).toMatchObject([
    { kind: 'opening', usdcUnits: usdcUnits(78n), tokenUnits: tokenUnits(150n) },
  ]);
});

test('an unreadable row is left out, and a position without a listed market has no category', async () => {
  const metrics = createKeeperMetrics();
  const grants = [
    grantOf(13, 0n, { arguments: null }),
    grantOf(13, 0n, { authorization: { endsAt: 'soon' } }),
    grantOf(13, 0n, { category: null }),
    grantOf(4, 100n, { isEndedByFill: true }),
  ];
  countGrants(grants, metrics);
  expect((await metrics.endedGrants.get()).values.map(({ labels, value }) => [labels, value])).toEqual([
    [{ purpose: 'open', category: 'unlisted', outcome: 'unfilled' }, 1],
    [{ purpose: 'open', category: 'crypto', outcome: 'filled' }, 1],
  ]);
  const { values } = await metrics.fillSeconds.get();
  expect(values.filter(({ metricName }) => metricName === 'keeper_fill_seconds_sum').map(({ value }) => value)).toEqual(
    [4],
  );
});

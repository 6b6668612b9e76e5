import { type MarketStatus, marketFactsOf, plainOverlayOf, unseenMarketOf } from '@core/market';
import { sampleVenueMarket } from '@core/market/testing';
import { policyDefaults } from '@core/policy';
import { sampleNowMs, samplePosition } from '@core/position/testing';
import { pricePips } from '@core/pricing';
import type { EventMarket, MarketEventRecord } from '@core/store';
import type { MarketWire } from '@core/wire';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ObservedMarket } from '../markets/marketDirectory.ts';
import { marketDataOf, positionDataOf } from './eventBody.ts';

const stages = ['closed', 'determined', 'paid'] as const;
type Stage = (typeof stages)[number];

/** Return a market that YES has won, as its record is at a stage. */
function marketAt(stage: Stage): EventMarket {
  const paid = { payoutNumerators: [1n, 0n], payoutDenominator: 1n };
  const unpaid = { payoutNumerators: [], payoutDenominator: null };
  return {
    ticker: 'btc-up',
    title: null,
    status: stage === 'closed' ? 'closed' : stage === 'paid' ? 'finalized' : 'determined',
    closeTimeMs: null,
    ...(stage === 'paid' ? paid : unpaid),
  };
}

/** Return the market as the process observes it at a stage, with a last mid of 73 cents. */
function observedAt(stage: Stage): ObservedMarket {
  const record = marketAt(stage);
  const won = { resolutionStatus: 'resolved', outcomePricePips: [pricePips(10_000n), pricePips(0n)] } as const;
  const venueMarket = sampleVenueMarket('btc-up', sampleNowMs, stage === 'closed' ? {} : won);
  const facts = marketFactsOf(venueMarket, plainOverlayOf('mkt_1', record.status), new Set(['BTC']));
  const market = unseenMarketOf(facts, sampleNowMs);
  const snapshot = { ...market, yes: { ...market.yes, lastMidPricePips: pricePips(7_300n) } };
  return { record: record as ObservedMarket['record'], snapshot };
}

const dataOf = (market: EventMarket, observed: ObservedMarket | null) =>
  positionDataOf(
    {
      id: 'evt_1',
      type: 'position.updated',
      partnerId: 'ptn_1',
      walletAddress: '0x1',
      positionId: 'pos_1',
      marketId: 'mkt_1',
      payload: { position: samplePosition(1), market },
      createdAtMs: sampleNowMs,
      transactionId: 1n,
      sequence: 1n,
    },
    { findMarket: () => Promise.resolve(observed), policy: policyDefaults, idNamespace: '' },
  );

test('event of a position: its market is determined exactly when its mark is the outcome', async () => {
  const anyStage = fc.constantFrom(...stages);
  await fc.assert(
    fc.asyncProperty(anyStage, anyStage, async (ofEvent, ofProcess) => {
      const data = await dataOf(marketAt(ofEvent), observedAt(ofProcess));
      const figures = 'current' in data ? [data.timing.market_status, data.current.mark_price_usd_pips] : [];
      expect([
        ['closed', '7300'],
        ['determined', '10000'],
        ['finalized', '10000'],
      ]).toContainEqual(figures);
    }),
  );
});

test('event of a position: each record, snapshot and payouts → a determined market has the mark of its outcome', async () => {
  const anyRecord = fc.record({
    status: fc.constantFrom('active', 'closed', 'determined', 'finalized', 'disputed' as const),
    payouts: fc.constantFrom(null, [1n, 0n], [0n, 1n], [1n, 1n]),
  });
  const recordOf = ({
    status,
    payouts,
  }: {
    readonly status: MarketStatus;
    readonly payouts: readonly bigint[] | null;
  }) => ({
    ...marketAt('closed'),
    status,
    payoutNumerators: payouts ?? [],
    payoutDenominator: payouts === null ? null : payouts.reduce((sum: bigint, one) => sum + one, 0n),
  });
  const statuses = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      anyRecord,
      fc.option(fc.tuple(anyRecord, fc.option(fc.constantFrom(...stages)))),
      async (ofEvent, stored) => {
        const record = stored && (recordOf(stored[0]) as Partial<ObservedMarket['record']> as ObservedMarket['record']);
        const stage = stored?.[1] ?? null;
        const snapshot = stage && observedAt(stage).snapshot;
        const data = await dataOf(recordOf(ofEvent), record && { record, snapshot });
        const [status, mark] =
          'current' in data ? [data.timing.market_status, data.current.mark_price_usd_pips] : ['', ''];
        const isDetermined = status === 'determined' || status === 'finalized';
        statuses.add(status);
        expect(!isDetermined || ['0', '5000', '10000'].includes(mark), `${status} ${mark}`).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
  expect([...statuses].toSorted()).toEqual(['active', 'closed', 'determined', 'disputed', 'finalized']);
});

test('event of a position, replayed: its market was final long ago → its outcome, read again', async () => {
  const data = await dataOf({ ...marketAt('closed'), status: 'active' }, observedAt('paid'));
  expect('current' in data && [data.timing.market_status, data.current.mark_price_usd_pips]).toEqual([
    'finalized',
    '10000',
  ]);
});

test('event of a market: a renamed outcome of NO is among the changes', () => {
  const record: MarketEventRecord = {
    id: 'evt_1',
    type: 'market.updated',
    partnerId: null,
    walletAddress: null,
    positionId: null,
    marketId: 'mkt_1',
    payload: { ticker: 'btc-up', changed: ['noSubTitle'], version: 1n },
    createdAtMs: sampleNowMs,
    transactionId: 1n,
    sequence: 1n,
  };
  const wire = { ticker: 'btc-up', yes_sub_title: 'Up', no_sub_title: 'Down' } as MarketWire;
  expect(marketDataOf(record, wire)).toEqual({ ticker: wire.ticker, no_sub_title: 'Down' });
});

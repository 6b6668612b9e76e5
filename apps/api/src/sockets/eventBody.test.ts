import { marketFactsOf, plainOverlayOf, unseenMarketOf } from '@core/market';
import { sampleVenueMarket } from '@core/market/testing';
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

test('event of a position: its market is determined exactly when its mark is the outcome', () => {
  const anyStage = fc.constantFrom(...stages);
  fc.assert(
    fc.property(anyStage, anyStage, (ofEvent, ofProcess) => {
      const payload = { position: samplePosition(1), market: marketAt(ofEvent) };
      const data = positionDataOf(
        {
          id: 'evt_1',
          type: 'position.updated',
          partnerId: 'ptn_1',
          walletAddress: '0x1',
          positionId: 'pos_1',
          marketId: 'mkt_1',
          payload,
          createdAtMs: sampleNowMs,
          transactionId: 1n,
          sequence: 1n,
        },
        { markets: { remembered: () => observedAt(ofProcess) }, idNamespace: '' },
      );
      const figures = 'current' in data ? [data.timing.market_status, data.current.mark_price_usd_pips] : [];
      expect([
        ['closed', '7300'],
        ['determined', '10000'],
        ['finalized', '10000'],
      ]).toContainEqual(figures);
    }),
  );
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

import { marketFactsOf, plainOverlayOf, unseenMarketOf } from '@core/market';
import { sampleVenueMarket } from '@core/market/testing';
import { policyDefaults } from '@core/policy';
import { sampleNowMs, samplePosition } from '@core/position/testing';
import { pricePips, tokenUnits } from '@core/pricing';
import { expect, test } from 'vitest';
import type { ShownMarket } from './observePositions.ts';
import { presentPosition, valueView } from './presentPosition.ts';

const unreported = { payoutNumerators: [], payoutDenominator: null };
const reportedNo = { payoutNumerators: [0n, 1n], payoutDenominator: 1n };

/** The mark of a YES position in a market without a book, which the venue resolved at a price of YES. */
function markOf(yesPips: bigint, payouts: Pick<ShownMarket['record'], keyof typeof reportedNo>) {
  const resolved = sampleVenueMarket('btc-up', sampleNowMs, {
    resolutionStatus: 'resolved',
    outcomePricePips: [pricePips(yesPips), pricePips(10_000n - yesPips)],
  });
  const facts = marketFactsOf(resolved, plainOverlayOf('mkt_1', 'determined'), new Set(['BTC']));
  const market = unseenMarketOf(facts, sampleNowMs);
  const figures = valueView({
    position: { ...samplePosition(1), marketTicker: 'btc-up', marketTitle: null },
    market: {
      record: { status: 'determined', closeTimeMs: null, ...payouts },
      snapshot: { ...market, yes: { ...market.yes, lastMidPricePips: pricePips(7_300n) } },
    },
    nowMs: sampleNowMs,
    unwinds: null,
    executed: null,
    ledger: null,
    isBasisAsked: false,
    policy: policyDefaults,
  });
  return figures.kind === 'open' ? figures.current.markPricePips : null;
}

test.each([
  ['a determined win is marked at 1 before its payout is on chain', 10_000n, unreported, 10_000n],
  ['a determined loss is marked at 0 before its payout is on chain', 0n, unreported, 0n],
  ['a determined void is marked at one half', 5_000n, unreported, 5_000n],
  ['the payout on chain counts before what the venue determined', 10_000n, reportedNo, 0n],
  ['prices that are no payout leave the last mid', 9_700n, unreported, 7_300n],
])('%s', (...[, yesPips, payouts, expected]) => {
  expect(markOf(yesPips, payouts)).toBe(expected);
});

test.each([
  ['a rest below the smallest order awaits settlement', 2_070_000n, 5_000n, 'awaiting_settlement'],
  ['five tokens at two cents are worth less than the gas of a fill', 5_000_000n, 200n, 'awaiting_settlement'],
  ['five tokens at fifty cents are sold', 5_000_000n, 5_000n, 'none'],
])('%s', (...[, tokens, bid, state]) => {
  const tick = pricePips(10n);
  const record = sampleVenueMarket('btc-up', sampleNowMs, { tickPricePips: tick });
  const market = unseenMarketOf(
    marketFactsOf(record, plainOverlayOf('mkt_1', 'active'), new Set(['BTC'])),
    sampleNowMs,
  );
  const level = (price: bigint) => ({ pricePips: pricePips(price), sizeTokenUnits: tokenUnits(10n ** 10n) });
  const book = { bids: [level(bid)], asks: [level(bid + 10n)] };
  const wire = presentPosition(
    {
      position: { ...samplePosition(1, { tokenUnits: tokenUnits(tokens) }), marketTicker: 'btc-up', marketTitle: null },
      market: {
        record: { status: 'active', closeTimeMs: null, ...unreported },
        snapshot: { ...market, yes: { ...market.yes, book, bookAgeMs: 0, priceAgeMs: 0 } },
      },
      nowMs: sampleNowMs,
      unwinds: null,
      executed: null,
      ledger: null,
      isBasisAsked: false,
      policy: { ...policyDefaults, openingRoute: 'fill' },
    },
    'ns',
  );
  expect('timing' in wire && wire.timing.settlement_state).toBe(state);
});

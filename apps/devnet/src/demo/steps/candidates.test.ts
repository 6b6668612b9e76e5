import { expect, test } from 'vitest';
import { bestCandidate, type Candidate, type CandidateMarket, candidatesOf } from './candidates.ts';

const eligible = { accepting_new_positions: true, rejection_reason_code: null };
const ineligible = { accepting_new_positions: false, rejection_reason_code: 'QUOTE_ENTRY_DEPTH_TOO_LOW' } as const;

const pipsText = (pips: number) => ({ pips: String(pips), usd: (pips / 10_000).toFixed(4) });

/** Return prices of a market with a YES price and a spread of one cent; NO costs the rest of a dollar. */
function pricesOf(yesPips: number): NonNullable<CandidateMarket['prices']> {
  const [yesAsk, yesBid] = [pipsText(yesPips), pipsText(yesPips - 100)];
  const [noAsk, noBid] = [pipsText(10_100 - yesPips), pipsText(10_000 - yesPips)];
  return {
    yes_ask_price_usd: yesAsk.usd,
    yes_ask_price_usd_pips: yesAsk.pips,
    yes_bid_price_usd: yesBid.usd,
    yes_bid_price_usd_pips: yesBid.pips,
    no_ask_price_usd: noAsk.usd,
    no_ask_price_usd_pips: noAsk.pips,
    no_bid_price_usd: noBid.usd,
    no_bid_price_usd_pips: noBid.pips,
  };
}

/** Return a market that accepts positions until an hour of the day. */
const marketOf = (ticker: string, yesPips: number, untilHour: number): CandidateMarket => ({
  ticker,
  event: { ticker: `event-of-${ticker}`, title: ticker, series_ticker: null },
  sided_eligibility: { yes: eligible, no: eligible },
  leverage: { max_yes_bps: 80_000, max_no_bps: 25_000 },
  prices: pricesOf(yesPips),
  latest_enter_at: `2026-01-01T${String(untilHour).padStart(2, '0')}:00:00.000Z`,
});

const noneUsed = new Set<string>();
const even = { nearPips: 5_000 };

test('candidatesOf: lists sides that accept positions, at three times at most, highest leverage first', () => {
  const market = marketOf('a', 6_000, 12);
  expect(candidatesOf(market)).toEqual([
    { market, side: 'yes', leverageBps: 30_000, askPips: 6_000 },
    { market, side: 'no', leverageBps: 25_000, askPips: 4_100 },
  ]);
  expect(candidatesOf({ ...market, sided_eligibility: { yes: ineligible, no: eligible } })).toMatchObject([
    { side: 'no' },
  ]);
});

test('bestCandidate: prefers the longest open market near the price, and uses each market once', () => {
  const markets = [marketOf('soon', 5_000, 11), marketOf('long', 5_400, 16), marketOf('dear', 7_200, 20)];
  expect(bestCandidate(markets, even, noneUsed)).toMatchObject({ market: { ticker: 'long' } });
  expect(bestCandidate(markets, even, new Set(['long']))).toMatchObject({ market: { ticker: 'soon' } });
  expect(bestCandidate(markets, { nearPips: 7_000 }, noneUsed)).toMatchObject({ market: { ticker: 'dear' } });
  expect(bestCandidate(markets, even, new Set(['long', 'soon', 'dear']))).toBeNull();
});

test('bestCandidate: keeps to the wanted side and price range', () => {
  const markets = [marketOf('cheap', 900, 20), marketOf('near', 4_500, 11)];
  const no = { nearPips: 5_000, isWanted: ({ side }: Candidate) => side === 'no' };
  expect(bestCandidate(markets, no, noneUsed)).toMatchObject({ market: { ticker: 'near' }, side: 'no' });
  expect(bestCandidate(markets, even, new Set(['near']))).toBeNull();
  expect(bestCandidate([{ ...marketOf('unpriced', 5_000, 12), prices: null }], even, noneUsed)).toBeNull();
});

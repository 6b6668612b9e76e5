import { exchangeOf } from '@core/market';
import { describe, expect, test } from 'vitest';
import { marketOfTest } from '../../testing/fakeVenue.ts';
import { parseMarketRecord } from './parseMarketRecord.ts';

const sport = { gameStartTime: '2026-02-07 15:00:00+00', endDate: '2026-02-07T15:00:00Z', clobTokenIds: '["1","2"]' };

describe('what the venue writes oddly', () => {
  test('lists inside strings, plain lists, and lists of numbers', () => {
    for (const clobTokenIds of ['["11", "12"]', ['11', '12'], '[11, 12]']) {
      expect(marketOfTest({ clobTokenIds }).tokenIds).toEqual({ yes: '11', no: '12' });
    }
  });

  test('token ids beyond what a JavaScript number holds, inside a string without quotes', () => {
    const yes = '72690798903588392269001731007662425920353908498880709179939493847828858696064';
    expect(marketOfTest({ clobTokenIds: `[${yes}, 2]` }).tokenIds).toEqual({ yes, no: '2' });
  });

  test.each([
    ['one token', '["1"]'],
    ['three tokens', '["1","2","3"]'],
    ['twice the same', '["1","1"]'],
    ['zero', '["0","1"]'],
    ['not decimal', '["0x1","2"]'],
    ['beyond 256 bits', `["${2n ** 256n}","2"]`],
  ])('%s is no pair of tokens', (_name, clobTokenIds) => {
    expect(marketOfTest({ clobTokenIds }).tokenIds).toBeNull();
  });

  test('ticks, sizes and prices as numbers or text', () => {
    expect(
      marketOfTest({ orderPriceMinTickSize: '0.0001', orderMinSize: '15.5', bestBid: '0.3', bestAsk: 0.31 }),
    ).toMatchObject({
      tickPricePips: 1n,
      minOrderTokenUnits: 15_500_000n,
      bestBidPricePips: 3_000n,
      bestAskPricePips: 3_100n,
    });
    expect(marketOfTest({ bestBid: 0, bestAsk: 1, volume24hr: 12.34567, openInterest: '7' })).toMatchObject({
      bestBidPricePips: null,
      bestAskPricePips: null,
      volume24hUsdPips: 123_456n,
      openInterestUsdPips: 70_000n,
    });
    expect(marketOfTest({ outcomePrices: '["0", "1"]' }).outcomePricePips).toEqual([0n, 10_000n]);
  });

  test('a blank in an instant and a bare zone', () => {
    expect(marketOfTest({ closedTime: '2026-07-24 00:00:16+00' }).closedTimeMs).toBe(
      Date.parse('2026-07-24T00:00:16Z'),
    );
  });

  test('nonsense in fields that only inform counts as absent', () => {
    expect(
      marketOfTest({ volume24hr: {}, lastTradePrice: 'soon', events: 'none', closedTime: 5, groupItemTitle: 7 }),
    ).toMatchObject({
      volume24hUsdPips: null,
      lastTradePricePips: null,
      event: null,
      closedTimeMs: null,
      yesSubTitle: 'Up',
    });
  });

  test('condition ids are lower-cased, and absent when they are none', () => {
    expect(marketOfTest({ conditionId: `0x${'AB'.repeat(32)}` }).conditionId).toBe(`0x${'ab'.repeat(32)}`);
    expect(marketOfTest({ conditionId: '0xabc' }).conditionId).toBeNull();
  });
});

describe('meaning of the outcomes', () => {
  test.each<[string, Readonly<Record<string, unknown>>, readonly [string, string]]>([
    ['names win over the line', { outcomes: '["Over", "Under"]', groupItemTitle: 'O/U 2.5' }, ['Over', 'Under']],
    ['a plain Yes has the title in its event', { outcomes: '["Yes", "No"]', groupItemTitle: 'Draw' }, ['Draw', 'No']],
    ['a plain Yes without a title stays Yes', { outcomes: '["Yes", "No"]', groupItemTitle: '' }, ['Yes', 'No']],
    ['a record without names is Yes and No', { outcomes: null }, ['Yes', 'No']],
    ['an empty name is none', { outcomes: '["", ""]' }, ['Yes', 'No']],
    ['a long name is cut', { outcomes: JSON.stringify(['🌧'.repeat(200), 'Dry']) }, [`${'🌧'.repeat(119)}…`, 'Dry']],
  ])('%s', (_name, changes, [yes, no]) => {
    const { yesSubTitle, outcomes } = marketOfTest(changes);
    expect([yesSubTitle, outcomes[1]]).toEqual([yes, no]);
  });

  test('rules keep their lines and lose control characters', () => {
    expect(marketOfTest({ description: ' First\u0000.\r\n\n\u202eSecond\u001b[31m. ' }).rules).toBe(
      'First.\n\nSecond[31m.',
    );
    expect(marketOfTest({ description: 'x'.repeat(20_000) }).rules).toBe(`${'x'.repeat(9_999)}…`);
  });

  test('the source is that of the record, else that of its event', () => {
    const events = [{ slug: 'event', resolutionSource: 'https://event.example' }];
    expect(marketOfTest({ resolutionSource: 'the league\n', events }).resolutionSource).toBe('the league');
    expect(marketOfTest({ resolutionSource: '', events }).resolutionSource).toBe('https://event.example');
  });

  test('a record without rules and source has null in both', () => {
    expect(marketOfTest({ description: ' ', resolutionSource: null, events: null })).toMatchObject({
      rules: null,
      resolutionSource: null,
    });
  });
});

describe('records that are not listed', () => {
  test.each<[string, unknown, string]>([
    ['no object', 7, 'malformed'],
    ['no slug', { question: 'q' }, 'malformed'],
    ['an empty slug', { slug: '' }, 'malformed'],
    ['a flag that is no flag', { closed: 'no' }, 'malformed'],
    ['a negative-risk flag that is no flag', { negRisk: 'maybe' }, 'malformed'],
    ['outcomes that are no list', { outcomes: 'Yes, No' }, 'malformed'],
    ['one outcome', { outcomes: '["Yes"]' }, 'not_binary'],
    ['a tick finer than a pip', { orderPriceMinTickSize: 0.000_05 }, 'grid_unreadable'],
    ['a tick of zero', { orderPriceMinTickSize: 0 }, 'grid_unreadable'],
    ['a size that cannot be read', { orderMinSize: 'five' }, 'grid_unreadable'],
    ['no version', { version: undefined }, 'version_missing'],
    ['an empty version', { version: '' }, 'version_missing'],
    ['a later version', { version: 'v3' }, 'version_unknown'],
    ['a version in other letters', { version: 'V1' }, 'version_unknown'],
    ['a number for a version', { version: 1 }, 'malformed'],
  ])('%s', (_name, changes, problem) => {
    const isRecord = typeof changes === 'object' && !('question' in (changes ?? {}));
    const record = isRecord ? { slug: 's', version: 'v1', ...changes } : changes;
    expect(parseMarketRecord(record)).toMatchObject({ kind: 'unreadable', problem });
  });
});

describe('versions of a market', () => {
  const both = { clobTokenIds: '["1","2"]', positionIds: ['3', '4'] };
  const short = `0x${'c0'.repeat(31)}`;

  test.each([
    ['v1', { yes: '1', no: '2' }],
    ['v2', { yes: '3', no: '4' }],
  ])('%s decides which ids count when a record has both', (version, tokenIds) => {
    expect(marketOfTest({ ...both, version })).toMatchObject({ version, tokenIds });
  });

  test('v2 without position ids has no tokens', () => {
    expect(marketOfTest({ version: 'v2' }).tokenIds).toBeNull();
  });

  test.each([
    ['v1', `0x${'c0'.repeat(32)}`, `0x${'c0'.repeat(32)}`],
    ['v1', short, null],
    ['v2', short, `${short}00`],
    ['v2', `${short}00`, `${short}00`],
    ['v2', `0x${'c0'.repeat(32)}`, null],
  ])('a condition id of %s written %s is %s', (version, conditionId, expected) => {
    expect(marketOfTest({ ...both, version, conditionId }).conditionId).toBe(expected);
  });

  test.each([
    ['v1', false, 'ctf_exchange'],
    ['v1', true, 'neg_risk_ctf_exchange'],
    ['v2', false, 'exchange_v3'],
    ['v2', true, 'exchange_v3'],
  ])('orders of %s, neg-risk %s, are matched on %s', (version, negRisk, exchange) => {
    expect(exchangeOf(marketOfTest({ ...both, version, negRisk }))).toBe(exchange);
  });
});

describe('on the safe side', () => {
  test('absent flags count as false, closed as true', () => {
    const parsed = parseMarketRecord({ slug: 's', version: 'v1' });
    expect(parsed).toMatchObject({
      kind: 'market',
      market: {
        isActive: false,
        isClosed: true,
        isArchived: false,
        isAcceptingOrders: false,
        hasOrderBook: false,
        venueFeeSchedule: null,
        category: 'unsupported',
      },
    });
  });

  test('a market that does not say but names a neg-risk market is one', () => {
    expect(marketOfTest({ negRisk: undefined, negRiskMarketID: '0x12' }).isNegRisk).toBe(true);
    expect(marketOfTest({ negRisk: undefined, negRiskMarketID: '' }).isNegRisk).toBe(false);
  });

  test.each<[string, Readonly<Record<string, unknown>>, unknown]>([
    ['off', { feesEnabled: false, feeSchedule: { rate: 0.07, exponent: 1 } }, { ratePpm: 0n, exponent: 1n }],
    ['on', { feesEnabled: true, feeSchedule: { rate: 0.07, exponent: 1 } }, { ratePpm: 70_000n, exponent: 1n }],
    [
      'as text',
      { feesEnabled: true, feeSchedule: { rate: '0.25', exponent: '2' } },
      { ratePpm: 250_000n, exponent: 2n },
    ],
    [
      'not said, with a schedule',
      { feesEnabled: undefined, feeSchedule: { rate: 0.03, exponent: 1 } },
      { ratePpm: 30_000n, exponent: 1n },
    ],
    ['not said at all', { feesEnabled: undefined }, null],
    ['on without a schedule', { feesEnabled: true, takerBaseFee: 1000 }, null],
    ['a rate above one', { feesEnabled: true, feeSchedule: { rate: 1000, exponent: 1 } }, null],
    ['a negative rate', { feesEnabled: true, feeSchedule: { rate: -0.01, exponent: 1 } }, null],
    ['a rate finer than a millionth', { feesEnabled: true, feeSchedule: { rate: 0.000_000_1, exponent: 1 } }, null],
    ['half an exponent', { feesEnabled: true, feeSchedule: { rate: 0.07, exponent: 0.5 } }, null],
    ['a large exponent', { feesEnabled: true, feeSchedule: { rate: 0.07, exponent: 5 } }, null],
    ['no exponent', { feesEnabled: true, feeSchedule: { rate: 0.07 } }, null],
  ])('fees %s', (_name, record, schedule) => {
    expect(marketOfTest(record).venueFeeSchedule).toEqual(schedule);
  });
});

describe('what a market is about', () => {
  test.each([
    ['series', { slug: 'x', events: [{ slug: 'e', series: [{ slug: 'xrp-up-or-down-hourly' }] }] }, 'XRP'],
    ['slug', { slug: 'will-solana-reach-110' }, 'SOL'],
    ['resolution source', { slug: 'x', resolutionSource: 'https://data.example/streams/eth-usd' }, 'ETH'],
  ])('an asset named by the %s', (_name, record, cryptoAsset) => {
    expect(marketOfTest(record)).toMatchObject({ category: 'crypto', cryptoAsset, sport: null });
  });

  test.each(['doge-cuts-spending', 'solar-eclipse', 'ethernet-outage', 'nvda-up-or-down'])(
    '%s names no asset',
    (slug) => {
      expect(marketOfTest({ slug })).toMatchObject({ category: 'unsupported', cryptoAsset: null, cryptoCadence: null });
    },
  );

  test('which assets there are is configuration', () => {
    const parsed = parseMarketRecord({ slug: 'dogecoin-up', version: 'v1' }, { cryptoAssets: { DOGE: ['dogecoin'] } });
    expect(parsed).toMatchObject({ market: { cryptoAsset: 'DOGE' } });
  });

  test.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:05:00Z', 'btc-hourly', 'five_minute'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:15:00Z', 'btc', 'fifteen_minute'],
    ['2026-01-01T00:00:00Z', '2026-01-01T04:00:00Z', 'btc', 'hourly'],
    ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', 'btc', 'daily'],
    [undefined, '2026-01-02T00:00:00Z', 'btc-updown-5m-1', 'five_minute'],
    [undefined, '2026-01-02T00:00:00Z', 'btc-updown-15m-1', 'fifteen_minute'],
    [undefined, undefined, 'btc-multistrike-4h-1', 'hourly'],
    [undefined, undefined, 'btc-above-70k', 'daily'],
  ])('span %s to %s of %s is %s', (...[eventStartTime, endDate, slug, cadence]) => {
    expect(marketOfTest({ slug, eventStartTime, endDate }).cryptoCadence).toBe(cadence);
  });

  test.each([
    ['atp-a-b-2026-01-01', null, 'tennis'],
    ['aec-ttelite-a-b', null, 'table_tennis'],
    ['mlb-a-b', null, 'baseball'],
    ['epl-a-b', null, 'soccer'],
    ['nhl-a-b', null, 'ice_hockey'],
    ['cs2-a-b', null, 'esport'],
    ['crwncl-a-b', 'womens-national-cricket-league', 'cricket'],
    ['xyz-a-b', 'premier-league-2025', 'soccer'],
    ['xyz-a-b', 'table-tennis-world', 'table_tennis'],
    ['ufc-a-b', 'ufc', 'other'],
  ])('%s of series %s is %s', (slug, series, sportName) => {
    const events = [{ slug: 'e', series: series === null ? [] : [{ slug: series }] }];
    expect(marketOfTest({ ...sport, slug, events })).toMatchObject({
      category: 'sport',
      sport: sportName,
      cryptoAsset: null,
    });
  });

  test.each([
    ['moneyline', '["Pistons","76ers"]', false, 'winner'],
    ['moneyline', '["Yes","No"]', true, 'three_way_winner'],
    ['moneyline', '["Yes","No"]', false, 'three_way_winner'],
    [undefined, '["Reds","Royals"]', false, 'winner'],
    [undefined, '["Yes","No"]', true, 'three_way_winner'],
    [undefined, '["Yes","No"]', false, 'prop'],
    [undefined, '["Over","Under"]', false, 'total'],
    ['spreads', '["A","B"]', false, 'spread'],
    ['map_handicap', '["A","B"]', false, 'spread'],
    ['tennis_match_totals', '["Over","Under"]', false, 'total'],
    ['first_half_moneyline', '["A","B"]', false, 'prop'],
    ['child_moneyline', '["A","B"]', false, 'prop'],
    ['tennis_first_set_winner', '["A","B"]', false, 'prop'],
  ])('a line %s between %s (neg-risk %s) is a %s', (...[sportsMarketType, outcomes, negRisk, line]) => {
    expect(marketOfTest({ ...sport, slug: 'nba-a-b', sportsMarketType, outcomes, negRisk }).sportLine).toBe(line);
  });

  test('any one sign makes a game: a type, a start, or a score', () => {
    const signs = [
      { sportsMarketType: 'moneyline' },
      { gameStartTime: '2026-02-07 15:00:00+00' },
      { events: [{ slug: 'e', score: '1-0' }] },
      { events: [{ slug: 'e', live: false }] },
    ];
    expect(signs.map((sign) => marketOfTest(sign).category)).toEqual(['sport', 'sport', 'sport', 'sport']);
    expect(marketOfTest({ events: [{ slug: 'e' }] }).category).toBe('crypto');
  });

  test('a game ends after its typical length unless the record says later', () => {
    const startMs = Date.parse('2026-02-07T15:00:00Z');
    expect(marketOfTest({ ...sport, slug: 'atp-a-b' })).toMatchObject({
      closeTimeMs: startMs + 112 * 60_000,
      typicalLengthMs: 112 * 60_000,
    });
    expect(marketOfTest({ ...sport, slug: 'atp-a-b', endDate: '2026-02-14T15:00:00Z' }).closeTimeMs).toBe(
      Date.parse('2026-02-14T15:00:00Z'),
    );
    expect(marketOfTest({ ...sport, slug: 'atp-a-b', endDate: undefined }).closeTimeMs).toBe(startMs + 112 * 60_000);
    expect(marketOfTest({ endDate: undefined }).closeTimeMs).toBeNull();
  });

  test('the resolution status is the single field’s, else the last of the list', () => {
    expect(marketOfTest({ umaResolutionStatus: 'Disputed' }).resolutionStatus).toBe('disputed');
    expect(marketOfTest({ umaResolutionStatuses: '["proposed","disputed","proposed"]' }).resolutionStatus).toBe(
      'proposed',
    );
    expect(marketOfTest({ umaResolutionStatuses: '[]' }).resolutionStatus).toBe('none');
    expect(marketOfTest({ umaResolutionStatus: 'pondering' }).resolutionStatus).toBe('none');
  });
});

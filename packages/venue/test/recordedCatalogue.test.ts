import { type CryptoSettlement, marketFactsOf, observedStatusOf, type VenueMarket } from '@core/market';
import { raw } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import { checkIdentity } from '../src/market/checkIdentity.ts';
import { parseMarketRecord } from '../src/market/parseMarketRecord.ts';
import { parseExactJson } from '../src/text/exactJson.ts';
import { hasRecordedData, readRecorded } from '../testing/recordedData.ts';

interface RecordLabel {
  readonly slug: string;
  readonly negRisk?: boolean;
  readonly feesEnabled: boolean;
  readonly feeSchedule?: unknown;
  readonly orderPriceMinTickSize: string;
  readonly clobTokenIds: string;
  readonly endDate?: string;
  readonly closed: boolean;
}

const collateralToken = '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174';
const oracles = [
  '0x6A9D222616C90FcA5754cd1333cFD9b7fb6a4F74',
  '0x157Ce2d672854c848c9b79C49a8Cc6cc89176a49',
  '0x65070BE91477460D8A7AeEb94ef92fe056C2f2A7',
] as const;

/** Both ways a record can arrive: numbers as JavaScript numbers, or as the text they were written in. */
const readings: readonly (readonly [string, (text: string) => unknown])[] = [
  ['plain JSON', JSON.parse],
  ['exact JSON', parseExactJson],
];

const read = (parse: (text: string) => unknown) => {
  const records = parse(readRecorded('venue/markets.json')) as readonly RecordLabel[];
  const markets = records.map((record) => {
    const parsed = parseMarketRecord({ ...record, version: 'v1' });
    if (parsed.kind === 'unreadable') {
      throw new Error(`${parsed.slug}: ${parsed.reason}`);
    }
    return parsed.market;
  });
  return { records, markets };
};

/** Slugs of crypto markets by the rule that settles them. */
const settlementFamilies: readonly (readonly [CryptoSettlement, RegExp])[] = [
  ['averaged_ends', /-updown-|-up-or-down-(5m|15m)/],
  ['hourly_candle', /-up-or-down-.*-\d+(am|pm)-et$/],
  ['noon_candle', /-up-or-down-on-|-above-|-price-of-\w+-be-(?!.*-at-\d+pm-et$)/],
];

/** The label the collectors of the records added. */
const kindOf = (record: object | undefined): unknown => Reflect.get(record ?? {}, '_kind');

const countBy = (markets: readonly VenueMarket[], keyOf: (market: VenueMarket, index: number) => string) =>
  Object.fromEntries(
    [
      ...Map.groupBy(
        markets.map((market, index) => keyOf(market, index)),
        (key) => key,
      ),
    ].map(([key, all]) => [key, all.length]),
  );

describe.runIf(hasRecordedData)('recorded catalogue', () => {
  for (const [name, parse] of readings) {
    test(`${name}: all 525 records are read, none loses its identity`, () => {
      const { records, markets } = read(parse);
      expect(markets).toHaveLength(525);
      expect(new Set(markets.map(({ ticker }) => ticker)).size).toBe(525);
      for (const [index, market] of markets.entries()) {
        const tokens = JSON.parse(records[index]?.clobTokenIds ?? '[]') as readonly string[];
        expect([market.tokenIds?.yes, market.tokenIds?.no]).toEqual(tokens);
        expect(market.conditionId).toMatch(/^0x[0-9a-f]{64}$/);
        expect(market.title).not.toBe('');
        expect(market.isClosed).toBe(records[index]?.closed);
      }
    });

    test(`${name}: categories follow the recorded kinds`, () => {
      const { records, markets } = read(parse);
      expect(countBy(markets, (market, index) => `${kindOf(records[index])} → ${market.category}`)).toEqual({
        'crypto_price → crypto': 35,
        'crypto_updown → crypto': 78,
        // A share, which no reference feed here knows.
        'crypto_updown → unsupported': 1,
        'sport_game → sport': 129,
        'sport_future → unsupported': 92,
        'other → unsupported': 188,
        // Their slugs name an asset although they were not labelled crypto.
        'other → crypto': 2,
      });
    });

    test(`${name}: fees are off, readable, or unknown and then fail closed`, () => {
      const { markets } = read(parse);
      const keyOf = ({ venueFeeSchedule: fee }: VenueMarket) =>
        fee === null ? 'unknown' : `${fee.ratePpm} ppm, exponent ${fee.exponent}`;
      expect(countBy(markets, keyOf)).toEqual({
        '0 ppm, exponent 1': 482,
        '70000 ppm, exponent 1': 32,
        '30000 ppm, exponent 1': 2,
        unknown: 9,
      });
    });

    test(`${name}: ticks, minimum sizes, close times and prices are exact`, () => {
      const { records, markets } = read(parse);
      expect(countBy(markets, ({ tickPricePips }) => String(raw(tickPricePips)))).toEqual({ '10': 376, '100': 149 });
      expect(new Set(markets.map(({ minOrderTokenUnits }) => raw(minOrderTokenUnits)))).toEqual(new Set([5_000_000n]));
      const isTooEarly = markets.map((market, index) => {
        const { endDate } = records[index] ?? {};
        return endDate === undefined ? market.closeTimeMs !== null : (market.closeTimeMs ?? 0) < Date.parse(endDate);
      });
      expect(isTooEarly).not.toContain(true);
      expect(markets.filter(({ closedTimeMs }) => closedTimeMs !== null)).toHaveLength(213);
      expect(markets.filter(({ gameStartTimeMs }) => gameStartTimeMs !== null)).toHaveLength(129);
      expect(markets.filter(({ bestBidPricePips }) => bestBidPricePips !== null)).toHaveLength(391);
      expect(markets.filter(({ outcomePricePips }) => outcomePricePips !== null)).toHaveLength(525);
    });

    test(`${name}: statuses`, () => {
      const { markets } = read(parse);
      expect(countBy(markets, observedStatusOf)).toEqual({ active: 311, closed: 1, determined: 212, disputed: 1 });
    });

    test(`${name}: every record gives facts a decision can read`, () => {
      const { markets } = read(parse);
      for (const market of markets) {
        const facts = marketFactsOf(
          market,
          {
            marketId: 'mkt_test',
            status: observedStatusOf(market),
            disabled: null,
            riskLevel: 'low',
            hasPayouts: false,
            isBreakerTripped: false,
          },
          new Set(['BTC', 'ETH']),
        );
        expect(facts.category === 'unsupported').toBe(facts.subject === null);
        const asset = facts.subject?.kind === 'crypto' ? facts.subject : null;
        expect(asset?.isAssetSupported ?? false).toBe(['BTC', 'ETH'].includes(asset?.asset ?? ''));
      }
    });
  }

  test('neg-risk: 250 records, two of those that do not say are not', () => {
    const { markets } = read(JSON.parse);
    expect(markets.filter(({ isNegRisk }) => isNegRisk)).toHaveLength(250);
  });

  test('token ids derive from the condition exactly where the market is not neg-risk', () => {
    const { markets } = read(JSON.parse);
    const checks = countBy(markets, (market) => {
      const check = checkIdentity(market, { collateralToken, oracles, oracleAggregator: null });
      return `${market.isNegRisk ? 'neg-risk' : 'plain'}: ${check.kind === 'proven' ? 'proven' : check.problem}`;
    });
    expect(checks).toEqual({
      'neg-risk: oracle_unknown': 250,
      'plain: proven': 211,
      // An oracle of mid-2026 that is not on this test's list.
      'plain: oracle_unknown': 64,
    });
  });

  test('one record in full: a daily crypto market', () => {
    const { markets } = read(JSON.parse);
    const market = markets.find(({ ticker }) => ticker === 'ethereum-up-or-down-on-february-8');
    expect(market).toMatchObject({
      category: 'crypto',
      cryptoAsset: 'ETH',
      cryptoCadence: 'daily',
      sport: null,
      outcomes: ['Up', 'Down'],
      yesSubTitle: 'Up',
      series: { slug: 'eth-up-or-down-daily' },
      closeTimeMs: Date.parse('2026-02-08T17:00:00Z'),
      spanStartTimeMs: Date.parse('2026-02-07T17:00:00Z'),
      isActive: true,
      isAcceptingOrders: true,
    });
  });

  test('one record in full: a game whose end date is its start', () => {
    const { markets } = read(JSON.parse);
    const market = markets.find(({ ticker }) => ticker === 'nba-det-phi-2025-11-09');
    const startMs = Date.parse('2025-11-10T00:30:00Z');
    expect(market).toMatchObject({
      category: 'sport',
      sport: 'basketball',
      sportLine: 'winner',
      sportsMarketType: 'moneyline',
      gameStartTimeMs: startMs,
      closeTimeMs: startMs + 115 * 60_000,
      game: { isLive: false, isEnded: true, score: '111-108', period: 'FT' },
      resolutionStatus: 'resolved',
    });
  });

  test('the rule that settles a crypto market is read from its texts; prices reached at any time have none', () => {
    const records = JSON.parse(readRecorded('venue/markets.json')) as readonly RecordLabel[];
    const parsed = records.map((record) =>
      parseMarketRecord({ ...record, version: 'v1' }, { unstatedSettlement: 'unknown' }),
    );
    const crypto = parsed.flatMap((one) =>
      one.kind === 'market' && one.market.category === 'crypto' ? one.market : [],
    );
    expect(crypto.length).toBeGreaterThan(100);
    for (const { ticker, cryptoSettlement } of crypto) {
      const family = settlementFamilies.find(([, pattern]) => pattern.test(ticker))?.[0] ?? 'unknown';
      expect(`${ticker} ${cryptoSettlement}`).toBe(`${ticker} ${family}`);
    }
  });
});

import { type MarketOverlay, marketFactsOf, observedStatusOf } from '@core/market';
import { tokenIdsOf } from '@core/vault';
import { describe, expect, test } from 'vitest';
import { marketOfTest } from '../../testing/fakeVenue.ts';
import { checkIdentity, type IdentityTerms } from './checkIdentity.ts';

const overlay: MarketOverlay = {
  marketId: 'mkt_1',
  status: 'active',
  disabled: { reason: 'force_disabled' },
  riskLevel: 'high',
  hasPayouts: false,
  isBreakerTripped: false,
};

describe('facts', () => {
  test('of a crypto market', () => {
    expect(marketFactsOf(marketOfTest(), overlay, new Set(['ETH']))).toEqual({
      marketId: 'mkt_1',
      ticker: 'btc-up-or-down',
      category: 'crypto',
      status: 'active',
      conditionId: `0x${'c0'.repeat(32)}`,
      yesTokenId: '1',
      noTokenId: '2',
      ledger: 'conditional_tokens',
      isNegRisk: false,
      isVenueClosed: false,
      isVenueActive: true,
      isAcceptingOrders: true,
      isSettlementDetected: false,
      determinedPrices: null,
      disabled: { reason: 'force_disabled' },
      riskLevel: 'high',
      subject: { kind: 'crypto', asset: 'BTC', cadence: 'daily', isAssetSupported: false },
      closeAtMs: Date.parse('2023-11-15T00:00:00Z'),
      volume24hUsdPips: null,
      openInterestUsdPips: null,
      venueFee: { ratePpm: 0n, exponent: 1n },
      tickPricePips: 100n,
    });
  });

  test('of a game: an unknown start is taken to be its end less the typical length', () => {
    const market = marketOfTest({ slug: 'nba-a-b', sportsMarketType: 'moneyline', outcomes: '["A","B"]' });
    expect(marketFactsOf(market, overlay, new Set())).toMatchObject({
      category: 'sport',
      subject: {
        kind: 'sport',
        sport: 'basketball',
        line: 'winner',
        marketType: 'moneyline',
        gameStartAtMs: Date.parse('2023-11-15T00:00:00Z') - 115 * 60_000,
      },
    });
  });

  test('of a game without start and end: not supported, whatever it is', () => {
    const market = marketOfTest({ slug: 'nba-a-b', sportsMarketType: 'moneyline', endDate: undefined });
    expect(marketFactsOf(market, overlay, new Set())).toMatchObject({ category: 'unsupported', subject: null });
  });

  test.each<[Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]>([
    [{ archived: true }, { isVenueActive: false }],
    [{ active: false }, { isVenueActive: false }],
    [{ closed: true }, { isVenueClosed: true }],
    [{ acceptingOrders: false }, { isAcceptingOrders: false }],
    [{ enableOrderBook: false }, { isAcceptingOrders: false }],
    [{ umaResolutionStatus: 'requested' }, { isSettlementDetected: false }],
    [{ umaResolutionStatus: 'proposed' }, { isSettlementDetected: true }],
    [{ umaResolutionStatus: 'disputed' }, { isSettlementDetected: true }],
  ])('%j gives %j', (record, facts) => {
    expect(marketFactsOf(marketOfTest(record), overlay, new Set())).toMatchObject(facts);
  });

  test.each([
    ['resolved', '["1", "0"]', { yes: 10_000n, no: 0n }],
    ['settled', '["0", "1"]', { yes: 0n, no: 10_000n }],
    ['resolved', '["0.5", "0.5"]', { yes: 5_000n, no: 5_000n }],
    ['resolved', '["0.97", "0.03"]', null],
    ['proposed', '["1", "0"]', null],
  ])('determined prices of a market that is %s at %s', (umaResolutionStatus, outcomePrices, expected) => {
    const market = marketOfTest({ umaResolutionStatus, outcomePrices });
    expect(marketFactsOf(market, overlay, new Set()).determinedPrices).toEqual(expected);
  });

  test('payouts on chain settle it', () => {
    expect(marketFactsOf(marketOfTest(), { ...overlay, hasPayouts: true }, new Set())).toMatchObject({
      isSettlementDetected: true,
    });
  });
});

test.each<[Readonly<Record<string, unknown>>, string]>([
  [{}, 'active'],
  [{ closed: true }, 'closed'],
  [{ umaResolutionStatus: 'requested' }, 'active'],
  [{ umaResolutionStatus: 'proposed' }, 'active'],
  [{ closed: true, umaResolutionStatus: 'proposed' }, 'closed'],
  [{ umaResolutionStatus: 'disputed' }, 'disputed'],
  [{ closed: true, umaResolutionStatus: 'resolved', outcomePrices: '["1", "0"]' }, 'determined'],
  [{ closed: true, umaResolutionStatus: 'settled', outcomePrices: '["0.5", "0.5"]' }, 'determined'],
  [{ closed: true, umaResolutionStatus: 'resolved', outcomePrices: '["0.97", "0.03"]' }, 'closed'],
])('the catalogue’s %j suggests %s', (record, status) => {
  expect(observedStatusOf(marketOfTest(record))).toBe(status);
});

describe('identity', () => {
  const collateralToken = '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174';
  const oracle = '0x65070BE91477460D8A7AeEb94ef92fe056C2f2A7';
  // A real record: question, condition and tokens belong together.
  const genuine = {
    questionID: '0x31b246177b71186351da931e678b502bb63e82cca10f80415f2aa32392ec8b1b',
    conditionId: '0x9e0e621f21099a443d0deebbb624c8cf2e40ff0ebb51d67576e4fe7070974f3d',
    clobTokenIds:
      '["84348038402659639941836209260221772039942739491890721010819630693075602597129", "35052799380906612241653419359721988743807116588205346860506039024527003073301"]',
  };
  const vaultTerms: IdentityTerms = { collateralToken, oracles: [oracle], oracleAggregator: null };
  const check = (record: Readonly<Record<string, unknown>>, terms: IdentityTerms = vaultTerms) =>
    checkIdentity(marketOfTest({ ...genuine, ...record }), terms);
  const [yes, no] = JSON.parse(genuine.clobTokenIds) as [string, string];

  test('a genuine record is proven, and by which oracle', () => {
    expect(check({})).toEqual({ kind: 'proven', oracle });
    expect(tokenIdsOf({ collateralToken, conditionId: genuine.conditionId as `0x${string}` }).map(String)).toEqual([
      yes,
      no,
    ]);
  });

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['a market of the other ledger', { version: 'v2' }, 'ledger_unsupported'],
    ['no condition', { conditionId: null }, 'condition_missing'],
    ['no question', { questionID: 'question' }, 'condition_missing'],
    ['no tokens', { clobTokenIds: null }, 'tokens_missing'],
    ['another question', { questionID: `0x${'11'.repeat(32)}` }, 'oracle_unknown'],
    ['swapped tokens', { clobTokenIds: `["${no}","${yes}"]` }, 'tokens_not_derived'],
    ['another market’s token', { clobTokenIds: `["${yes}","5"]` }, 'tokens_not_derived'],
  ])('%s is refused', (_name, record, problem) => {
    expect(check(record)).toEqual({ kind: 'refused', problem });
  });

  test('another collateral or no oracle is refused', () => {
    expect(check({}, { ...vaultTerms, collateralToken: oracle })).toMatchObject({ problem: 'tokens_not_derived' });
    expect(check({}, { ...vaultTerms, oracles: [] })).toMatchObject({ problem: 'oracle_unknown' });
  });

  describe('of the PositionManager', () => {
    const aggregator = '0x00000000000000000000000000000000000A6617';
    const conditionOf = (module: string): string => `0x${module}${'5e'.repeat(16)}${'00'.repeat(14)}`;
    const idsOf = (conditionId: string): readonly string[] =>
      ['00', '01'].map((index) => String(BigInt(`${conditionId}${index}`)));
    const native = { version: 'v2', conditionId: conditionOf('01'), positionIds: idsOf(conditionOf('01')) };
    const checkNative = (record: Readonly<Record<string, unknown>>) =>
      check({ ...native, ...record }, { ...vaultTerms, oracleAggregator: aggregator });
    const [yesId, noId] = native.positionIds;

    test('a native condition is proven by its ids, with its aggregator as the oracle', () => {
      expect(checkNative({})).toEqual({ kind: 'proven', oracle: aggregator });
      expect(checkNative({ conditionId: `${native.conditionId}00`, questionID: undefined })).toMatchObject({
        kind: 'proven',
      });
    });

    test.each<[string, Readonly<Record<string, unknown>>, string]>([
      ['a market marked as negative risk', { negRisk: true }, 'negative_risk_unsupported'],
      [
        'a condition of the negative-risk module',
        { conditionId: conditionOf('02'), positionIds: idsOf(conditionOf('02')) },
        'negative_risk_unsupported',
      ],
      [
        'a combination',
        { conditionId: conditionOf('03'), positionIds: idsOf(conditionOf('03')) },
        'combination_unsupported',
      ],
      ['another module', { conditionId: conditionOf('04') }, 'condition_not_native'],
      ['a hash of ConditionalTokens', { conditionId: `0x${'c0'.repeat(31)}` }, 'condition_not_native'],
      ['no condition', { conditionId: null }, 'condition_missing'],
      ['no position ids', { positionIds: null }, 'tokens_missing'],
      ['swapped ids', { positionIds: [noId, yesId] }, 'tokens_not_derived'],
      ['another market’s id', { positionIds: [yesId, '5'] }, 'tokens_not_derived'],
    ])('%s is refused', (_name, record, problem) => {
      expect(checkNative(record)).toEqual({ kind: 'refused', problem });
    });

    test('a vault without the ledger refuses it', () => {
      expect(check(native)).toEqual({ kind: 'refused', problem: 'ledger_unsupported' });
    });
  });
});

import { raw } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import { readRecording } from './readRecording.ts';

const cryptoMarkets = (outcome: string) =>
  ['market_id,asset,start_unix,end_unix,outcome_up_inferred_from_spot', `1,btc,0,3600,${outcome}`].join('\n');

const cryptoQuotes = (extra: readonly string[] = []) =>
  [
    'market_id,t_unix,up_bid,up_ask,empty_side',
    ...Array.from({ length: 12 }, (_, minute) => `1,${minute * 300},0.5,0.52,`),
    ...extra,
  ].join('\n');

const gameMarkets = (kind: string, league: string) =>
  ['market_id,slug,kind,league,outcome_yes', `7,${kind}-${league}-aa-bb-2026-07-10-pos-2pt5,${kind},${league},1`].join(
    '\n',
  );

/** Quiet for twenty rows, then a move in each. */
const gameQuotes = [
  'market_id,t_unix,bid,ask',
  ...Array.from({ length: 40 }, (_, row) => {
    const bid = row < 20 ? 0.5 : 0.5 + 0.01 * (row % 2 === 0 ? 1 : 3);
    return `7,${row * 120},${bid},${bid + 0.01}`;
  }),
].join('\n');

describe('readRecording', () => {
  test('reads an hourly market with its rows', () => {
    const { markets, leftOut } = readRecording(cryptoMarkets('1'), cryptoQuotes());
    expect(leftOut.size).toBe(0);
    expect(markets[0]).toMatchObject({ clusterId: '3600', className: 'BTC', isYesWinner: true, closeAtMs: 3_600_000 });
    expect(raw(markets[0]?.rows[0]?.askPricePips ?? fail())).toBe(5_200n);
  });

  test('counts markets that cannot be replayed by reason', () => {
    expect([...readRecording(cryptoMarkets(''), cryptoQuotes()).leftOut]).toEqual([['outcome unknown', 1]]);
    const few = 'market_id,t_unix,up_bid,up_ask,empty_side\n1,0,0.5,0.52,';
    expect([...readRecording(cryptoMarkets('1'), few).leftOut]).toEqual([['fewer than ten two-sided rows', 1]]);
  });

  test('leaves out a recording that ends before the hard exit', () => {
    const early = cryptoQuotes().split('\n').slice(0, 12).join('\n');
    const { leftOut } = readRecording(cryptoMarkets('1'), early);
    expect([...leftOut]).toEqual([['recording ends before the hard exit', 1]]);
  });

  test('completes a bare row from the last price of its side, and no gap', () => {
    const { markets } = readRecording(
      cryptoMarkets('1'),
      cryptoQuotes(['1,3400,,,no_ask', '1,3460,,,no_bid', '1,3520,,,']),
    );
    const [noAsk, noBid, gap] = markets[0]?.rows.slice(-3) ?? [];
    expect(noAsk).toMatchObject({ bidPricePips: 5_000n, askPricePips: null });
    expect(noBid).toMatchObject({ bidPricePips: null, askPricePips: 5_200n });
    expect(gap).toMatchObject({ bidPricePips: null, askPricePips: null });
  });

  test('begins a game at its first move of many, with all its lines as one cluster', () => {
    const { markets } = readRecording(gameMarkets('asc', 'mlb'), gameQuotes);
    expect(markets[0]).toMatchObject({ clusterId: 'mlb-aa-bb-2026-07-10', className: 'baseball spread' });
    expect(markets[0]?.subject).toMatchObject({ gameStartAtMs: 19 * 120_000, line: 'spread', sport: 'baseball' });
  });

  test('leaves out a game that never moves', () => {
    const quiet = gameQuotes.split('\n').slice(0, 21).join('\n');
    expect([...readRecording(gameMarkets('aec', 'atp'), quiet).leftOut]).toEqual([['never priced in play', 1]]);
  });

  test('refuses unknown columns', () => {
    expect(() => readRecording(cryptoMarkets('1'), 'market_id,price\n1,0.5')).toThrow(/columns/);
  });
});

function fail(): never {
  throw new Error('no row');
}

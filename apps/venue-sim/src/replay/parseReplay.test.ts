import { describe, expect, it } from 'vitest';
import { parseReplay, ReplayRefusal, tickOf } from './parseReplay.ts';

const sport =
  'market_id,t_unix,bid,ask\n4,1000,0.14,0.165\n4,1123,,0.14\n9,1000,0.5,0.51\n4,1250,0.2,0.15\n4,1300,0,1\n';

describe('a recorded series', () => {
  it('is read per market, first row first, sides without a quote as null', () => {
    const [series] = parseReplay(sport, '4');
    expect(series).toEqual({
      marketId: '4',
      firstMs: 1_000_000,
      isUpDown: false,
      quotes: [
        { afterMs: 0, bidPricePips: 1_400n, askPricePips: 1_650n },
        { afterMs: 123_000, bidPricePips: null, askPricePips: 1_400n },
        { afterMs: 300_000, bidPricePips: null, askPricePips: null },
      ],
    });
    expect(parseReplay(sport, null).map(({ marketId }) => marketId)).toEqual(['4', '9']);
  });

  it('accepts the columns of up/down markets', () => {
    const [series] = parseReplay('market_id,t_unix,up_bid,up_ask,spot_usdt\na,5,0.51,0.52,1\n', null);
    expect([series?.isUpDown, series?.quotes.length]).toEqual([true, 1]);
  });

  it('has a coarsest tick', () => {
    const [first, second] = parseReplay(sport, null);
    expect(first && tickOf(first)).toBe(50n);
    expect(second && tickOf(second)).toBe(100n);
  });

  it('rejects with the invalid row or column', () => {
    const parsing =
      (csv: string, marketId: string | null = null): (() => unknown) =>
      () =>
        parseReplay(csv, marketId);
    expect(parsing('')).toThrow(ReplayRefusal);
    expect(parsing('market_id,t_unix,bid\n1,2,0.5\n')).toThrow('column ask');
    expect(parsing('market_id,t_unix,bid,ask\n1,now,0.5,0.6\n')).toThrow('row 2');
    expect(parsing('market_id,t_unix,bid,ask\n1,5,0.5,1.6\n')).toThrow('row 2');
    expect(parsing('market_id,t_unix,bid,ask\n1,5,0.5,0.6\n1,4,0.5,0.6\n')).toThrow('row 3');
    expect(parsing(sport, '77')).toThrow('77');
    expect(parsing('market_id,t_unix,bid,ask\n1,5,0.5\n')).toThrow(ReplayRefusal);
  });
});

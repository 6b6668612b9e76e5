import { rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import type { Market } from '@core/sdk';
import { expect, test } from 'vitest';
import { debtRowsOf, debtWithin } from '../web/src/operate/debtRows.ts';

const marketOf = (ticker: string, yes: string, no: string): Market =>
  ({
    ticker,
    venue: { slug: ticker, condition_id: null, yes_token_id: yes, no_token_id: no },
  }) as Partial<Market> as Market;

const debtOf = (key: `0x${string}`, tokenId: string, principal: bigint) => ({
  positionKey: key,
  tokenId,
  debt: {
    principalUsdcUnits: usdcUnits(principal),
    feesUsdcUnits: usdcUnits(0n),
    tokenUnits: tokenUnits(100_000_000n),
    liquidationFeeBps: rateBps(0n),
    exitBufferBps: rateBps(0n),
  },
});

test('debts: those nearest to liquidation first, one without a mark before all → sum of the near ones', () => {
  const markets = [marketOf('btc', '1', '2'), marketOf('eth', '3', '4')];
  const marks: Readonly<Record<string, string>> = { 'btc yes': '5000', 'btc no': '5000', 'eth yes': '3900' };
  const rows = debtRowsOf(
    [
      debtOf('0x01', '1', 25_000_000n),
      debtOf('0x02', '2', 48_000_000n),
      debtOf('0x03', '3', 40_000_000n),
      debtOf('0x04', '4', 10_000_000n),
      debtOf('0x05', '9', 20_000_000n),
    ],
    { markets, markOf: ({ market, side }) => marks[`${market.ticker} ${side}`] ?? null },
  );
  expect(rows.map(({ positionKey, distanceBps }) => [positionKey, distanceBps])).toEqual([
    ['0x04', null],
    ['0x05', null],
    ['0x03', 0n],
    ['0x02', 400n],
    ['0x01', 5_000n],
  ]);
  expect(rows[0]?.outcome?.market.ticker).toBe('eth');
  expect(rows[1]?.outcome).toBeNull();
  expect(debtWithin(rows, 500n)).toBe(88_000_000n);
});

import type { Market } from '@core/sdk';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeInDayOf } from '../web/src/markets/marketRows.ts';
import {
  amountFault,
  cents,
  classOfSign,
  dollars,
  dollarsHeld,
  dollarsOfUnits,
  feeRate,
  percent,
  pipsOfText,
  signedCents,
  signedDollars,
  signedPercent,
} from '../web/src/money.ts';
import { sharesOfText } from '../web/src/provide/shares.ts';

test('money: two decimals from 1 USD up, four below, zeros kept', () => {
  const texts = ['368632278', '2755830', '190670', '10000', '9999', '250', '0', '-279700', '-1'].map(dollars);
  expect(texts).toEqual([
    '$36,863.23',
    '$275.58',
    '$19.07',
    '$1.00',
    '$0.9999',
    '$0.0250',
    '$0.00',
    '−$27.97',
    '−$0.0001',
  ]);
  expect(dollars(null)).toBe('–');
});

test('money: debts → rounded up; balances → rounded down', () => {
  expect([dollarsOfUnits(1_000_001n), dollarsHeld(1_009_999n)]).toEqual(['$1.01', '$1.00']);
  expect([dollarsOfUnits(101n), dollarsHeld(199n), dollarsHeld(0n)]).toEqual(['$0.0002', '$0.0001', '$0.00']);
});

test('results: a plus or a minus, no sign for zero', () => {
  expect(['125000', '-125000', '0'].map(signedDollars)).toEqual(['+$12.50', '−$12.50', '$0.00']);
  expect([130, -130, 0].map(signedPercent)).toEqual(['+1.3 %', '−1.3 %', '0.0 %']);
});

test('signed figures: one that rounds to nothing has no sign and no colour, any other has both', () => {
  const formats = [
    (amount: bigint) => signedDollars(String(amount)),
    (amount: bigint) => signedCents(String(amount)),
    (amount: bigint) => signedPercent(Number(amount)),
  ];
  fc.assert(
    fc.property(fc.oneof(fc.bigInt(-200n, 200n), fc.bigInt(-(10n ** 12n), 10n ** 12n)), (amount) => {
      for (const format of formats) {
        const text = format(amount);
        const sign = !/[1-9]/.test(text) ? undefined : amount > 0n ? 'gain' : 'loss';
        expect([text, classOfSign(text)]).toEqual([text, sign]);
      }
      for (const text of [dollars(String(amount)), cents(String(amount)), percent(Number(amount))]) {
        expect(text.startsWith('−')).toBe(amount < 0n && /[1-9]/.test(text));
      }
    }),
  );
  expect(['-4', '4', '-5', '5', '6'].map(signedCents)).toEqual(['0.0 ¢', '0.0 ¢', '0.0 ¢', '+0.1 ¢', '+0.1 ¢']);
});

test('change in a day: from the oldest sample to the price now, else as of the samples', () => {
  const prices = { yes_bid_price_usd_pips: '5600', yes_ask_price_usd_pips: '5800' } as const;
  const statistics = {
    yes_price_change24h_usd_pips: '0',
    yes_price_samples24h_usd_pips: ['5000', '4000', '5000'],
  };
  const quiet = { yes_price_change24h_usd_pips: null, yes_price_samples24h_usd_pips: [] };
  expect(changeInDayOf({ prices } as Market, statistics)).toBe(700);
  expect(changeInDayOf({ prices: null } as Market, { ...statistics, yes_price_change24h_usd_pips: '-120' })).toBe(-120);
  expect(changeInDayOf({ prices } as Market, quiet)).toBeNull();
  expect(changeInDayOf({ prices } as Market, undefined)).toBeNull();
});

test('prices and rates: one decimal', () => {
  expect(['5100', '5101', '4696', null].map(cents)).toEqual(['51.0 ¢', '51.0 ¢', '47.0 ¢', '–']);
  expect([10_000, 7_487, 5].map(percent)).toEqual(['100.0 %', '74.9 %', '0.1 %']);
});

test('fee rates: exact to a basis point', () => {
  expect([75, 100, 1_250, 5, 0].map(feeRate)).toEqual(['0.75 %', '1.00 %', '12.50 %', '0.05 %', '0.00 %']);
});

test('shares: 2,5 and 2.5 are the same, thousands are not separated', () => {
  expect(sharesOfText('2,5')).toBe(2_500_000_000_000n);
  expect(sharesOfText('2.5')).toBe(2_500_000_000_000n);
  expect(sharesOfText('1,234.5')).toBeNull();
});

test('amounts: a comma or a point → the decimal sign; any other text → its fault', () => {
  expect(['1,5', '1.5', ' 250 ', '0,0001'].map(pipsOfText)).toEqual([15_000n, 15_000n, 2_500_000n, 1n]);
  for (const text of ['1,5', '1.5', '250']) expect(amountFault(text)).toBeNull();
  expect(amountFault('')).toBe('Enter an amount.');
  expect(amountFault('1.000,50')).toBe('Use one comma or point, for the decimals only.');
  expect(amountFault('12a')).toContain('“a” is no digit');
  expect(amountFault('1.23456')).toBe('At most four decimals.');
  expect(amountFault('12345678901')).toBe('This amount is too large.');
  for (const text of ['', '1.000,50', '12a', '1.23456', '12345678901', '5.', ',5']) expect(pipsOfText(text)).toBeNull();
});

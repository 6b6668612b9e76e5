import { expect, test } from 'vitest';
import {
  amountFault,
  cents,
  dollars,
  dollarsHeld,
  dollarsOfUnits,
  feeRate,
  percent,
  pipsOfText,
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

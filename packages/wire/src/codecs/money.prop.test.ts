import { raw, toUsdPips, usdcUnits, usdPips } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { figureShape } from './figures.ts';
import { money, moneyPair, nullableMoney } from './money.ts';
import { moneyShape, nullableMoneyShape, signedMoneyShape } from './moneyShapes.ts';

const amount = fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n });

test('companions of any signed amount fit their shape and decode to the same amount', () => {
  const schema = z.object(signedMoneyShape('net'));
  fc.assert(
    fc.property(amount, (pips) => {
      const wire = money('net', usdPips(pips));
      const decoded = schema.decode(wire);
      expect(raw(decoded.net_usd_pips)).toBe(pips);
      expect(schema.encode(decoded)).toEqual(wire);
    }),
  );
});

test('the display decimal equals the pips exactly', () => {
  fc.assert(
    fc.property(amount, (pips) => {
      const { net_usd: text } = money('net', usdPips(pips));
      const [whole = '', fraction = ''] = text.replace('-', '').split('.');
      const magnitude = BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0'));
      expect(text.startsWith('-') ? -magnitude : magnitude).toBe(pips);
      expect(text).not.toMatch(/\.\d\d0+$|\.\d\d\d0$|^-0\.0+$/);
    }),
  );
});

test('pips are units rounded as documented, within one pip', () => {
  const schema = z.object(figureShape({ fee: { kind: 'signedMoney', text: 'Fee' } }));
  fc.assert(
    fc.property(amount, fc.constantFrom('up' as const, 'down' as const), (units, rounding) => {
      const wire = moneyPair('fee', toUsdPips(usdcUnits(units), rounding), usdcUnits(units));
      expect(schema.encode(schema.decode(wire))).toEqual(wire);
      const excess = BigInt(wire.fee_usd_pips) * 100n - units;
      expect(rounding === 'up' ? excess >= 0n && excess < 100n : excess <= 0n && excess > -100n).toBe(true);
    }),
  );
});

test('both companions of an unknown amount are null', () => {
  const wire = nullableMoney('max_notional_yes', null);
  expect(wire).toEqual({ max_notional_yes_usd_pips: null, max_notional_yes_usd: null });
  expect(z.object(nullableMoneyShape('max_notional_yes')).decode(wire)).toEqual(wire);
});

test('an unsigned field refuses a sign, a fraction, a leading zero and a number', () => {
  const schema = z.object(moneyShape('fee'));
  for (const pips of ['-1', '1.5', '01', '', '1e3', 1, ' 1', '1'.repeat(19)]) {
    expect(schema.safeParse({ fee_usd_pips: pips, fee_usd: '0.00' }).success).toBe(false);
  }
});

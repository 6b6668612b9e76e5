import { expect, test } from 'vitest';
import { parseExactJson } from './exactJson.ts';

test('numbers arrive as they were written, everything else as it is', () => {
  expect(parseExactJson('{"a":0.10,"b":[1e-7,"2"],"c":true,"d":null,"e":12345678901234567890.123456789}')).toEqual({
    a: '0.10',
    b: ['1e-7', '2'],
    c: true,
    d: null,
    e: '12345678901234567890.123456789',
  });
});

test.each(['7', ' -7', '[ 1]', '{"a" :\n1}', '["x",2]', '{"a":{"b":["c:",-0.50]}}'])(
  'no number is missed: %s',
  (text) => {
    const hasNumber = (value: unknown): boolean =>
      typeof value === 'number' ||
      (typeof value === 'object' && value !== null && Object.values(value).some(hasNumber));
    expect(hasNumber(JSON.parse(text))).toBe(true);
    expect(hasNumber(parseExactJson(text))).toBe(false);
  },
);

test('text without numbers is read as it is', () => {
  const message = { a: ['1.50', true, null], b: ', 7', c: { d: '[8' } };
  expect(parseExactJson(JSON.stringify(message))).toEqual(message);
});

test('text that is no JSON throws', () => {
  expect(() => parseExactJson('<html>')).toThrow(SyntaxError);
});

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

test('text that is no JSON throws', () => {
  expect(() => parseExactJson('<html>')).toThrow(SyntaxError);
});

import { errorTable } from '@core/errors';
import type { ErrorCode } from '@core/sdk';
import { expect, test } from 'vitest';
import { serviceErrorText } from '../web/src/parts/serviceErrorText.ts';

type Definition = { readonly message: string; readonly params?: Readonly<Record<string, string>> };
const table = Object.entries(errorTable) as ReadonlyArray<[ErrorCode, Definition]>;

test('errors: every code, with and without its params → words and amounts, no field name', () => {
  for (const [code, { message, params = {} }] of table) {
    const values = Object.fromEntries(
      Object.keys(params).map((name) => [name, name.endsWith('_bps') ? 62_500 : '625000']),
    );
    for (const errorParams of [values, {}]) {
      const text = serviceErrorText({ code, message, params: errorParams as never });
      expect({ code, text }).toEqual({ code, text: expect.stringMatching(/^[^`]+[.!?]$/) });
      expect({ code, text }).toEqual({ code, text: expect.not.stringMatching(/[a-z]_[a-z]|NaN|undefined/) });
    }
  }
});

test('errors: leverage above the maximum at the price → the requested leverage and the maximum', () => {
  const params = { current_book_leverage_bps: 90_000, max_acceptable_leverage_bps: 64_900 };
  expect(serviceErrorText({ code: 'quote_leverage_too_high_for_price', message: '', params: params as never })).toBe(
    '9x would be liquidated at once at this price. The maximum you can use is 6.25x.',
  );
});

test('errors: an amount as the page formats it, and no request to try beside the button with the same figure', () => {
  const message = 'The size is above $2928.6904. Try a smaller one. Try notional $2928.6904, leverage 2x.';
  const error = { code: 'quote_leverage_exceeds_model_max', message, params: {} as never } as const;
  const textOf = (hasButton?: boolean) => serviceErrorText(error, hasButton);
  expect(textOf()).toBe('The size is above $2,928.69. Try a smaller one. Try notional $2,928.69, leverage 2x.');
  expect(textOf(true)).toBe('The size is above $2,928.69. Try a smaller one.');
});

import { expect, test } from 'vitest';
import { Fault } from './fault.ts';
import { isRejection, reject } from './rejection.ts';

test('isRejection: accepts the result of reject', () => {
  const rejection = reject('quote_entry_excluded_sport', { sport: 'soccer' });
  expect(rejection).toEqual({ kind: 'rejection', code: 'quote_entry_excluded_sport', params: { sport: 'soccer' } });
  expect(isRejection(rejection)).toBe(true);
  expect(reject('unauthorized').params).toEqual({});
});

test('isRejection: refuses every other value', () => {
  for (const value of [null, undefined, 'rejection', 1, {}, { kind: 'quote' }, []])
    expect(isRejection(value)).toBe(false);
});

test('Fault: keeps its cause and says whether a retry can help', () => {
  const cause = new Error('socket closed');
  const fault = new Fault({ origin: 'chain', kind: 'retryable', message: 'cannot read the head', cause });
  expect(fault.retryable).toBe(true);
  expect(fault.cause).toBe(cause);
  expect(new Fault({ origin: 'venue', kind: 'frozen', message: 'unknown answer' }).retryable).toBe(false);
});

import { expect, test } from 'vitest';
import { Fault } from './fault.ts';
import { isRejection, reject } from './rejection.ts';

test('reject builds a tagged value that isRejection recognises', () => {
  const rejection = reject('quote_entry_excluded_sport', { sport: 'soccer' });
  expect(rejection).toEqual({ kind: 'rejection', code: 'quote_entry_excluded_sport', params: { sport: 'soccer' } });
  expect(isRejection(rejection)).toBe(true);
  expect(reject('unauthorized').params).toEqual({});
});

test('isRejection refuses everything else', () => {
  for (const value of [null, undefined, 'rejection', 1, {}, { kind: 'quote' }, []])
    expect(isRejection(value)).toBe(false);
});

test('a fault keeps its cause and says whether trying again can help', () => {
  const cause = new Error('socket closed');
  const fault = new Fault({ origin: 'chain', kind: 'retryable', message: 'cannot read the head', cause });
  expect(fault.retryable).toBe(true);
  expect(fault.cause).toBe(cause);
  expect(new Fault({ origin: 'venue', kind: 'frozen', message: 'unknown answer' }).retryable).toBe(false);
});

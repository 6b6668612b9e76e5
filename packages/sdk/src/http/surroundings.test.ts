import { afterEach, expect, test, vi } from 'vitest';
import { surroundingsOf } from './surroundings.ts';

afterEach(() => vi.unstubAllGlobals());

test('idempotency keys: a page without HTTPS, whose crypto lacks randomUUID → keys of 128 random bits', () => {
  const { crypto } = globalThis;
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const { randomId } = surroundingsOf({});
  const ids = Array.from({ length: 1_000 }, randomId);
  expect(new Set(ids).size).toBe(1_000);
  for (const id of ids) expect(id).toMatch(/^\d{1,20}-\d{1,20}$/);
});

import { partnerTermsOf } from '@core/policy';
import { usdPips } from '@core/pricing';
import type { PartnerRecord } from '@core/store';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallerDirectory } from './callerDirectory.ts';
import { PartnerDirectory } from './partnerDirectory.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (spanMs: number): unknown => vi.advanceTimersByTime(spanMs);
const [before, after] = [1_000n, 2_000n].map((pips) => partnerTermsOf({ minCollateralUsdPips: usdPips(pips) }));
const key = { id: 'key_1', partnerId: 'ptn_1' } as never;

/** A process, and a database whose one partner and one key change. */
function opened() {
  const database = { terms: before, isRevoked: false, readCount: 0 };
  const partners = new PartnerDirectory({
    byId: (id) => {
      database.readCount += 1;
      return Promise.resolve({ id, terms: database.terms } as PartnerRecord);
    },
  });
  const callers = new CallerDirectory({
    environment: 'sandbox',
    apiKeys: { authenticate: () => Promise.resolve(database.isRevoked ? 'revoked' : key) },
    partners,
    userTokens: { verify: () => Promise.resolve('unknown'), isCurrent: () => true },
  });
  const identityNow = async () => callers.peek('Api-Key sbx_skey_a') ?? (await callers.identify('Api-Key sbx_skey_a'));
  return { database, partners, identityNow };
}

describe('what an operator changes acts within a second, whenever it was read before', () => {
  const acceptedAfterMs = Array.from({ length: 20 }, (_, index) => 50 * index + 49);

  test.each(acceptedAfterMs)('terms, though the caller was accepted %i ms after the change', async (acceptedMs) => {
    const { database, partners, identityNow } = opened();
    // Someone else's request has just read the partner.
    await partners.byId('ptn_1');
    database.terms = after;
    pass(acceptedMs);
    const first = await identityNow();
    expect(first.kind).toBe('partner');
    pass(999 - acceptedMs);
    const identity = await identityNow();
    expect(identity.kind === 'partner' && identity.partner.terms).toBe(after);
  });

  test('a key that is revoked', async () => {
    const { database, identityNow } = opened();
    expect((await identityNow()).kind).toBe('partner');
    database.isRevoked = true;
    pass(999);
    expect(await identityNow()).toEqual({ kind: 'none', fault: 'revoked' });
  });
});

test('repeated lookups within the cache time read the database once', async () => {
  const { database, identityNow } = opened();
  await identityNow();
  await Promise.all([identityNow(), identityNow()]);
  pass(499);
  await identityNow();
  expect(database.readCount).toBe(1);
});

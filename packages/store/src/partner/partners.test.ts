import { sampleNowMs } from '@core/position/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestStore, samplePartnerTerms, type TestStore } from '../../testing/index.ts';

let opened: TestStore;
beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.close());

const create = (name: string) =>
  opened.store.partners.create({ name, environment: 'sandbox', terms: samplePartnerTerms, createdAtMs: sampleNowMs });

describe('partners', () => {
  test('keep their terms, bigints included', async () => {
    const partner = await create('one');
    expect(await opened.store.partners.byId(partner.id)).toEqual(partner);
    expect(partner.terms).toEqual(samplePartnerTerms);
    const terms = { ...samplePartnerTerms, riskMode: 'committed' as const };
    expect(await opened.store.partners.updateTerms(partner.id, terms)).toBe(true);
    expect((await opened.store.partners.byName('one'))?.terms).toEqual(terms);
    expect(await opened.store.partners.updateTerms('ptn_none', terms)).toBe(false);
    expect(await opened.store.partners.byId('ptn_none')).toBeNull();
  });
});

describe('API keys', () => {
  test('at most two are active, however many are asked for at once', async () => {
    const { apiKeys } = opened.store;
    const partner = await create('two');
    const request = { partnerId: partner.id, environment: 'sandbox', nowMs: sampleNowMs } as const;
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => apiKeys.issue(request)));
    const issued = outcomes.filter((outcome) => outcome.kind === 'issued');
    expect(issued.length).toBe(2);
    const [first, second] = issued;
    expect(first?.secret).toMatch(/^sbx_skey_[\w-]{43}$/);
    expect(await apiKeys.authenticate(first?.secret ?? '', 'sandbox')).toEqual(first?.record);
    expect(await apiKeys.authenticate(first?.secret ?? '', 'production')).toBeNull();
    expect(await apiKeys.revoke(first?.record.id ?? '', sampleNowMs)).toBe(true);
    expect(await apiKeys.revoke(first?.record.id ?? '', sampleNowMs)).toBe(false);
    expect(await apiKeys.authenticate(first?.secret ?? '', 'sandbox')).toBe('revoked');
    expect((await apiKeys.issue(request)).kind).toBe('issued');
    const rotated = await apiKeys.rotate(request);
    expect(await apiKeys.authenticate(second?.secret ?? '', 'sandbox')).toBe('revoked');
    expect(await apiKeys.authenticate(rotated.secret, 'sandbox')).toEqual(rotated.record);
    const listed = await apiKeys.listByPartner(partner.id);
    expect(listed.filter((key) => key.revokedAtMs === null).length).toBe(1);
    expect(listed.length).toBe(4);
  });

  test('F22: a dump of the database holds no usable key', async () => {
    const partner = await create('three');
    const { secret } = await opened.store.apiKeys.rotate({
      partnerId: partner.id,
      environment: 'production',
      nowMs: 0,
    });
    expect(secret).toMatch(/^live_skey_/);
    const client = new Client({ connectionString: opened.database.databaseUrl });
    await client.connect();
    const { rows } = await client.query('SELECT api_keys.*::text AS line FROM api_keys');
    await client.end();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row: { line: string }) => !row.line.includes(secret.slice(16)))).toBe(true);
  });

  test('an unknown partner gets no key', async () => {
    const request = { partnerId: 'ptn_none', environment: 'sandbox', nowMs: 0 } as const;
    await expect(opened.store.apiKeys.issue(request)).rejects.toThrow(/unknown partner/);
  });
});

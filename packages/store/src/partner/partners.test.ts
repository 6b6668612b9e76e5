import { sampleNowMs } from '@core/position/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestStore, samplePartnerTerms, type TestStore } from '../../testing/index.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore();
});
afterAll(() => testStore.close());

async function execute(text: string, values: readonly unknown[]): Promise<void> {
  const client = new Client({ connectionString: testStore.database.databaseUrl });
  await client.connect();
  await client.query(text, [...values]);
  await client.end();
}

const create = (name: string) =>
  testStore.store.partners.create({
    name,
    environment: 'sandbox',
    terms: samplePartnerTerms,
    createdAtMs: sampleNowMs,
  });

describe('partners', () => {
  test('keep their terms, bigints included', async () => {
    const partner = await create('one');
    expect(await testStore.store.partners.byId(partner.id)).toEqual(partner);
    expect(partner.terms).toEqual(samplePartnerTerms);
    const terms = { ...samplePartnerTerms, riskMode: 'committed' as const };
    expect(await testStore.store.partners.updateTerms(partner.id, terms)).toBe(true);
    expect((await testStore.store.partners.byName('one'))?.terms).toEqual(terms);
    expect(await testStore.store.partners.updateTerms('ptn_none', terms)).toBe(false);
    expect(await testStore.store.partners.byId('ptn_none')).toBeNull();
  });
});

/** Change the row of a partner so that it cannot be read. */
const poisons: Readonly<Record<string, string>> = {
  'a figure that is no number': `UPDATE partners SET terms = '{"limits":{"$bigint":"five"}}' WHERE id = $1`,
  'terms that are null': `UPDATE partners SET terms = 'null' WHERE id = $1`,
  'terms that are text': `UPDATE partners SET terms = '"none"' WHERE id = $1`,
  'an environment that is none': `UPDATE partners SET environment = 'staging' WHERE id = $1`,
  'a key of an environment that is none': `UPDATE api_keys SET environment = 'staging' WHERE partner_id = $1`,
};

test.each(Object.entries(poisons))(
  'lists: one partner has %s → it is listed, and the others as written',
  async (name, poison) => {
    const { partners, apiKeys } = testStore.store;
    const created = await Promise.all([0, 1, 2].map((index) => create(`${name} ${index}`)));
    for (const { id } of created) await apiKeys.issue({ partnerId: id, environment: 'sandbox', nowMs: sampleNowMs });
    const [, bad] = created;
    await execute(poison, [bad?.id]);
    const listed = (await partners.list()).filter((partner) => partner.name.startsWith(`${name} `));
    expect(listed.map(({ id }) => id)).toEqual(created.map(({ id }) => id));
    expect([listed[0], listed[2]]).toEqual([created[0], created[2]]);
    for (const { id } of created) expect((await apiKeys.listByPartner(id)).length).toBe(1);
    expect(listed[1]?.terms === null).toBe(poison.includes('terms'));
    await execute('DELETE FROM api_keys WHERE partner_id = $1', [bad?.id]);
    await execute('DELETE FROM partners WHERE id = $1', [bad?.id]);
  },
);

describe('API keys', () => {
  test('at most two are active after concurrent requests', async () => {
    const { apiKeys } = testStore.store;
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
    const { secret } = await testStore.store.apiKeys.rotate({
      partnerId: partner.id,
      environment: 'production',
      nowMs: 0,
    });
    expect(secret).toMatch(/^live_skey_/);
    const client = new Client({ connectionString: testStore.database.databaseUrl });
    await client.connect();
    const { rows } = await client.query('SELECT api_keys.*::text AS line FROM api_keys');
    await client.end();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row: { line: string }) => !row.line.includes(secret.slice(16)))).toBe(true);
  });

  test('an unknown partner gets no key', async () => {
    const request = { partnerId: 'ptn_none', environment: 'sandbox', nowMs: 0 } as const;
    await expect(testStore.store.apiKeys.issue(request)).rejects.toThrow(/unknown partner/);
  });
});

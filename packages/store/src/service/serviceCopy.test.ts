import { sampleNowMs, walletOf } from '@core/position/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestDatabase,
  execute,
  openTestStore,
  reserveQuote,
  samplePartnerTerms,
  sampleReserve,
  type TestDatabase,
  type TestStore,
} from '../../testing/index.ts';
import { exportService, importService } from './serviceCopy.ts';

let before: TestStore;
let fresh: TestDatabase;
let lines: readonly string[];

beforeAll(async () => {
  [before, fresh] = await Promise.all([openTestStore(), createTestDatabase()]);
  const { store } = before;
  await store.binding.bind({ chainId: 137, vaultAddress: walletOf(1), nowMs: sampleNowMs });
  const partner = await store.partners.create({
    name: 'acme',
    environment: 'sandbox',
    terms: samplePartnerTerms,
    createdAtMs: sampleNowMs,
  });
  await store.apiKeys.issue({ partnerId: partner.id, environment: 'sandbox', nowMs: sampleNowMs });
  await reserveQuote(store, sampleReserve(1, { quote: { partnerId: partner.id } }));
  lines = await exported(before.database.databaseUrl);
});
afterAll(async () => {
  await fresh.close();
  await before.close();
});

async function exported(databaseUrl: string): Promise<readonly string[]> {
  let text = '';
  await exportService(databaseUrl, (line) => {
    text += line;
  });
  return text.trimEnd().split('\n');
}

const rowsOf = (databaseUrl: string, table: string) =>
  execute(databaseUrl, `SELECT to_jsonb(one)::text AS row FROM ${table} AS one ORDER BY 1`);

test('an export in a fresh database has the same partners, keys and quotes; a second run adds nothing', async () => {
  expect(await importService(fresh.databaseUrl, lines)).toMatchObject({ partners: 1, api_keys: 1, quotes: 1 });
  for (const table of ['service_binding', 'partners', 'api_keys', 'quotes']) {
    const rows = await rowsOf(before.database.databaseUrl, table);
    expect(rows).toHaveLength(1);
    expect(await rowsOf(fresh.databaseUrl, table)).toEqual(rows);
  }
  const added = await importService(fresh.databaseUrl, lines);
  expect(Object.values(added).every((count) => count === 0)).toBe(true);
  expect(await exported(fresh.databaseUrl)).toEqual(
    lines
      .filter((line) => !line.startsWith('quotes'))
      .slice(0, -1)
      .concat('end\t3'),
  );
});

test('an export holds no key of a partner, only hashes', async () => {
  const [key] = await rowsOf(before.database.databaseUrl, 'api_keys');
  expect(lines.find((line) => line.startsWith('api_keys'))).toBe(`api_keys\t${String(key?.['row'])}`);
});

test.each([
  ['without its last line', () => lines.slice(0, -1), /is not whole/],
  ['that was cut in the middle', () => [...lines.slice(0, 1), ...lines.slice(-1)], /is not whole/],
  ['of another program', () => ['orders\t{}', 'end\t1'], /rows of orders/],
  ['of a newer version', () => ['partners\t{"id":"ptn_9","colour":"red"}', 'end\t1'], /of a newer version/],
])('an export %s is refused and adds nothing', async (_name, otherLines, message) => {
  const refusal = importService(fresh.databaseUrl, otherLines());
  await expect(refusal).rejects.toMatchObject({ name: 'FriendlyError' });
  await expect(refusal).rejects.toThrow(message);
  expect(await rowsOf(fresh.databaseUrl, 'partners')).toHaveLength(1);
});

test('an export of another vault is refused', async () => {
  const other = await openTestStore();
  await other.store.binding.bind({ chainId: 137, vaultAddress: walletOf(2), nowMs: sampleNowMs });
  await expect(importService(other.database.databaseUrl, lines)).rejects.toThrow(/is of the vault 0x/);
  await other.close();
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, execute, type TestDatabase } from '../../testing/index.ts';
import { requireSession } from './requireSession.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const alter = async (setting: string): Promise<void> => {
  const { databaseUrl } = database;
  await execute(databaseUrl, `ALTER DATABASE ${new URL(databaseUrl).pathname.slice(1)} SET ${setting}`);
};

test('requireSession: accepts a database with other defaults', async () => {
  await alter("timezone TO 'Asia/Kolkata'");
  await alter("statement_timeout TO '1h'");
  expect(await requireSession(database.databaseUrl)).toBeUndefined();
});

test.each([
  ['default_transaction_read_only TO on', /default_transaction_read_only/],
  ['search_path TO nothing', /search_path/],
])('requireSession: %s → refused in one line without the password', async (setting, text) => {
  await alter(setting);
  const refusal = requireSession(database.databaseUrl);
  await expect(refusal).rejects.toMatchObject({ name: 'FriendlyError' });
  await expect(refusal).rejects.toThrow(text);
  await expect(refusal).rejects.not.toThrow(new URL(database.databaseUrl).password);
});

test('requireSession: options in the address stay', async () => {
  const url = new URL(database.databaseUrl);
  url.search = `options=${encodeURIComponent('-c default_transaction_read_only=on')}`;
  await expect(requireSession(url.href)).rejects.toThrow(/default_transaction_read_only/);
});

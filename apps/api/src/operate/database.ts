import { FriendlyError } from '@core/runtime';
import { migrate, requireMigrated, requireSession } from '@core/store';
import type { Operated, Operations } from './command.ts';

/** Apply pending migrations. @throws FriendlyError when the database is not usable or rejects them. */
export async function migrateDatabase({ databaseUrl }: Operations): Promise<Operated> {
  const url = databaseUrl();
  await requireSession(url);
  const applied = await migrate(url).catch((cause: unknown) => {
    throw new FriendlyError(`The database at ${new URL(url).host} cannot be migrated: ${reasonOf(cause)}`, { cause });
  });
  return { value: { applied } };
}

/** Check that the database is reachable and usable, and has no pending migrations. @throws FriendlyError otherwise. */
export async function checkDatabase({ databaseUrl }: Operations): Promise<Operated> {
  const url = databaseUrl();
  await requireSession(url);
  await requireMigrated(url);
  return { value: { pending: [] } };
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const text = cause.message === '' ? String(Reflect.get(cause, 'code') ?? cause.name) : cause.message;
  return cause.cause === undefined ? text : `${text}: ${reasonOf(cause.cause)}`;
}

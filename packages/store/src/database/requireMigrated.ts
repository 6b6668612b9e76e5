import { FriendlyError } from '@core/runtime';
import { pendingMigrations } from './migrate.ts';

/**
 * Check that a database answers and lacks no migration of this version; newer migrations are no fault.
 * @throws FriendlyError of one line, without credentials, with what to do.
 */
export async function requireMigrated(databaseUrl: string): Promise<void> {
  const pending = await pendingMigrations(databaseUrl).catch((cause: unknown) => {
    throw refusalOf(databaseUrl, cause);
  });
  if (pending.length === 0) return;
  throw new FriendlyError(
    `The database lacks ${pending.length} migrations of this version: run \`npx -y pnpm@12 operate database migrate\`.`,
  );
}

function refusalOf(databaseUrl: string, cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const reason = cause.message === '' ? (Reflect.get(cause, 'code') ?? cause.name) : cause.message;
  return new FriendlyError(`The database at ${new URL(databaseUrl).host} refuses: ${String(reason)}`, { cause });
}

import { FriendlyError } from '@core/runtime';
import { pendingMigrations } from './migrate.ts';
import { refusalOf } from './requireSession.ts';

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

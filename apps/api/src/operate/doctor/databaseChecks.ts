import { FriendlyError } from '@core/runtime';
import { type DatabaseFault, databaseFaultOf, describeHolder, requireMigrated, requireSession } from '@core/store';
import { type Check, type Deployment, type Finding, failed, ok, skipped } from './check.ts';

/** Repairs of a database that refuses a write, other than those of its settings. */
const databaseRepairs: Partial<Readonly<Record<DatabaseFault, string>>> = {
  unreachable: 'Start PostgreSQL, or correct DATABASE_URL (docs/operate/runbook/DatabaseAway.md).',
  disk_full:
    'Free the disk of PostgreSQL; programs continue by themselves (docs/operate/runbook/DatabaseUnwritable.md).',
  read_only: 'Name the primary in DATABASE_URL, or promote it (docs/operate/runbook/DatabaseUnwritable.md).',
};

async function checkDatabase({ settings, store, nowMs }: Deployment): Promise<Finding> {
  try {
    await requireSession(settings.DATABASE_URL);
    const holders = await store.lockHolders();
    if (holders.length > 0) return failed(holders.map(describeHolder).join('; '));
    await requireMigrated(settings.DATABASE_URL);
    await store.probeWrite(nowMs());
    return ok('writable, no table is locked, session settings hold, no pending migrations');
  } catch (cause) {
    const fault = databaseFaultOf(cause instanceof FriendlyError ? cause.cause : cause);
    const repair = fault === null ? undefined : databaseRepairs[fault];
    if (cause instanceof FriendlyError) return failed(cause.message, repair);
    if (fault === null) throw cause;
    return failed(`the database takes no writes: ${fault}`, repair);
  }
}

async function checkRedis({ settings, store }: Deployment): Promise<Finding> {
  if (settings.REDIS_URL === undefined) return skipped('REDIS_URL is not set');
  return (await store.answersRedis()) ? ok('it answers') : failed('it does not answer: the database counts limits');
}

/** Checks of PostgreSQL and Redis. */
export const databaseChecks: readonly Check[] = [
  {
    name: 'database',
    after: [],
    observe: checkDatabase,
    fix: 'Correct DATABASE_URL, run npx -y pnpm@12 operate database migrate, or end the session that holds the lock (docs/operate/runbook/TablesLocked.md).',
  },
  {
    name: 'redis',
    after: [],
    observe: checkRedis,
    fix: 'Start Redis, or correct REDIS_URL (docs/operate/runbook/RedisAway.md).',
  },
];

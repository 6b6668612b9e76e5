import { execute } from './execute.ts';

/** End every connection of a database that waits for messages, as a restart of the server would. Return how many. */
export async function endListeners(databaseUrl: string): Promise<number> {
  const ended = await execute(
    databaseUrl,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'listener of%'`,
  );
  return ended.length;
}

import type { Pool } from 'pg';
import { type DatabaseHealth, databaseHealthAfter } from './databaseFault.ts';
import { type Statement, transact } from './sql.ts';

const probeWrite: Statement = {
  name: 'probe_write',
  text: `INSERT INTO heartbeats (name, last_heartbeat_at, detail) VALUES ('write probe', $1, '{}')
         ON CONFLICT (name) DO UPDATE SET last_heartbeat_at = EXCLUDED.last_heartbeat_at`,
};

/** Make the probe write a temporary file: it needs room on the disk, and updating a row needs none. */
const limitMemory: Statement = { name: 'probe_memory', text: `SET LOCAL work_mem = '64kB'` };
const probeDisk: Statement = { name: 'probe_disk', text: 'SELECT count(*) FROM generate_series(1, 20000)' };

/** Return a probe that writes a row with a time of the service and a temporary file, and the state that it met last. */
export function databaseProbeOf(pool: Pool) {
  let health: DatabaseHealth | null = null;
  return {
    /** Null before the first probe. */
    health: (): DatabaseHealth | null => health,
    /** @throws when the database takes no writes. */
    async write(nowMs: number): Promise<void> {
      try {
        await transact(pool, async (unit) => {
          await unit.count(limitMemory);
          await unit.row(probeDisk);
          await unit.count(probeWrite, [new Date(nowMs)]);
        });
        health = 'ok';
      } catch (cause) {
        health = databaseHealthAfter(cause);
        throw cause;
      }
    },
  };
}

import type { Sql, Statement } from '../database/sql.ts';
import type { HeartbeatRecord, HeartbeatStore } from './heartbeats.ts';

const columns = `name, last_heartbeat_at AS "lastHeartbeatAtMs", last_success_at AS "lastSuccessAtMs", detail`;
const report: Statement = {
  name: 'heartbeats_report',
  text: `INSERT INTO heartbeats (name, last_heartbeat_at, last_success_at, detail)
         VALUES ($1, $2, CASE WHEN $3 THEN $2::timestamptz END, $4)
         ON CONFLICT (name) DO UPDATE SET last_heartbeat_at = EXCLUDED.last_heartbeat_at, detail = EXCLUDED.detail,
           last_success_at = coalesce(EXCLUDED.last_success_at, heartbeats.last_success_at)`,
};
const selectByName: Statement = {
  name: 'heartbeats_by_name',
  text: `SELECT ${columns} FROM heartbeats WHERE name = $1`,
};
const selectAll: Statement = { name: 'heartbeats_all', text: `SELECT ${columns} FROM heartbeats ORDER BY name` };

export function createHeartbeats(sql: Sql): HeartbeatStore {
  return {
    async report({ name, nowMs, succeeded, detail }) {
      await sql.count(report, [name, new Date(nowMs), succeeded, JSON.stringify(detail ?? {})]);
    },
    byName: (name) => sql.row<HeartbeatRecord>(selectByName, [name]),
    all: () => sql.rows<HeartbeatRecord>(selectAll),
  };
}

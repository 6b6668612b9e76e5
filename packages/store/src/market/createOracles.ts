import { type MarketRow, marketRecordOf } from '@core/market';
import type { Sql, Statement } from '../database/sql.ts';
import { announceChange } from './announceMarket.ts';
import { columns, touched } from './marketRows.ts';

/** An oracle of whose markets none is quoted on until an operator says otherwise. */
export interface StoppedOracle {
  /** In lower case. */
  readonly address: string;
  readonly reason: string;
  /** On the service clock. */
  readonly stoppedAtMs: number;
}

/** Reason that disables a market of a stopped oracle. A market that an operator disabled keeps its own reason. */
const oracleStopped = 'oracle_stopped';

/** A stop and a listing exclude each other, or a market listed meanwhile would be quoted on. */
const excludeOthers: Statement = {
  name: 'oracles_lock',
  text: "SELECT pg_advisory_xact_lock(hashtextextended('stopped_oracles', 0))",
};
const insert: Statement = {
  name: 'oracles_stop',
  text: 'INSERT INTO stopped_oracles (address, reason, stopped_at) VALUES (lower($1), $2, $3) ON CONFLICT DO NOTHING',
};
const remove: Statement = { name: 'oracles_resume', text: 'DELETE FROM stopped_oracles WHERE address = lower($1)' };
const selectAll: Statement = {
  name: 'oracles_stopped',
  text: 'SELECT address, reason, stopped_at AS "stoppedAtMs" FROM stopped_oracles ORDER BY stopped_at, address',
};
const setReason: Statement = {
  name: 'oracles_disable_markets',
  text: `UPDATE markets SET disabled_reason = $3, ${touched} WHERE lower(oracle_address) = lower($1)
           AND status <> 'finalized' AND disabled_reason IS NOT DISTINCT FROM $4 RETURNING ${columns}`,
};
const disableOfStopped: Statement = {
  name: 'oracles_disable_listed',
  text: `UPDATE markets SET disabled_reason = '${oracleStopped}' WHERE id = ANY($1) AND disabled_reason IS NULL
           AND lower(oracle_address) IN (SELECT address FROM stopped_oracles)`,
};

/** Disable what was listed just now and belongs to a stopped oracle. In the transaction of the listing. */
export async function disableListed(sql: Sql, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql.row(excludeOthers);
  await sql.count(disableOfStopped, [ids]);
}

/** `sql` is a transaction: the stop, its markets and their events commit together. */
export function createOracles(sql: Sql) {
  const change = async (address: string, nowMs: number, [from, to]: readonly [string | null, string | null]) => {
    for (const row of await sql.rows<MarketRow>(setReason, [address, new Date(nowMs), to, from])) {
      await announceChange(sql, { market: marketRecordOf(row), changed: ['disabledReason'], nowMs });
    }
  };
  return {
    stopped: (): Promise<readonly StoppedOracle[]> => sql.rows<StoppedOracle>(selectAll),
    /** Disable every market of the oracle that is not final, those listed later too. False when it was stopped. */
    async stop({ address, reason, stoppedAtMs }: StoppedOracle): Promise<boolean> {
      await sql.row(excludeOthers);
      const isNew = (await sql.count(insert, [address, reason, new Date(stoppedAtMs)])) === 1;
      if (isNew) await change(address, stoppedAtMs, [null, oracleStopped]);
      return isNew;
    },
    /** Enable what the stop disabled. False when the oracle is not stopped. */
    async resume(address: string, nowMs: number): Promise<boolean> {
      await sql.row(excludeOthers);
      const wasStopped = (await sql.count(remove, [address])) === 1;
      if (wasStopped) await change(address, nowMs, [oracleStopped, null]);
      return wasStopped;
    },
  };
}

export type OracleStore = ReturnType<typeof createOracles>;

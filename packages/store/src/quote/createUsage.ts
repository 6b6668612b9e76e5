import { usdcUnits, usdPips } from '@core/pricing';
import { selectListOf } from '../database/columns.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { counterKeyOf, counterKeysOf } from './counterKeys.ts';
import type { ReservationRecord, UsageByScope, UsageCounters, UsageStore } from './usage.ts';

const counterFields = [
  'inFlightNotionalUsdPips',
  'inFlightBorrowUsdcUnits',
  'activeNotionalUsdPips',
  'pendingBorrowUsdcUnits',
  'lentBorrowUsdcUnits',
] as const satisfies readonly (keyof UsageCounters)[];
const counterColumns = selectListOf(['key', ...counterFields]);

const reservationFields = [
  'positionKey',
  'state',
  ...counterFields,
  'quotedNotionalUsdPips',
  'quotedBorrowUsdcUnits',
  'releaseAtMs',
] as const satisfies readonly (keyof ReservationRecord)[];

const selectCounters: Statement = {
  name: 'usage_read',
  text: `SELECT ${counterColumns} FROM usage_counters WHERE key = ANY($1)`,
};
const selectMarketCounters: Statement = {
  name: 'usage_read_markets',
  text: `SELECT ${counterColumns} FROM usage_counters WHERE key LIKE 'market:%' OR key LIKE 'side:%'`,
};
const setPosition: Statement = {
  name: 'usage_set',
  text: 'SELECT set_position_usage($1, $2, $3, $4, $5, $6)',
};
const forgetPosition: Statement = { name: 'usage_forget', text: 'SELECT forget_position_usage($1, $2)' };
const selectDue: Statement = {
  name: 'usage_due',
  text: `SELECT position_key AS "positionKey" FROM reservations
         WHERE state = 'live' AND release_at <= $1 ORDER BY release_at LIMIT $2`,
};
const release: Statement = { name: 'usage_release', text: 'SELECT release_reservation($1, $2) AS "isReleased"' };
const selectReservation: Statement = {
  name: 'usage_reservation',
  text: `SELECT ${selectListOf(reservationFields)} FROM reservations WHERE position_key = $1`,
};

const noUsage: UsageCounters = {
  inFlightNotionalUsdPips: usdPips(0n),
  inFlightBorrowUsdcUnits: usdcUnits(0n),
  activeNotionalUsdPips: usdPips(0n),
  pendingBorrowUsdcUnits: usdcUnits(0n),
  lentBorrowUsdcUnits: usdcUnits(0n),
};

type CounterRow = UsageCounters & { readonly key: string };

/** Reads and moves usage. Every move is one statement whose effect depends only on the stored reservation. */
export function createUsage(sql: Sql): UsageStore {
  return {
    async read({ partnerId, walletAddress, marketId, clusterKey }) {
      const keys: Record<keyof UsageByScope, string> = {
        user: counterKeyOf.user(partnerId, walletAddress),
        market: counterKeyOf.market(marketId),
        yes: counterKeyOf.side(marketId, 'yes'),
        no: counterKeyOf.side(marketId, 'no'),
        cluster: counterKeyOf.cluster(clusterKey ?? ''),
        partner: counterKeyOf.partner(partnerId),
        global: counterKeyOf.global,
      };
      const rows = await sql.rows<CounterRow>(selectCounters, [Object.values(keys)]);
      const byKey = new Map(rows.map((row) => [row.key, row]));
      const of = (scope: keyof UsageByScope): UsageCounters => byKey.get(keys[scope]) ?? noUsage;
      return {
        user: of('user'),
        market: of('market'),
        yes: of('yes'),
        no: of('no'),
        cluster: of('cluster'),
        partner: of('partner'),
        global: of('global'),
      };
    },
    async readMarkets() {
      const rows = await sql.rows<CounterRow>(selectMarketCounters);
      return new Map(rows.map((row) => [row.key, row]));
    },
    async setPosition(usage) {
      const keys = counterKeysOf(usage.scope).map(({ key }) => key);
      const { positionKey, activeNotionalUsdPips, pendingBorrowUsdcUnits, lentBorrowUsdcUnits } = usage;
      const values = [
        positionKey,
        keys,
        activeNotionalUsdPips,
        pendingBorrowUsdcUnits,
        lentBorrowUsdcUnits,
        new Date(0),
      ];
      await sql.row(setPosition, values);
    },
    async forgetPosition(positionKey, nowMs) {
      await sql.row(forgetPosition, [positionKey, new Date(nowMs)]);
    },
    async releaseExpired(nowMs, limit) {
      const at = new Date(nowMs);
      const due = await sql.rows<{ positionKey: string }>(selectDue, [at, limit]);
      const released: string[] = [];
      // One statement each: a batch would hold counters of several users at once and could deadlock with a reserve.
      for (const { positionKey } of due) {
        const row = await sql.row<{ isReleased: boolean }>(release, [positionKey, at]);
        if (row?.isReleased === true) {
          released.push(positionKey);
        }
      }
      return released;
    },
    reservation: (positionKey) => sql.row<ReservationRecord>(selectReservation, [positionKey]),
  };
}

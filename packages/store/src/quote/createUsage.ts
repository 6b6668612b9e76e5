import { noUsage, type UsageByScope, type UsageCounters } from '@core/policy';
import { selectListOf } from '../database/columns.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { counterKeyOf, counterKeysOf, counterScopes } from './counterKeys.ts';
import type { PositionUsage, ReservationRecord, UsageMove, UsageScope, UsageStore } from './usage.ts';

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

const removeEmpty: Statement = {
  name: 'usage_remove_empty',
  // What another transaction holds is about to count again: nothing here ever waits.
  text: `DELETE FROM usage_counters WHERE key IN (
           SELECT key FROM usage_counters WHERE in_flight_notional_usd_pips = 0 AND in_flight_borrow_usdc_units = 0
             AND active_notional_usd_pips = 0 AND pending_borrow_usdc_units = 0 AND lent_borrow_usdc_units = 0
           LIMIT $1 FOR UPDATE SKIP LOCKED)`,
};

const lockReservations: Statement = {
  name: 'usage_lock_reservations',
  text: 'SELECT 1 FROM reservations WHERE position_key = ANY($1) ORDER BY position_key FOR UPDATE',
};
/** Counters of the reservations that are there, and of the scopes that are named, by rank and key. */
const lockCounters: Statement = {
  name: 'usage_lock_counters',
  text: `SELECT 1 FROM usage_counters AS counter WHERE counter.key = ANY(
           ARRAY(SELECT unnest(counter_keys) FROM reservations WHERE position_key = ANY($1)) || $2::text[])
         ORDER BY array_position($3::text[], split_part(counter.key, ':', 1)), counter.key FOR UPDATE OF counter`,
};

type CounterRow = UsageCounters & { readonly key: string };

/** Reads and moves usage. Every move is one statement whose effect depends only on the stored reservation. */
export function createUsage(sql: Sql): UsageStore {
  return {
    async read({ partnerId, walletAddress, marketId, clusterKey }) {
      const keys = keysOf({ partnerId, walletAddress, marketId, clusterKey });
      return usageOf(keys, await countersOf(sql, Object.values(keys)));
    },
    async readMarkets(partnerId, markets) {
      // No wallet has this address: a list shows limits as for a wallet without positions.
      const keysOfMarket = ({ id, clusterKey }: (typeof markets)[number]): CounterKeys =>
        keysOf({ partnerId, walletAddress: '', marketId: id, clusterKey });
      const keys = new Set(markets.flatMap((market) => Object.values(keysOfMarket(market))));
      const counters = await countersOf(sql, [...keys]);
      return (market) => usageOf(keysOfMarket(market), counters);
    },
    setPosition: (usage) => setUsage(sql, usage),
    forgetPosition: (positionKey, nowMs) => forgetUsage(sql, positionKey, nowMs),
    async move(moves, nowMs) {
      const keyOf = (one: UsageMove): string => (one.kind === 'counted' ? one.usage.positionKey : one.positionKey);
      const positionKeys = moves.map(keyOf);
      const named = moves.flatMap((one) => (one.kind === 'counted' ? counterKeysOf(one.usage.scope) : []));
      await sql.rows(lockReservations, [positionKeys]);
      await sql.rows(lockCounters, [positionKeys, named.map(({ key }) => key), counterScopes]);
      for (const one of moves) {
        if (one.kind === 'counted') await setUsage(sql, one.usage);
        else await forgetUsage(sql, one.positionKey, nowMs);
      }
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
    removeEmpty: (limit) => sql.count(removeEmpty, [limit]),
    reservation: (positionKey) => sql.row<ReservationRecord>(selectReservation, [positionKey]),
  };
}

type CounterKeys = Readonly<Record<keyof UsageByScope, string>>;

function keysOf({ partnerId, walletAddress, marketId, clusterKey }: Omit<UsageScope, 'side'>): CounterKeys {
  return {
    user: counterKeyOf.user(partnerId, walletAddress),
    market: counterKeyOf.market(marketId),
    yes: counterKeyOf.side(marketId, 'yes'),
    no: counterKeyOf.side(marketId, 'no'),
    cluster: counterKeyOf.cluster(clusterKey ?? ''),
    partner: counterKeyOf.partner(partnerId),
    global: counterKeyOf.global,
  };
}

async function countersOf(sql: Sql, keys: readonly string[]): Promise<ReadonlyMap<string, CounterRow>> {
  const rows = await sql.rows<CounterRow>(selectCounters, [keys]);
  return new Map(rows.map((row) => [row.key, row]));
}

function usageOf(keys: CounterKeys, counters: ReadonlyMap<string, UsageCounters>): UsageByScope {
  const of = (scope: keyof UsageByScope): UsageCounters => counters.get(keys[scope]) ?? noUsage;
  return {
    user: of('user'),
    market: of('market'),
    yes: of('yes'),
    no: of('no'),
    cluster: of('cluster'),
    partner: of('partner'),
    global: of('global'),
  };
}

async function setUsage(sql: Sql, usage: PositionUsage): Promise<void> {
  const keys = counterKeysOf(usage.scope).map(({ key }) => key);
  const { positionKey, activeNotionalUsdPips, pendingBorrowUsdcUnits, lentBorrowUsdcUnits } = usage;
  const counted = [activeNotionalUsdPips, pendingBorrowUsdcUnits, lentBorrowUsdcUnits];
  await sql.row(setPosition, [positionKey, keys, ...counted, new Date(0)]);
}

async function forgetUsage(sql: Sql, positionKey: string, nowMs: number): Promise<void> {
  await sql.row(forgetPosition, [positionKey, new Date(nowMs)]);
}

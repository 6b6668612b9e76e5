import { noUsage, type UsageByScope, type UsageCounters } from '@core/policy';
import type { UsdcUnits, UsdPips } from '@core/pricing';
import { selectListOf } from '../database/columns.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { counterKeyOf, counterKeysOf, type UsageScope } from './counterKeys.ts';

export interface PositionUsage {
  readonly positionKey: string;
  readonly scope: UsageScope;
  readonly activeNotionalUsdPips: UsdPips;
  readonly pendingBorrowUsdcUnits: UsdcUnits;
  readonly lentBorrowUsdcUnits: UsdcUnits;
}

/** Changes of the counters after positions were folded again. */
export interface UsageMoves {
  readonly counted: readonly PositionUsage[];
  /** Positions that the chain forgot. */
  readonly forgotten: readonly string[];
}

export interface ReservationRecord {
  readonly positionKey: string;
  readonly state: 'live' | 'released' | 'used';
  readonly inFlightNotionalUsdPips: UsdPips;
  readonly inFlightBorrowUsdcUnits: UsdcUnits;
  readonly activeNotionalUsdPips: UsdPips;
  readonly pendingBorrowUsdcUnits: UsdcUnits;
  readonly lentBorrowUsdcUnits: UsdcUnits;
  readonly quotedNotionalUsdPips: UsdPips;
  readonly quotedBorrowUsdcUnits: UsdcUnits;
  readonly releaseAtMs: number;
}

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
/** Of every element of a JSON array; bigints are texts. */
const setPositions: Statement = {
  name: 'usage_set',
  text: `SELECT set_position_usage(usage.key, usage.scopes, usage.active, usage.pending, usage.lent, 'epoch')
         FROM jsonb_to_recordset($1) AS usage (key text, scopes text[], active bigint, pending bigint, lent bigint)`,
};
const forgetPositions: Statement = {
  name: 'usage_forget',
  text: 'SELECT forget_position_usage(key, $2) FROM unnest($1::text[]) AS key',
};
const selectDue: Statement = {
  name: 'usage_due',
  text: `SELECT position_key AS "positionKey" FROM reservations
         WHERE state = 'live' AND release_at <= $1 AND position_key <> ALL($3::text[]) ORDER BY release_at LIMIT $2`,
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
/** Lock the counters of existing reservations and of the named scopes, by rank and key. */
const lockCounters: Statement = {
  name: 'usage_lock_counters',
  text: `SELECT 1 FROM usage_counters AS counter WHERE counter.key = ANY(
           ARRAY(SELECT unnest(counter_keys) FROM reservations WHERE position_key = ANY($1)) || $2::text[])
         ORDER BY counter_rank(counter.key), counter.key FOR UPDATE OF counter`,
};

type CounterRow = UsageCounters & { readonly key: string };

/** Open the usage counters. Every move is one statement whose effect depends only on the stored reservation. */
export function createUsage(sql: Sql) {
  return {
    async read({ partnerId, walletAddress, marketId, clusterKey }: Omit<UsageScope, 'side'>): Promise<UsageByScope> {
      const keys = keysOf({ partnerId, walletAddress, marketId, clusterKey });
      return usageOf(keys, await countersOf(sql, Object.values(keys)));
    },
    /** Counters of the given markets, their sides and clusters, of the partner and of all, for a page of markets. */
    async readMarkets(
      partnerId: string,
      markets: readonly { readonly id: string; readonly clusterKey: string | null }[],
    ): Promise<(market: { readonly id: string; readonly clusterKey: string | null }) => UsageByScope> {
      // No wallet has this address: a list shows limits as for a wallet without positions.
      const keysOfMarket = ({ id, clusterKey }: (typeof markets)[number]): CounterKeys =>
        keysOf({ partnerId, walletAddress: '', marketId: id, clusterKey });
      const keys = new Set(markets.flatMap((market) => Object.values(keysOfMarket(market))));
      const counters = await countersOf(sql, [...keys]);
      return (market) => usageOf(keysOfMarket(market), counters);
    },
    /**
     * State what a position counts now; the counters move by the difference, so repeating a statement changes nothing.
     * The first call turns the key's reservation into usage, also when the reservation was released already.
     */
    setPosition: (usage: PositionUsage): Promise<void> => setUsages(sql, [usage]),
    /** The chain forgot the position: its reservation counts again, or is released when it has expired at `nowMs`. */
    forgetPosition: (positionKey: string, nowMs: number): Promise<void> => forgetUsages(sql, [positionKey], nowMs),
    /**
     * Several moves of one transaction. Everything they touch is locked first, in the order in which quotes lock it:
     * reservations by key, then counters by rank and key. So neither ever waits for the other in a circle.
     */
    async move({ counted, forgotten }: UsageMoves, nowMs: number): Promise<void> {
      const positionKeys = [...counted.map(({ positionKey }) => positionKey), ...forgotten];
      const named = counted.flatMap(({ scope }) => counterKeysOf(scope));
      await sql.rows(lockReservations, [positionKeys]);
      await sql.rows(lockCounters, [positionKeys, named]);
      await setUsages(sql, counted);
      await forgetUsages(sql, forgotten, nowMs);
    },
    /** Return the position keys of reservations whose grace has passed, the oldest first, without those named. */
    async dueReservations({
      nowMs,
      except,
      limit,
    }: {
      readonly nowMs: number;
      readonly except: readonly string[];
      readonly limit: number;
    }): Promise<readonly string[]> {
      const due = await sql.rows<{ positionKey: string }>(selectDue, [new Date(nowMs), limit, except]);
      return due.map(({ positionKey }) => positionKey);
    },
    /**
     * Release a reservation whose grace has passed. False when it was released before. Each is a statement of its own:
     * a batch would hold counters of several users at once and could deadlock with a reserve.
     */
    async releaseReservation(positionKey: string, nowMs: number): Promise<boolean> {
      return (await sql.row<{ isReleased: boolean }>(release, [positionKey, new Date(nowMs)]))?.isReleased === true;
    },
    /**
     * Delete at most `limit` counters in which nothing is counted. Return their number. A later use creates them again.
     */
    removeEmpty: (limit: number): Promise<number> => sql.count(removeEmpty, [limit]),
    reservation: (positionKey: string): Promise<ReservationRecord | null> =>
      sql.row<ReservationRecord>(selectReservation, [positionKey]),
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

async function setUsages(sql: Sql, usages: readonly PositionUsage[]): Promise<void> {
  if (usages.length === 0) return;
  const rows = usages.map((usage) => ({
    key: usage.positionKey,
    scopes: counterKeysOf(usage.scope),
    active: String(usage.activeNotionalUsdPips),
    pending: String(usage.pendingBorrowUsdcUnits),
    lent: String(usage.lentBorrowUsdcUnits),
  }));
  await sql.rows(setPositions, [JSON.stringify(rows)]);
}

async function forgetUsages(sql: Sql, positionKeys: readonly string[], nowMs: number): Promise<void> {
  if (positionKeys.length > 0) await sql.rows(forgetPositions, [positionKeys, new Date(nowMs)]);
}

export type UsageStore = ReturnType<typeof createUsage>;

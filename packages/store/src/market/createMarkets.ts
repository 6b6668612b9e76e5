import { columnOf, insertTextOf, selectListOf, valuesOf } from '../database/columns.ts';
import { encodeDomainJson } from '../database/domainJson.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { createId } from '../ids.ts';
import { createOutbox } from '../position/createOutbox.ts';
import type {
  CatalogueChanges,
  ListedMarket,
  MarketPayouts,
  MarketRecord,
  MarketStore,
  StatusMove,
} from './markets.ts';
import { marketTransitions } from './marketTransitions.ts';

/** What the venue may change on a listed market; its condition, question and tokens are its identity. */
const refreshedFields = [
  'oracleAddress',
  'title',
  'yesSubTitle',
  'category',
  'eventTicker',
  'eventTitle',
  'seriesTicker',
  'clusterKey',
  'tags',
  'closeTimeMs',
  'latestEnterAtMs',
  'record',
] as const satisfies readonly (keyof ListedMarket)[];

const identityFields = [
  'ticker',
  'venueMarketId',
  'questionId',
  'yesTokenId',
  'noTokenId',
] as const satisfies readonly (keyof ListedMarket)[];

const insertFields = ['id', ...identityFields, ...refreshedFields, 'status', 'discoveredAtMs', 'updatedAtMs'] as const;

const fields = [
  ...insertFields,
  'yesOutcomeId',
  'noOutcomeId',
  'payoutNumerators',
  'payoutDenominator',
  'payoutsReportedAtMs',
  'disabledReason',
  'version',
] as const satisfies readonly (keyof MarketRecord)[];

/** Changes only the keeper cares about do not make a `market.updated`. */
const shownFields = refreshedFields.filter((field) => !['record', 'oracleAddress', 'clusterKey'].includes(field));

const columns = selectListOf(fields);
const selectBy = (name: string, condition: string): Statement => ({
  name: `markets_${name}`,
  text: `SELECT ${columns} FROM markets WHERE ${condition}`,
});
const selectByTicker = selectBy('by_ticker', 'ticker = $1');
const selectById = selectBy('by_id', 'id = $1');
const selectByToken = selectBy('by_token', 'yes_token_id = $1 OR no_token_id = $1');
const selectByVenueMarket = selectBy('by_venue_market', 'venue_market_id = lower($1)');
const selectAll = selectBy('all', 'true ORDER BY ticker');
const selectChanged = selectBy('changed', 'version > $1 ORDER BY version');
const insert: Statement = {
  name: 'markets_insert',
  text: `${insertTextOf('markets', insertFields)} RETURNING ${columns}`.replace(
    'RETURNING',
    'ON CONFLICT DO NOTHING RETURNING',
  ),
};
const touched = 'version = next_market_version(), updated_at = $2';
const refresh: Statement = {
  name: 'markets_refresh',
  text: `UPDATE markets SET ${refreshedFields.map((field, index) => `${columnOf(field)} = $${index + 3}`).join(', ')},
         ${touched} WHERE id = $1 RETURNING ${columns}`,
};
const moveStatus: Statement = {
  name: 'markets_move_status',
  text: `UPDATE markets SET status = $3, ${touched} WHERE id = $1 AND status = ANY($4)`,
};
const recordOutcome: Statement = {
  name: 'markets_outcome',
  text: `UPDATE markets SET yes_outcome_id = CASE WHEN yes_token_id = $1 THEN $3 ELSE yes_outcome_id END,
           no_outcome_id = CASE WHEN no_token_id = $1 THEN $3 ELSE no_outcome_id END, ${touched}
         WHERE (yes_token_id = $1 AND yes_outcome_id IS DISTINCT FROM $3)
            OR (no_token_id = $1 AND no_outcome_id IS DISTINCT FROM $3)`,
};
const recordPayouts: Statement = {
  name: 'markets_payouts',
  text: `UPDATE markets SET payout_numerators = $3, payout_denominator = $4,
           payouts_reported_at = coalesce(payouts_reported_at, $2), ${touched}
         WHERE venue_market_id = lower($1)
           AND (payout_numerators IS DISTINCT FROM $3 OR payout_denominator IS DISTINCT FROM $4)`,
};
const setDisabled: Statement = {
  name: 'markets_disable',
  text: `UPDATE markets SET disabled_reason = $3, ${touched} WHERE id = $1`,
};

/** Payouts are uint256 and therefore text in the table. */
type MarketRow = Omit<MarketRecord, 'payoutNumerators' | 'payoutDenominator'> & {
  readonly payoutNumerators: readonly string[] | null;
  readonly payoutDenominator: string | null;
};

function recordOf(row: MarketRow): MarketRecord {
  return {
    ...row,
    payoutNumerators: (row.payoutNumerators ?? []).map(BigInt),
    payoutDenominator: row.payoutDenominator === null ? null : BigInt(row.payoutDenominator),
  };
}

/** `sql` must be a transaction for `sync`, so that its outbox events and rows commit together. */
export function createMarkets(sql: Sql): MarketStore {
  const one = async (statement: Statement, value: string): Promise<MarketRecord | null> => {
    const row = await sql.row<MarketRow>(statement, [value]);
    return row === null ? null : recordOf(row);
  };
  const several = async (statement: Statement, values: readonly unknown[] = []): Promise<readonly MarketRecord[]> =>
    (await sql.rows<MarketRow>(statement, values)).map(recordOf);
  return {
    byTicker: (ticker) => one(selectByTicker, ticker),
    byId: (id) => one(selectById, id),
    byTokenId: (tokenId) => one(selectByToken, tokenId),
    byVenueMarketId: (venueMarketId) => one(selectByVenueMarket, venueMarketId),
    all: () => several(selectAll),
    changedSince: (version) => several(selectChanged, [version]),
    sync: (listed, nowMs) => sync(sql, listed, nowMs),
    async moveStatus(id, status, nowMs): Promise<StatusMove> {
      const allowed = Object.entries(marketTransitions).filter(([, targets]) => targets.includes(status));
      const from = allowed.map(([source]) => source);
      if ((await sql.count(moveStatus, [id, new Date(nowMs), status, from])) === 1) {
        return 'moved';
      }
      const market = await one(selectById, id);
      if (market === null) {
        return 'unknown_market';
      }
      return market.status === status ? 'unchanged' : 'illegal';
    },
    async recordOutcomes(outcomes, nowMs) {
      for (const { tokenId, outcomeId } of outcomes) {
        await sql.count(recordOutcome, [tokenId, new Date(nowMs), outcomeId]);
      }
    },
    recordPayouts: (payouts) => storePayouts(sql, payouts),
    async setDisabled(id, disabledReason, nowMs) {
      return (await sql.count(setDisabled, [id, new Date(nowMs), disabledReason])) === 1;
    },
  };
}

async function storePayouts(
  sql: Sql,
  { venueMarketId, numerators, denominator, nowMs }: MarketPayouts,
): Promise<boolean> {
  const values = [venueMarketId, new Date(nowMs), numerators.map(String), denominator.toString()];
  return (await sql.count(recordPayouts, values)) === 1;
}

async function sync(sql: Sql, listed: readonly ListedMarket[], nowMs: number): Promise<CatalogueChanges> {
  const known = new Map((await sql.rows<MarketRow>(selectAll)).map((row) => [row.venueMarketId, recordOf(row)]));
  const discovered: MarketRecord[] = [];
  const updated: MarketRecord[] = [];
  for (const entry of listed) {
    const market = { ...entry, venueMarketId: entry.venueMarketId.toLowerCase() };
    const before = known.get(market.venueMarketId);
    if (before === undefined) {
      const record = await insertMarket(sql, market, nowMs);
      if (record !== null) {
        discovered.push(record);
      }
    } else if (refreshedFields.some((field) => isDifferent(before[field], market[field]))) {
      const record = await refreshMarket(sql, { id: before.id, market, nowMs });
      if (shownFields.some((field) => isDifferent(before[field], market[field]))) {
        updated.push(record);
      }
    }
  }
  await createOutbox(sql).append([
    ...discovered.map((record) => entryOf('market.discovered', record, nowMs)),
    ...updated.map((record) => entryOf('market.updated', record, nowMs)),
  ]);
  return { discovered, updated };
}

/** Null when a concurrent sync listed the market first, or its ticker belongs to another condition. */
async function insertMarket(sql: Sql, market: ListedMarket, nowMs: number): Promise<MarketRecord | null> {
  const row = await sql.row<MarketRow>(
    insert,
    valuesOf(insertFields, {
      ...market,
      id: createId('mkt', nowMs),
      status: 'active',
      discoveredAtMs: nowMs,
      updatedAtMs: nowMs,
    }),
  );
  return row === null ? null : recordOf(row);
}

async function refreshMarket(
  sql: Sql,
  { id, market, nowMs }: { readonly id: string; readonly market: ListedMarket; readonly nowMs: number },
): Promise<MarketRecord> {
  const row = await sql.row<MarketRow>(refresh, [id, new Date(nowMs), ...valuesOf(refreshedFields, market)]);
  if (row === null) {
    throw new Error(`market ${id} went away`);
  }
  return recordOf(row);
}

function isDifferent(left: unknown, right: unknown): boolean {
  return canonicalOf(left) !== canonicalOf(right);
}

/** jsonb does not keep the order of keys, so both sides are written with sorted ones. */
function canonicalOf(value: unknown): string {
  return JSON.stringify(JSON.parse(encodeDomainJson(value ?? null)), (_key, entry: unknown) =>
    typeof entry === 'object' && entry !== null && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([left], [right]) => (left < right ? -1 : 1)))
      : entry,
  );
}

function entryOf(type: 'market.discovered' | 'market.updated', { id, ticker }: MarketRecord, nowMs: number) {
  return {
    id: createId('evt', nowMs),
    type,
    partnerId: null,
    walletAddress: null,
    positionId: null,
    marketId: id,
    payload: { ticker },
    createdAtMs: nowMs,
  };
}

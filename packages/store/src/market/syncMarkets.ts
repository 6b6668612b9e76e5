import { type ListedMarket, type MarketRecord, type MarketRow, marketRecordOf, refreshedFields } from '@core/market';
import { lowerHex } from '@core/position';
import { columnOf, insertTextOf, valuesOf } from '../database/columns.ts';
import { encodeDomainJson } from '../database/domainJson.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { createId } from '../ids.ts';
import { announceDiscoveries, announceRefresh } from './announceMarket.ts';
import { disableListed } from './createOracles.ts';
import { columns, insertFields, touched } from './marketRows.ts';
import type { CatalogueChanges } from './markets.ts';

/** Changes only the keeper cares about do not make a `market.updated`. */
const shownFields = refreshedFields.filter((field) => !['record', 'oracleAddress', 'clusterKey'].includes(field));

const selectListed: Statement = {
  name: 'markets_listed',
  text: `SELECT ${columns} FROM markets WHERE venue_market_id = ANY($1)`,
};
const insert: Statement = {
  name: 'markets_insert',
  text: `${insertTextOf('markets', insertFields)} RETURNING ${columns}`.replace(
    'RETURNING',
    'ON CONFLICT DO NOTHING RETURNING',
  ),
};
const refresh: Statement = {
  name: 'markets_refresh',
  text: `UPDATE markets SET ${refreshedFields.map((field, index) => `${columnOf(field)} = $${index + 3}`).join(', ')},
         ${touched} WHERE id = $1 RETURNING ${columns}`,
};
/** Write what the venue lists now: new markets, and known ones where they differ. */
export async function syncMarkets(sql: Sql, listed: readonly ListedMarket[], nowMs: number): Promise<CatalogueChanges> {
  const venueMarketIds = listed.map(({ venueMarketId }) => venueMarketId.toLowerCase());
  const rows = venueMarketIds.length === 0 ? [] : await sql.rows<MarketRow>(selectListed, [venueMarketIds]);
  const byVenueMarketId = new Map(rows.map((row) => [row.venueMarketId, marketRecordOf(row)]));
  const discovered: MarketRecord[] = [];
  const updated: MarketRecord[] = [];
  const changedOracle: string[] = [];
  for (const entry of listed) {
    const market = { ...entry, venueMarketId: lowerHex(entry.venueMarketId) };
    const before = byVenueMarketId.get(market.venueMarketId);
    if (before === undefined) {
      const record = await insertMarket(sql, market, nowMs);
      if (record !== null) discovered.push(record);
    } else if (refreshedFields.some((field) => isDifferent(before[field], market[field]))) {
      const record = await refreshMarket(sql, { id: before.id, market, nowMs });
      if (isDifferent(before.oracleAddress, market.oracleAddress)) changedOracle.push(before.id);
      const changed = shownFields.filter((field) => isDifferent(before[field], market[field]));
      if (changed.length > 0) {
        updated.push(record);
        await announceRefresh(sql, { market: record, changed, nowMs });
      }
    }
  }
  await disableListed(sql, [...discovered.map(({ id }) => id), ...changedOracle]);
  await announceDiscoveries(sql, discovered, nowMs);
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
  return row === null ? null : marketRecordOf(row);
}

async function refreshMarket(
  sql: Sql,
  { id, market, nowMs }: { readonly id: string; readonly market: ListedMarket; readonly nowMs: number },
): Promise<MarketRecord> {
  const row = await sql.row<MarketRow>(refresh, [id, new Date(nowMs), ...valuesOf(refreshedFields, market)]);
  if (row === null) {
    throw new Error(`market ${id} went away`);
  }
  return marketRecordOf(row);
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

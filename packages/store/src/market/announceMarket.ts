import type { MarketRecord } from '@core/market';
import type { Sql, Statement } from '../database/sql.ts';
import { createId } from '../ids.ts';
import { createOutbox } from '../outbox/createOutbox.ts';
import type { MarketEventType, MarketPayload, OutboxEntry, PositionEventType } from '../outbox/outbox.ts';
import { createPositions } from '../position/createPositions.ts';
import { positionEntryOf } from '../position/positionEntry.ts';

/** Changes of one market this close together are one for a reader: a later one names what the earlier one named. */
const gatheredMs = 1_000;

const selectRecent: Statement = {
  name: 'outbox_recent_market_change',
  text: `SELECT payload FROM outbox_events WHERE market_id = $1 AND partner_id IS NULL AND type = 'market.updated'
           AND created_at > $2 ORDER BY sequence DESC LIMIT 1`,
};

interface Change {
  readonly market: MarketRecord;
  /** Fields of the record that a client could see a difference in. */
  readonly changed: readonly string[];
  readonly nowMs: number;
}

/** Write `market.discovered` for each. */
export async function announceDiscoveries(sql: Sql, markets: readonly MarketRecord[], nowMs: number): Promise<void> {
  const entries = markets.map((market) => entryOf({ type: 'market.discovered', market, changed: [], nowMs }));
  await createOutbox(sql).append(entries);
}

/** Write `market.updated`. */
export async function announceChange(sql: Sql, { market, changed, nowMs }: Change): Promise<void> {
  const row = await sql.row<{ payload: MarketPayload }>(selectRecent, [market.id, new Date(nowMs - gatheredMs)]);
  const gathered = [...new Set([...(row?.payload.changed ?? []), ...changed])];
  await createOutbox(sql).append([entryOf({ type: 'market.updated', market, changed: gathered, nowMs })]);
}

/** Fields of a market that its positions show. */
const shownByPositions: ReadonlySet<string> = new Set(['title', 'closeTimeMs']);

/** A refreshed market, and its positions where they show what changed. */
export async function announceRefresh(sql: Sql, change: Change): Promise<void> {
  await announceChange(sql, change);
  if (!change.changed.some((field) => shownByPositions.has(field))) return;
  await announceToPositions(sql, { market: change.market, type: 'position.updated', nowMs: change.nowMs });
}

/** A market in another status, and its positions: their settlement has come another step. */
export async function announceMove(sql: Sql, market: MarketRecord, nowMs: number): Promise<void> {
  await announceChange(sql, { market, changed: ['status'], nowMs });
  await announceToPositions(sql, { market, type: 'position.settlement_state_changed', nowMs });
}

/** One event for each position of the market that is not finished, with the market as it is now. */
export async function announceToPositions(
  sql: Sql,
  { market, type, nowMs }: { readonly market: MarketRecord; readonly type: PositionEventType; readonly nowMs: number },
): Promise<void> {
  const positions = await createPositions(sql).activeOfMarket(market.id);
  const owned = positions.filter(({ partnerId }) => partnerId !== null);
  await createOutbox(sql).append(owned.map((position) => positionEntryOf({ type, position, market, nowMs })));
}

function entryOf({ type, market, changed, nowMs }: Change & { readonly type: MarketEventType }): OutboxEntry {
  const payload: MarketPayload = { ticker: market.ticker, changed, version: market.version };
  return {
    id: createId('evt', nowMs),
    type,
    partnerId: null,
    walletAddress: null,
    positionId: null,
    marketId: market.id,
    payload,
    createdAtMs: nowMs,
  };
}

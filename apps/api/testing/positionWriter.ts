import { type Position } from '@core/position';
import { sampleNowMs, samplePosition } from '@core/position/testing';
import {
  createId,
  type MarketRecord,
  type OutboxEntry,
  positionPayloadOf,
  putAnnounced,
  type Store,
} from '@core/store';

export interface WrittenPosition {
  readonly number: number;
  readonly partnerId: string;
  readonly walletAddress: string;
  readonly market: MarketRecord;
  readonly status: Position['status'];
  readonly changes?: Partial<Position>;
}

/** A position as the keeper's fold would make it. */
export function writtenPosition({
  number,
  partnerId,
  walletAddress,
  market,
  status,
  changes,
}: WrittenPosition): Position {
  return samplePosition(number, {
    partnerId,
    walletAddress: walletAddress.toLowerCase(),
    marketId: market.id,
    status,
    ...changes,
  });
}

/** Writes a position and one event of the given type, in one transaction and by the store's own code. */
export async function writePosition(store: Store, position: Position, type: string | null): Promise<void> {
  await store.transaction(async (unit) => {
    await unit.positions.lockProjections([position.positionKey]);
    const market = await unit.markets.lockByVenueMarketId(await venueMarketIdOf(store, position));
    const entries = type === null ? [] : [entryOf(position, market, type)];
    const history = { position, transactions: [], unwinds: [], partialCloses: [] };
    await putAnnounced(unit, { history, market, entries, nowMs: sampleNowMs });
  });
}

/** Appends a notification about a position. */
export async function notify(
  store: Store,
  position: Position,
  { code, ...params }: { readonly code: string; readonly [param: string]: string | number },
): Promise<void> {
  const payload = { code, params: { position_id: position.id, ...params } };
  await store.transaction((unit) => unit.outbox.append([{ ...entryOf(position, null, 'notification'), payload }]));
}

async function venueMarketIdOf(store: Store, { marketId }: Position): Promise<string> {
  return (await store.markets.byId(marketId ?? ''))?.venueMarketId ?? '';
}

function entryOf(position: Position, market: MarketRecord | null, type: string): OutboxEntry {
  return {
    id: createId('evt', Date.now()),
    type,
    partnerId: position.partnerId,
    walletAddress: position.walletAddress,
    positionId: position.id,
    marketId: position.marketId,
    payload: positionPayloadOf(position, market),
    createdAtMs: sampleNowMs,
  };
}

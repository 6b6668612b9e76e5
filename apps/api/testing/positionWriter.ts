import type { MarketRecord } from '@core/market';
import { type Hex, lowerHex, type Position } from '@core/position';
import { sampleNowMs, samplePosition } from '@core/position/testing';
import {
  createId,
  type OutboxEntry,
  type PositionEventType,
  positionPayloadOf,
  putAnnounced,
  type Store,
} from '@core/store';
import type { NotificationCode } from '@core/wire';

export interface WrittenPosition {
  readonly number: number;
  readonly partnerId: string;
  readonly walletAddress: Hex;
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
    walletAddress: lowerHex(walletAddress),
    marketId: market.id,
    status,
    ...changes,
  });
}

/** Write a position and one event of the given type, in one transaction and by the store's own code. */
export async function writePosition(store: Store, position: Position, type: PositionEventType | null): Promise<void> {
  await store.transaction(async (unit) => {
    await unit.positions.lockProjections([position.positionKey]);
    const [market = null] = await unit.markets.lockByVenueMarketIds([await venueMarketIdOf(store, position)]);
    const entries = type === null ? [] : [entryOf(position, market, type)];
    const history = { position, transactions: [], unwinds: [], partialCloses: [], ledger: [] };
    await putAnnounced(unit, [{ history, market, entries }], sampleNowMs);
  });
}

/** Append a notification about a position. */
export async function notify(
  store: Store,
  position: Position,
  { code, ...params }: { readonly code: NotificationCode; readonly [param: string]: string | number },
): Promise<void> {
  const payload = { code, params: { position_id: position.id, ...params } };
  const entry = { ...entryOf(position, null, 'position.updated'), type: 'notification', payload } as const;
  await store.transaction((unit) => unit.outbox.append([entry]));
}

async function venueMarketIdOf(store: Store, { marketId }: Position): Promise<string> {
  return (await store.markets.byId(marketId ?? ''))?.venueMarketId ?? '';
}

function entryOf(position: Position, market: MarketRecord | null, type: PositionEventType): OutboxEntry {
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

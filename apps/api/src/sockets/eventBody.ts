import type { MarketPayload, OutboxRecord, PositionPayload } from '@core/store';
import {
  isoTimeOf,
  type MarketWire,
  type NotificationCode,
  notifications,
  type PositionWire,
  wireIdOf,
} from '@core/wire';
import type { MarketDirectory } from '../markets/marketDirectory.ts';
import { presentPosition } from '../positions/presentPosition.ts';

/** An event frame after its number: what every connection that gets the event shares. */
export function eventBodyOf(
  { id, type, createdAtMs }: Pick<OutboxRecord, 'id' | 'type' | 'createdAtMs'>,
  data: unknown,
): Buffer {
  const rest = JSON.stringify({ id, type, created_at: isoTimeOf(createdAtMs), data });
  return Buffer.from(`,${rest.slice(1)}`);
}

/** What an event of a position says: the position as it was right after it, at the mark of now. */
export function positionDataOf(
  { payload, createdAtMs }: OutboxRecord,
  { markets, idNamespace }: { readonly markets: Pick<MarketDirectory, 'byTicker'>; readonly idNamespace: string },
): PositionWire {
  const { position, market } = payload as PositionPayload;
  return presentPosition(
    {
      position: { ...position, marketTicker: market?.ticker ?? '', marketTitle: market?.title ?? null },
      market: market && { record: market, snapshot: markets.byTicker(market.ticker)?.snapshot ?? null },
      nowMs: createdAtMs,
      unwinds: null,
      executed: null,
    },
    idNamespace,
  );
}

interface StoredNotification {
  readonly code: NotificationCode;
  readonly params: Readonly<Record<string, string | number>>;
}

/** A notification with its sentence. */
export function notificationDataOf({ payload }: OutboxRecord, idNamespace: string) {
  const { code, params } = payload as StoredNotification;
  const positionId = wireIdOf(String(params['position_id']), idNamespace);
  return { code, message: notifications[code].message, params: { ...params, position_id: positionId } };
}

const eligibility = ['accepting_new_positions', 'rejection_reason_code', 'sided_eligibility'] as const;
const limits = [
  'leverage',
  'max_notional_yes_usd_pips',
  'max_notional_yes_usd',
  'max_notional_no_usd_pips',
  'max_notional_no_usd',
  'capacity_max_notional_yes_usd_pips',
  'capacity_max_notional_yes_usd',
  'capacity_max_notional_no_usd_pips',
  'capacity_max_notional_no_usd',
  'slippage_max_notional_yes_usd_pips',
  'slippage_max_notional_yes_usd',
  'slippage_max_notional_no_usd_pips',
  'slippage_max_notional_no_usd',
] as const;
const whatOpeningTakes = [...eligibility, ...limits] as const;

/** Wire fields in which a change of the record shows. */
const shownIn: Readonly<Record<string, readonly (keyof MarketWire)[]>> = {
  title: ['title'],
  yesSubTitle: ['yes_sub_title'],
  category: ['category'],
  eventTicker: ['event'],
  eventTitle: ['event'],
  seriesTicker: ['event'],
  tags: ['tags'],
  closeTimeMs: ['close_time', 'latest_enter_at'],
  latestEnterAtMs: ['latest_enter_at'],
  status: ['status', ...whatOpeningTakes],
  disabledReason: whatOpeningTakes,
  yesOutcomeId: whatOpeningTakes,
  noOutcomeId: whatOpeningTakes,
};

/** What an event of a market says to one partner: everything when it is new, else the fields that changed. */
export function marketDataOf({ type, payload }: OutboxRecord, wire: MarketWire): Partial<MarketWire> {
  if (type === 'market.discovered') return wire;
  const { changed } = payload as MarketPayload;
  const fields = new Set(changed.flatMap((field) => shownIn[field] ?? []));
  const shown = Object.entries(wire).filter(([name]) => fields.has(name as keyof MarketWire));
  return { ticker: wire.ticker, ...Object.fromEntries(shown) };
}

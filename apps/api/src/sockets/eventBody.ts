import {
  type EventMarket,
  type MarketEventRecord,
  type OutboxRecord,
  type PositionEventType,
  payloadOf,
} from '@core/store';
import { isoTimeOf, type MarketWire, notifications, type PositionWire, wireIdOf } from '@core/wire';
import type { PositionView, ShownMarket } from '../positions/observePositions.ts';
import { presentPosition } from '../positions/presentPosition.ts';

/** An event frame after its number: what every connection that gets the event shares. */
export function eventBodyOf(
  { id, type, createdAtMs }: Pick<OutboxRecord, 'id' | 'type' | 'createdAtMs'>,
  data: unknown,
): Buffer {
  const rest = JSON.stringify({ id, type, created_at: isoTimeOf(createdAtMs), data });
  return Buffer.from(`,${rest.slice(1)}`);
}

/** Function that finds a market in any status. */
export type FindMarket = (ticker: string) => Promise<ShownMarket | null>;

/**
 * Return the market that a position is shown with in its event. Until its payouts are known it is the present one: its
 * status and its mark are of one record, while that of the event may be newer or older than the mark. A market that was
 * final long ago may be unknown.
 */
async function shownMarketOf(market: EventMarket, findMarket: FindMarket): Promise<ShownMarket> {
  const present = market.payoutDenominator === null ? await findMarket(market.ticker) : null;
  return present ?? { record: market, snapshot: null };
}

/** Context of the data of a position's event. */
export interface PositionEventContext extends Pick<PositionView, 'policy'> {
  readonly findMarket: FindMarket;
  readonly idNamespace: string;
}

/** Return the data of a position's event: the position right after it, valued at the present mark. */
export async function positionDataOf(
  record: Extract<OutboxRecord, { readonly type: PositionEventType }>,
  { findMarket, policy, idNamespace }: PositionEventContext,
): Promise<PositionWire> {
  const { position, market } = payloadOf(record);
  return presentPosition(
    {
      position: { ...position, marketTicker: market?.ticker ?? '', marketTitle: market?.title ?? null },
      market: market && (await shownMarketOf(market, findMarket)),
      nowMs: record.createdAtMs,
      unwinds: null,
      executed: null,
      ledger: null,
      isBasisAsked: false,
      policy,
    },
    idNamespace,
  );
}

/** Return a notification with its sentence. */
export function notificationDataOf(
  record: Extract<OutboxRecord, { readonly type: 'notification' }>,
  idNamespace: string,
) {
  const { code, params } = payloadOf(record);
  return {
    code,
    message: notifications[code].message,
    params: { ...params, position_id: wireIdOf(params.position_id, idNamespace) },
  };
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
  noSubTitle: ['no_sub_title'],
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

/** Return the data of a market's event for one partner: everything when it is new, else the fields that changed. */
export function marketDataOf(record: MarketEventRecord, wire: MarketWire): Partial<MarketWire> {
  if (record.type === 'market.discovered') return wire;
  const fields = new Set<string>(payloadOf(record).changed.flatMap((field) => shownIn[field] ?? []));
  const changes = Object.entries(wire).filter(([name]) => fields.has(name));
  return { ticker: wire.ticker, ...Object.fromEntries(changes) };
}

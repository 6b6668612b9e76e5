import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  comparePlaces,
  type DatabaseSnapshot,
  type EventPlace,
  isMarketEvent,
  type OutboxRecord,
  type Store,
} from '@core/store';
import { type ServerFrame, socketLimits } from '@core/wire';
import { passes } from '../http/respond.ts';
import { type OnPoison, soundOnesOf } from '../http/soundOnes.ts';
import type { ObservePositions } from '../positions/observePositions.ts';
import { presentPosition } from '../positions/presentPosition.ts';
import type { Connection } from './connection.ts';
import { isFor } from './connections.ts';
import type { EventDispatch } from './eventDispatch.ts';
import type { EventFeed } from './eventFeed.ts';
import type { Turnstile } from './turnstile.ts';

export interface JoinOptions {
  readonly store: Pick<Store, 'readAtOnce' | 'positions' | 'outbox'>;
  readonly feed: Pick<EventFeed, 'place' | 'recent'>;
  readonly dispatch: Pick<EventDispatch, 'bodyOf' | 'marketBodyOf'>;
  readonly observe: ObservePositions;
  /** Lets a few at a time at the database. */
  readonly turnstile: Turnstile;
  readonly nowMs: () => number;
  readonly idNamespace: string;
  readonly onPoison: OnPoison;
}

type ResyncReason = Extract<ServerFrame, { readonly frame: 'resync_required' }>['reason'];

/** Events read at once for a client that resumes, and sent before the event loop continues. */
const pageSize = 200;
const eventId = /^evt_[0-9a-z]{1,64}$/;

/**
 * Read from the database for a connection, a few connections at a time. Null when its client has left by then, and when
 * too many wait: that client is asked to reconnect later.
 */
export async function atTurn<Value>(
  { turnstile }: JoinOptions,
  connection: Connection,
  read: () => Promise<Value>,
): Promise<{ readonly value: Value } | null> {
  const result = await turnstile.pass(
    async () => ({ value: await read() }),
    () => connection.isOpen,
  );
  if (result === null) connection.postpone();
  return connection.isOpen ? result : null;
}

/**
 * Send the unfinished positions, on a gateway that has positions.
 * @returns The database snapshot of the first page.
 */
export async function sendSnapshot(options: JoinOptions, connection: Connection): Promise<DatabaseSnapshot | null> {
  const { audience } = connection;
  if (audience.kind === 'markets') return null;
  const { store } = options;
  const { partnerId } = audience;
  const owner = { partnerId, walletAddress: audience.kind === 'user' ? audience.walletAddress : null };
  const limit = socketLimits.snapshotPositions;
  // What the stream has to leave out and what the first page shows are of one moment.
  const first = await atTurn(options, connection, () =>
    store.readAtOnce(async (unit) => ({
      shown: await unit.outbox.snapshot(),
      last: await unit.outbox.lastOf(audience),
      page: await unit.positions.active({ ...owner, after: null, limit }),
    })),
  );
  if (first === null) return null;
  const { shown, last } = first.value;
  let { page } = first.value;
  for (;;) {
    await sendPage(options, connection, { page, lastEventId: last?.id ?? null });
    const after = page.positions.at(-1);
    if (!page.hasMore || after === undefined || !(await connection.drained())) return shown;
    const next = await atTurn(options, connection, () => store.positions.active({ ...owner, after, limit }));
    if (next === null) return shown;
    page = next.value;
  }
}

async function sendPage(
  { observe, nowMs, idNamespace, onPoison }: JoinOptions,
  connection: Connection,
  sent: {
    readonly page: Awaited<ReturnType<Store['positions']['active']>>;
    readonly lastEventId: string | null;
  },
): Promise<void> {
  const { positions, hasMore } = sent.page;
  const atMs = nowMs();
  const views = await observe(positions, { nowMs: atMs, expand: [] });
  connection.sendFrame({
    frame: 'snapshot',
    positions: soundOnesOf(
      views,
      (view) => presentPosition(view, idNamespace),
      (view, cause) => onPoison(view.position, cause),
    ),
    last_event_id: sent.lastEventId,
    has_more: hasMore,
  });
}

/** Send the events since one. @returns The reason when they cannot be sent. */
export async function replay(
  options: JoinOptions,
  connection: Connection,
  { resumeFrom, upTo }: { readonly resumeFrom: string; readonly upTo: EventPlace },
): Promise<ResyncReason | null> {
  const { store, feed } = options;
  const { audience } = connection;
  if (!eventId.test(resumeFrom)) return 'unknown_event';
  // After a restart of a gateway all of its clients come at once: most of them need nothing from the database.
  const recent = feed.recent(resumeFrom);
  if (recent !== null && isFor(audience, recent.record)) {
    // What came since the join began waits for its end.
    const past = recent.later.filter((record) => comparePlaces(record, upTo) <= 0);
    return sendPast(options, connection, past);
  }
  const place = await atTurn(options, connection, () => store.outbox.placeOf(audience, resumeFrom));
  if (place === null) return null;
  // Another's event is as unknown as none.
  if (place.value === null) return 'unknown_event';
  let after: EventPlace = place.value;
  for (let sentCount = 0; sentCount < socketLimits.replayedEvents; sentCount += pageSize) {
    const from = after;
    const readPage = () => store.outbox.ownAfter({ audience, after: from, upTo, limit: pageSize });
    const records = (await atTurn(options, connection, readPage))?.value ?? [];
    const reason = await sendPast(options, connection, records);
    after = records.at(-1) ?? after;
    if (reason !== null || records.length < pageSize) return reason;
  }
  return 'too_far_behind';
}

/**
 * Those of the events that are the connection's, in order and as fast as the client takes them. No event announces a
 * position that the chain forgot.
 */
async function sendPast(
  { dispatch, onPoison }: JoinOptions,
  connection: Connection,
  records: readonly OutboxRecord[],
): Promise<ResyncReason | null> {
  for (const [index, record] of records.entries()) {
    if (index > 0 && index % pageSize === 0) await nextTurn();
    if (!isFor(connection.audience, record)) continue;
    if (record.type === 'position.removed') return 'chain_reorganised';
    if (!(await connection.drained())) return null;
    try {
      const body = await (isMarketEvent(record) ? dispatch.marketBodyOf(record, connection) : dispatch.bodyOf(record));
      if (body !== null) connection.sendEvent(body);
    } catch (cause) {
      // A client that resumed would meet the same event again and again.
      if (passes(cause)) throw cause;
      onPoison(record, cause);
    }
  }
  return null;
}

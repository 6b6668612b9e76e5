import type { EventPlace, OutboxRecord, Store } from '@core/store';
import { type ServerFrame, socketLimits } from '@core/wire';
import type { ObservePositions } from '../positions/observePositions.ts';
import { presentPosition } from '../positions/presentPosition.ts';
import type { Connection } from './connection.ts';
import { isFor } from './connections.ts';
import type { EventDispatch } from './eventDispatch.ts';
import type { EventFeed } from './eventFeed.ts';
import type { Turnstile } from './turnstile.ts';

export interface JoinOptions {
  readonly store: Pick<Store, 'readAtOnce' | 'positions' | 'outbox'>;
  readonly feed: EventFeed;
  readonly dispatch: EventDispatch;
  readonly observe: ObservePositions;
  /** Lets a few at a time at the database. */
  readonly turnstile: Turnstile;
  readonly nowMs: () => number;
  readonly idNamespace: string;
}

type ResyncReason = Extract<ServerFrame, { readonly frame: 'resync_required' }>['reason'];

/** Events read at once for a client that comes back. */
const pageSize = 200;
const eventId = /^evt_[0-9a-z]{1,64}$/;

/**
 * Brings a connection to where the stream is: events begin to wait first, then the past is sent, by a snapshot or by
 * the events since the last one received, then what waited, without what was in the past already.
 */
export async function joinStream(
  options: JoinOptions,
  connection: Connection,
  resumeFrom: string | null,
): Promise<void> {
  const { feed } = options;
  const upTo = feed.place;
  connection.beginJoin(upTo);
  if (resumeFrom !== null) {
    const refused = await replay(options, connection, { resumeFrom, upTo });
    if (refused === null) {
      connection.endJoin(null);
      return;
    }
    connection.sendFrame({ frame: 'resync_required', reason: refused });
  }
  await startAnew(options, connection);
}

/** Sends the positions as they are now to a client that cannot know. */
export async function resync(options: JoinOptions, connection: Connection, reason: ResyncReason): Promise<void> {
  connection.beginJoin(options.feed.place);
  connection.sendFrame({ frame: 'resync_required', reason });
  await startAnew(options, connection);
}

/** The place of an audience's last event, for a gateway that has no snapshot. */
export async function lastEventIdOf({ store, turnstile }: JoinOptions, connection: Connection): Promise<string | null> {
  return (await turnstile.pass(() => store.outbox.lastOf(connection.audience)))?.id ?? null;
}

async function startAnew(options: JoinOptions, connection: Connection): Promise<void> {
  const { audience } = connection;
  if (audience.kind === 'markets') {
    connection.endJoin(null);
    return;
  }
  const { store, turnstile } = options;
  const { partnerId } = audience;
  const owner = { partnerId, walletAddress: audience.kind === 'user' ? audience.walletAddress : null };
  const limit = socketLimits.snapshotPositions;
  // What the stream has to leave out and what the first page shows are of one moment.
  const first = await turnstile.pass(() =>
    store.readAtOnce(async (unit) => ({
      shown: await unit.outbox.snapshot(),
      last: await unit.outbox.lastOf(audience),
      page: await unit.positions.active({ ...owner, after: null, limit }),
    })),
  );
  let { page } = first;
  for (;;) {
    await sendPage(options, connection, { page, lastEventId: first.last?.id ?? null });
    const after = page.positions.at(-1);
    if (!page.hasMore || after === undefined || !(await connection.drained())) break;
    page = await turnstile.pass(() => store.positions.active({ ...owner, after, limit }));
  }
  connection.endJoin(first.shown);
}

async function sendPage(
  { observe, nowMs, idNamespace }: JoinOptions,
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
    positions: views.map((view) => presentPosition(view, idNamespace)),
    last_event_id: sent.lastEventId,
    has_more: hasMore,
  });
}

/** Sends the events since one; the reason when they cannot be had. */
async function replay(
  options: JoinOptions,
  connection: Connection,
  { resumeFrom, upTo }: { readonly resumeFrom: string; readonly upTo: EventPlace },
): Promise<ResyncReason | null> {
  const { store, feed, turnstile } = options;
  const { audience } = connection;
  if (!eventId.test(resumeFrom)) return 'unknown_event';
  // After a restart of a gateway all of its clients come at once: most of them need nothing from the database.
  const recent = feed.recent(resumeFrom);
  if (recent !== null && isFor(audience, recent.record)) return sendPast(options, connection, recent.later);
  // Another's event is as unknown as none.
  let after = await turnstile.pass(() => store.outbox.placeOf(audience, resumeFrom));
  if (after === null) return 'unknown_event';
  for (let sentCount = 0; sentCount < socketLimits.replayedEvents; sentCount += pageSize) {
    const from: EventPlace = after;
    const read = () => store.outbox.ownAfter({ audience, after: from, upTo, limit: pageSize });
    const records = await turnstile.pass(read);
    const refused = await sendPast(options, connection, records);
    after = records.at(-1) ?? after;
    if (refused !== null || records.length < pageSize || !(await connection.drained())) return refused;
  }
  return 'too_far_behind';
}

/** Those of the events that are the connection's, in order. No event announces a position that the chain forgot. */
async function sendPast(
  { dispatch }: JoinOptions,
  connection: Connection,
  records: readonly OutboxRecord[],
): Promise<ResyncReason | null> {
  for (const record of records) {
    if (!isFor(connection.audience, record)) continue;
    if (record.type === 'position.removed') return 'chain_reorganised';
    const body = record.partnerId === null ? await dispatch.marketBodyOf(record, connection) : dispatch.bodyOf(record);
    if (body !== null) connection.sendEvent(body);
  }
  return null;
}

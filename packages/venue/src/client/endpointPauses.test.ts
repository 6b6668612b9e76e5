import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { wireBookOf } from '../../testing/books.ts';
import { type LocalServer, type Reply, type SeenRequest, startLocalServer, until } from '../../testing/localServers.ts';
import { isVenueFault, VenueFault } from '../port/venueFault.ts';
import type { EndpointLimit } from '../profile/venueProfile.ts';
import { type EndpointGroup, EndpointPauses } from './endpointPauses.ts';
import { HttpVenueClient } from './httpVenueClient.ts';
import { RequestBudget } from './requestBudget.ts';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** A venue, and two clients of one address on a clock that only sleeping and the test move. */
async function start(reply: (request: SeenRequest) => Reply) {
  const server: LocalServer = await startLocalServer({ reply });
  endings.push(() => server.close());
  let nowMs = 0;
  const sleep = async (waitMs: number): Promise<void> => {
    nowMs += waitMs;
  };
  const pauses = new EndpointPauses(() => nowMs);
  const clientOf = () => new HttpVenueClient({ url: server.url, pauses, sleep, random: () => 0.5 });
  return {
    server,
    clients: [clientOf(), clientOf()] as const,
    now: () => nowMs,
    advance: (ms: number) => {
      nowMs += ms;
    },
    countOf: (path: string) => server.requests.filter((request) => request.path === path).length,
  };
}

const throttled = (seconds: string): Reply => ({ status: 429, headers: { 'retry-after': seconds }, json: {} });
const outcomeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) => {
    if (!isVenueFault(error)) throw error;
    return error;
  });

test('reads: the venue throttles books for a minute → one request in ten seconds, the other groups continue', async () => {
  const venue = await start(({ path }) => (path === '/book' ? throttled('60') : { json: [] }));
  for (; venue.now() < 10_000; venue.advance(100)) {
    const [client, other] = venue.clients;
    const [fault, , holders] = await Promise.all([
      outcomeOf(client.book('1')),
      outcomeOf(venue.now() === 0 ? client.topHolders('0xc0') : other.book('2')),
      other.topHolders('0xc0'),
    ]);
    expect(fault).toMatchObject({ code: 'venue_throttled', kind: 'retryable', retryAfterMs: 60_000 - venue.now() });
    expect(holders).toEqual([]);
  }
  expect([venue.countOf('/book'), venue.countOf('/holders')]).toEqual([1, 101]);
});

test('reads: the pause is over → the venue is asked again', async () => {
  let reply: Reply = throttled('60');
  const venue = await start(() => reply);
  await outcomeOf(venue.clients[0].book('1'));
  reply = { json: wireBookOf() };
  venue.advance(50_000);
  expect(await outcomeOf(venue.clients[1].book('1'))).toMatchObject({ retryAfterMs: 10_000 });
  venue.advance(10_000);
  await expect(venue.clients[1].book('1')).resolves.toMatchObject({ tokenId: '1' });
  expect(venue.countOf('/book')).toBe(2);
});

test('reads: a pause that a client may wait for → others wait for it too', async () => {
  const replies: Reply[] = [throttled('3')];
  const venue = await start(() => replies.shift() ?? { json: wireBookOf() });
  await venue.clients[0].book('1');
  expect([venue.now(), venue.countOf('/book')]).toEqual([3_000, 2]);
});

/** A client whose waits end when the test says so, at a venue that throttles each read for the seconds in its token. */
async function startWaiting(limits: readonly EndpointLimit[]) {
  const server = await startLocalServer({ reply: ({ query }) => throttled(query.get('token_id') ?? '') });
  endings.push(() => server.close());
  const opening = Promise.withResolvers<void>();
  const sleep = (): Promise<void> => opening.promise;
  const client = new HttpVenueClient({ url: server.url, budget: new RequestBudget(limits, () => 0), sleep });
  return { server, client, endWaits: () => opening.resolve() };
}

test('reads: many queue in the budget, and the first is throttled for a minute → the others are not sent', async () => {
  const { server, client, endWaits } = await startWaiting([{ path: '/book', requestsPer10Seconds: 10 }]);
  const first = outcomeOf(client.book('60'));
  const queued = Array.from({ length: 6 }, () => outcomeOf(client.book('60')));
  await first;
  endWaits();
  expect((await Promise.all(queued)).every(isVenueFault)).toBe(true);
  expect(server.requests.length).toBe(1);
});

test('reads: a longer pause comes while a request waits for a shorter one → it is not sent again', async () => {
  const { server, client, endWaits } = await startWaiting([]);
  const [waiting, throttledForLong] = [outcomeOf(client.book('2')), outcomeOf(client.book('60'))];
  await throttledForLong;
  await until(() => server.requests.length === 2);
  endWaits();
  expect(await waiting).toMatchObject({ code: 'venue_throttled' });
  expect(server.requests.length).toBe(2);
});

test('orders: post-only minutes name their end in the body → the fault carries it', async () => {
  const json = { error: 'post-only mode: only post-only orders', code: 'post_only_mode', retry_after_seconds: 87.5 };
  const venue = await start(() => ({ status: 503, json }));
  const fault = await outcomeOf(venue.clients[0].book('1'));
  expect(fault).toMatchObject({ code: 'venue_paused', retryAfterMs: 87_500 });
});

test('reads: a header asks for eleven days → four minutes are kept', async () => {
  const venue = await start(() => throttled('999999'));
  expect(await outcomeOf(venue.clients[0].book('1'))).toMatchObject({ retryAfterMs: 240_000 });
});

/** Rest of a pause that the check names; zero when it lets the request pass. */
const restOf = (check: () => void): number | null => {
  try {
    check();
    return 0;
  } catch (error) {
    if (!isVenueFault(error)) throw error;
    return error.retryAfterMs;
  }
};

test('pauses: faults of several groups → a group pauses for the longest of its own and for no other', () => {
  const groups: readonly EndpointGroup[] = ['orders', 'ledger', 'books', 'catalogue'];
  const fault = fc.record({
    group: fc.constantFrom(...groups),
    retryAfterMs: fc.option(fc.integer({ min: 0, max: 240_000 })),
  });
  fc.assert(
    fc.property(fc.array(fault), fc.nat(240_000), (faults, elapsedMs) => {
      let nowMs = 0;
      const pauses = new EndpointPauses(() => nowMs);
      for (const { group, retryAfterMs } of faults) {
        const details = { code: 'venue_throttled', kind: 'retryable', effect: 'no', message: '' } as const;
        pauses.note(group, new VenueFault({ ...details, retryAfterMs }));
      }
      nowMs = elapsedMs;
      for (const group of groups) {
        const own = faults.filter((one) => one.group === group).map(({ retryAfterMs }) => retryAfterMs ?? 0);
        const leftMs = Math.max(0, ...own.filter((waitMs) => waitMs >= 1_000)) - elapsedMs;
        expect(restOf(() => pauses.check(group))).toBe(Math.max(0, leftMs));
      }
    }),
  );
});

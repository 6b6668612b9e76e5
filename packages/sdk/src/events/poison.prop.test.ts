import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ScriptedMessage, scriptedSockets } from '../../testing/scriptedSockets.ts';
import { Lev, type PricesFrame } from '../index.ts';

/** Messages that are no event: no JSON, no frame, a frame without its fields. */
const poison = fc.oneof(
  fc.constantFrom('', 'hello', '{"frame":"event"', 'null', '7', '[]', '{}', '{"frame":1}', '{"frame":"event"}'),
  fc.constantFrom('{"frame":"snapshot"}', '{"frame":"connected","last_event_id":7}', '{"frame":"resync_required"}'),
  fc.constantFrom('{"frame":"event","seq":"1","id":"a","type":"b","data":{}}', '{"frame":"restarting"}', '\u0000'),
);

/** Collect the IDs of the events until the last one, and the gaps. */
async function readAll(messages: readonly ScriptedMessage[], lastId: string) {
  const { WebSocket, connectionCount } = scriptedSockets(messages);
  const surroundings = { WebSocket, sleep: async () => undefined };
  const lev = new Lev({ baseUrl: 'http://service.test', surroundings });
  const ids: string[] = [];
  let gapCount = 0;
  for await (const event of lev.asUser('token').events.stream()) {
    if (event.type === 'gap') gapCount += 1;
    else if (event.type !== 'notification' && event.type !== 'snapshot') {
      ids.push(event.id);
      if (event.id === lastId) break;
    }
  }
  return { ids, gapCount, connectionCount: connectionCount() };
}

test('a stream: one unreadable message → all others arrive in order, the gap appears once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 1, max: 10 }),
      poison,
      async (before, after, text) => {
        const ids = Array.from({ length: before + after }, (_, index) => `evt_${index}`);
        const events = ids.map((id) => ({ id }));
        const messages = [...events.slice(0, before), { text }, ...events.slice(before)];
        const result = await readAll(messages, ids.at(-1) ?? '');
        expect(result).toEqual({ ids, gapCount: 1, connectionCount: 2 });
      },
    ),
    { numRuns: 100 },
  );
});

test("a stream: a frame of a newer service's type → skipped", async () => {
  const aside = '{"frame":"weather","data":{}}';
  const result = await readAll([{ aside }, { id: 'a' }, { aside }, { id: 'b' }], 'b');
  expect(result).toEqual({ ids: ['a', 'b'], gapCount: 0, connectionCount: 1 });
});

test('a snapshot: entries that are no positions → excluded', async () => {
  const { WebSocket } = scriptedSockets([]);
  const user = new Lev({ baseUrl: 'http://service.test', surroundings: { WebSocket } }).asUser('token');
  const first = await user.events.stream()[Symbol.asyncIterator]().next();
  expect(first.value).toEqual({ type: 'snapshot', positions: [] });
});

test.each([null, 7, {}, { ticker: 7, prices: null }, { ticker: 'b', prices: 'none' }])(
  'prices: %j among the markets of a frame → the others are shown, and the events continue without a gap',
  async (poison) => {
    const market = { prices: null, yes_mark_price_usd_pips: null, no_mark_price_usd_pips: null };
    const markets = [{ ...market, ticker: 'a' }, poison, { ...market, ticker: 'c' }];
    const aside = JSON.stringify({ frame: 'prices', at: 'now', markets });
    const { WebSocket, connectionCount } = scriptedSockets([{ aside }, { id: 'first' }, { aside }, { id: 'last' }]);
    const lev = new Lev({ baseUrl: 'http://service.test', surroundings: { WebSocket, sleep: async () => undefined } });
    const tickers: string[] = [];
    const onPrices = (frame: PricesFrame): void => void tickers.push(...frame.markets.map(({ ticker }) => ticker));
    const types: string[] = [];
    for await (const event of lev.asUser('token').events.markets({ onPrices })) {
      types.push(event.type);
      if ('id' in event && event.id === 'last') break;
    }
    expect([tickers, types.includes('gap'), connectionCount()]).toEqual([['a', 'c', 'a', 'c'], false, 1]);
  },
);

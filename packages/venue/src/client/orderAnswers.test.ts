import { afterEach, expect, test } from 'vitest';
import { type Reply, startLocalServer } from '../../testing/localServers.ts';
import { isVenueFault } from '../port/venueFault.ts';
import type { SignedVenueOrder } from '../port/venueOrder.ts';
import { HttpVenueClient } from './httpVenueClient.ts';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

const order: SignedVenueOrder = {
  salt: 7_057_351_473_049_392n,
  maker: '0x00000000000000000000000000000000000000AA',
  signer: '0x00000000000000000000000000000000000000aa',
  tokenId: 1n,
  makerAmount: 18_990_000n,
  takerAmount: 33_315_700n,
  side: 0,
  signatureType: 3,
  timestamp: 1_700_000_000_000n,
  metadata: `0x${'00'.repeat(32)}`,
  builder: `0x${'00'.repeat(32)}`,
  signature: '0x',
};

async function place(reply: Reply, placed: SignedVenueOrder = order) {
  const server = await startLocalServer({ reply: () => reply });
  endings.push(() => server.close());
  const client = new HttpVenueClient({ url: server.url, retry: { maxAttempts: 1 } });
  const outcome = await client
    .placeOrder({ order: placed, orderType: 'FAK', owner: 'key' })
    .catch((error: unknown) => error);
  return { outcome, body: server.requests[0]?.body };
}

const answer = { success: true, errorMsg: '', orderID: '0xabc1', makingAmount: '', takingAmount: '' };

test.each<[string, Reply, string, string, string]>([
  [
    'the match is delayed',
    { status: 400, json: { error: 'order match delayed due to market conditions' } },
    'order_delayed',
    'retryable',
    'maybe',
  ],
  [
    'no matching order, as a fault of the server',
    { status: 500, json: { error: 'there are no matching orders' } },
    'order_not_filled',
    'terminal',
    'no',
  ],
  ['unmatched', { json: { ...answer, status: 'unmatched' } }, 'order_not_filled', 'terminal', 'no'],
  [
    'amounts of too many decimals',
    {
      status: 400,
      json: { error: 'invalid amounts, the market buy orders maker amount supports a max accuracy of 2 decimals' },
    },
    'order_amounts_invalid',
    'terminal',
    'no',
  ],
  [
    'taken, of a status that is new',
    { json: { ...answer, status: 'paused' } },
    'venue_answer_malformed',
    'retryable',
    'maybe',
  ],
])('order answer: %s → a fault that says whether the order may stand', async (...[, reply, code, kind, effect]) => {
  const { outcome } = await place(reply);
  expect(isVenueFault(outcome)).toBe(true);
  expect(outcome).toMatchObject({ code, kind, effect });
});

test('order answer: unmatched with trades, or delayed → the order is taken', async () => {
  const placed = await place({ json: { ...answer, status: 'unmatched', tradeIDs: ['t1'] } });
  expect(placed.outcome).toMatchObject({ status: 'unmatched', tradeIds: ['t1'] });
  expect((await place({ json: { ...answer, status: 'delayed' } })).outcome).toMatchObject({ status: 'delayed' });
});

test('order body: a contract wallet’s order → salt as a number, expiration "0", deferExec false', async () => {
  const { body } = await place({ json: { ...answer, status: 'matched' } });
  expect(body).toMatchObject({
    order: { salt: 7_057_351_473_049_392, expiration: '0', signatureType: 3, makerAmount: '18990000' },
    owner: 'key',
    orderType: 'FAK',
    deferExec: false,
  });
});

test('order body: a salt beyond a JSON number → nothing is sent', async () => {
  const { outcome, body } = await place({ json: {} }, { ...order, salt: 2n ** 53n });
  expect(outcome).toBeInstanceOf(RangeError);
  expect(body).toBeUndefined();
});

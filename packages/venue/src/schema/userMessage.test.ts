import { expect, test } from 'vitest';
import { parseUserMessage } from './userMessage.ts';

const order = {
  event_type: 'order',
  type: 'CANCELLATION',
  id: '0x01',
  market: '0xC0',
  asset_id: '1',
  side: 'BUY',
  status: "CANCELED_order couldn't be fully filled. FOK orders are fully filled/killed.",
  price: '0.5',
  original_size: '5',
  size_matched: '',
};

test('a killed order is cancelled with nothing matched', () => {
  expect(parseUserMessage(order)).toEqual({
    kind: 'order',
    event: 'cancellation',
    order: {
      orderId: '0x01',
      conditionId: '0xc0',
      tokenId: '1',
      side: 'BUY',
      status: 'cancelled',
      pricePips: 5_000n,
      originalTokenUnits: 5_000_000n,
      matchedTokenUnits: 0n,
      tradeIds: [],
    },
  });
});

test.each([
  ['PLACEMENT', 'placement'],
  ['UPDATE', 'update'],
  ['SOMETHING_NEW', null],
  [undefined, null],
])('an order message of type %s', (type, event) => {
  expect(parseUserMessage({ ...order, status: 'LIVE', size_matched: '0', type })).toMatchObject({ event });
});

test('an empty size means nothing matched for killed orders alone', () => {
  expect(parseUserMessage({ ...order, status: 'CANCELED' })).toBeNull();
});

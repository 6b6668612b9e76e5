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

/** A message as the venue's user socket sends it: without a status. */
const { status: _status, ...unstated } = { ...order, size_matched: '0', associate_trades: null, owner: 'k' };

test.each([
  ['PLACEMENT', '0', 'live'],
  ['UPDATE', '2', 'live'],
  ['UPDATE', '5', 'matched'],
  ['UPDATE', '5.000', 'matched'],
  ['CANCELLATION', '2', 'cancelled'],
])('an order message without a status: type %s, %s of 5 matched → %s', (type, size_matched, status) => {
  expect(parseUserMessage({ ...unstated, type, size_matched })).toMatchObject({ kind: 'order', order: { status } });
  expect(parseUserMessage({ ...unstated, type, size_matched, status: null })).toMatchObject({ order: { status } });
});

test('an order message without a status and a type cannot be read', () => {
  expect(parseUserMessage({ ...unstated, type: undefined })).toBeNull();
  expect(parseUserMessage({ ...unstated, type: 'SOMETHING_NEW' })).toBeNull();
});

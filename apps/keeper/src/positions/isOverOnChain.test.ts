import { tokenUnits, usdcUnits } from '@core/pricing';
import type { ChainPosition } from '@core/vault';
import { expect, test } from 'vitest';
import type { PostIntent } from '../transactions/venueOrders.ts';
import { isOverOnChain } from './isOverOnChain.ts';

type Live = NonNullable<ChainPosition['liveOrder']>;

const order = { orderHash: '0x01', validUntilMs: 0 } as const;
const purchase = (isOver: boolean): Live => ({
  ...order,
  isOver,
  purpose: 'open',
  filledUsdcUnits: usdcUnits(1n),
});
const sale = (isOver: boolean): Live => ({
  ...order,
  isOver,
  purpose: 'close',
  filledTokenUnits: tokenUnits(1n),
});
const posted = (orderType: 'FOK' | 'FAK') =>
  ({ plan: { kind: 'order', orderType, order: { takerAmount: 100n } } }) as Pick<PostIntent, 'plan'>;

test.each([
  ['no order', null, 100n, 0n, 'FOK', false],
  ['a purchase with all its tokens and some USDC left', purchase(false), 100n, 0n, 'FOK', true],
  ['a purchase without all its tokens', purchase(false), 99n, 0n, 'FOK', false],
  ['a purchase that may fill in part', purchase(false), 100n, 0n, 'FAK', false],
  ['a purchase that the exchange ended with tokens', purchase(true), 1n, 0n, 'FAK', true],
  ['a purchase whose match was reverted', purchase(true), 0n, 0n, 'FOK', false],
  ['a sale that the exchange ended, with its tokens gone', sale(true), 40n, 100n, 'FOK', true],
  ['a sale whose match was reverted', sale(true), 100n, 100n, 'FOK', false],
  ['a sale in part', sale(false), 40n, 100n, 'FAK', false],
] as const)('order: %s → its end is taken from the chain, or awaited', (...shape) => {
  const [, liveOrder, held, booked, orderType, isOver] = shape;
  const chain = { liveOrder, accountTokenUnits: tokenUnits(held), bookedTokenUnits: tokenUnits(booked) };
  expect(isOverOnChain(chain, posted(orderType))).toBe(isOver);
});

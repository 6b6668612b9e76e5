import {
  type OrderBook,
  type PricePips,
  pricePips,
  rateBps,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';
import { expect, test } from 'vitest';
import type { TradeOutcome, TradeRequest } from '../venue/venueTrader.ts';
import type { FillerParts } from './fillerParts.ts';
import { Float } from './float.ts';
import { HeldTokenSeller } from './sellHeld.ts';

const conditionId = '0x1';
const traded = { conditionId, yesTokenId: 1n, noTokenId: 2n } as const;
const bid = { pricePips: pricePips(4_900n), sizeTokenUnits: tokenUnits(1_000_000_000n) };
const bids: OrderBook = { bids: [bid], asks: [] };
const unsellable: OrderBook = { bids: [], asks: [] };

/** A seller of an account that holds YES tokens, at a venue that answers each sale as the test says. */
function sellerOf({ tokens, book = bids }: { readonly tokens: bigint; readonly book?: OrderBook }) {
  const world = {
    tokens,
    book: book as OrderBook | null,
    mid: null as PricePips | null,
    outcome: { kind: 'over' } as TradeOutcome,
    saleCount: 0,
    sales: [] as Pick<TradeRequest, 'tokenUnits' | 'pricePips'>[],
    onSale: () => {},
  };
  const float = new Float(usdcUnits(1_000_000_000n));
  const parts = {
    account: {
      held: () => Promise.resolve({ yesTokenUnits: tokenUnits(world.tokens), noTokenUnits: tokenUnits(0n) }),
      isDecided: () => Promise.resolve(false),
      tokensOf: () => Promise.resolve(tokenUnits(world.tokens)),
    },
    books: {
      midOf: () => world.mid,
      of: () =>
        Promise.resolve(
          world.book && {
            market: { ...traded, tickPricePips: pricePips(100n) },
            yes: world.book,
            no: unsellable,
          },
        ),
    },
    trader: {
      sell: ({ tokenUnits: sold, pricePips: limit }: TradeRequest) => {
        world.saleCount += 1;
        world.sales.push({ tokenUnits: sold, pricePips: limit });
        world.onSale();
        return Promise.resolve(world.outcome);
      },
    },
    journal: { state: { markets: new Map([[conditionId, traded]]) } },
    float,
    terms: { marginBps: rateBps(0n), gasUsdcUnits: usdcUnits(0n), maximumFillUsdcUnits: usdcUnits(0n), restMs: 0 },
  };
  const seller = new HeldTokenSeller(parts as object as FillerParts);
  const unsold = (): UsdcUnits => float.unsoldUsdcUnits;
  return { world, seller, unsold };
}

test('held tokens: a sale was refused, and less than an order is left → the doubt ends, the rest is in the float', async () => {
  const { world, seller, unsold } = sellerOf({ tokens: 20_000_000n });
  world.outcome = { kind: 'refused', code: 'throttle_429' };
  await seller.sell(conditionId);
  expect([seller.doubts.has(conditionId), seller.doubts.count]).toEqual([true, 1]);
  // A transfer, a merge or a late settlement left three tokens.
  world.tokens = 3_000_000n;
  await seller.sell(conditionId);
  expect(seller.doubts.has(conditionId)).toBe(false);
  expect(world.saleCount).toBe(1);
  expect(unsold()).toBe(usdcUnits(1_470_000n));
});

test('held tokens: less than an order from the beginning → no doubt and no sale', async () => {
  const { world, seller } = sellerOf({ tokens: 3_000_000n, book: unsellable });
  await seller.sell(conditionId);
  expect([seller.doubts.has(conditionId), world.saleCount]).toEqual([false, 0]);
});

test('held tokens: no bids → a doubt; bids that take something end it', async () => {
  const { world, seller } = sellerOf({ tokens: 20_000_000n, book: unsellable });
  await seller.sell(conditionId);
  expect([seller.doubts.has(conditionId), world.saleCount]).toEqual([true, 0]);
  // The next attempt waits for the end of the pause.
  world.book = bids;
  await seller.sell(conditionId);
  expect(world.saleCount).toBe(0);
});

test.each([true, false])('held tokens: as many are held after a sale, a fill began meanwhile: %s', async (hasFill) => {
  const { world, seller } = sellerOf({ tokens: 20_000_000n });
  seller.noteFill(conditionId);
  world.onSale = () => {
    if (hasFill) seller.noteFill(conditionId);
  };
  await seller.sell(conditionId);
  expect([world.saleCount, seller.doubts.has(conditionId)]).toEqual([1, !hasFill]);
});

const level = (price: bigint, size: bigint) => ({ pricePips: pricePips(price), sizeTokenUnits: tokenUnits(size) });

test('held tokens: the bids are gone but for one far below the last middle → nothing is sold until they are back', async () => {
  const { world, seller } = sellerOf({ tokens: 20_000_000n, book: { bids: [level(100n, 10n ** 9n)], asks: [] } });
  world.mid = pricePips(5_000n);
  await seller.sell(conditionId);
  expect([world.sales, seller.doubts.has(conditionId)]).toEqual([[], true]);
});

test('held tokens: some bids are within a fifth of the middle → those are used, the others not', async () => {
  const book = { bids: [level(4_100n, 8_000_000n), level(3_900n, 10n ** 9n)], asks: [] };
  const { world, seller } = sellerOf({ tokens: 20_000_000n, book });
  world.mid = pricePips(5_000n);
  await seller.sell(conditionId);
  expect(world.sales).toEqual([{ tokenUnits: tokenUnits(8_000_000n), pricePips: pricePips(4_100n) }]);
});

test('held tokens: no middle was seen → the best bid is the price', async () => {
  const book = { bids: [level(4_100n, 8_000_000n), level(100n, 10n ** 9n)], asks: [] };
  const { world, seller } = sellerOf({ tokens: 20_000_000n, book });
  await seller.sell(conditionId);
  expect(world.sales).toEqual([{ tokenUnits: tokenUnits(8_000_000n), pricePips: pricePips(4_100n) }]);
});

import { type HttpFaultProxy, startHttpFaultProxy } from '@core/testkit';
import { PositionState } from '@core/vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FillerStack, type GrantMarket, startFillerStack } from '../testing/fillerStack.ts';

let stack: FillerStack;
let market: GrantMarket;
let proxy: HttpFaultProxy;
beforeAll(async () => {
  stack = await startFillerStack();
  market = await stack.market();
  proxy = await startHttpFaultProxy(stack.venue.url);
});
afterAll(async () => {
  await proxy?.close();
  await stack?.close();
});

/** Let every answer of books show these prices of YES, with mirrored ones of NO unless they are given. */
function lie({
  bid,
  ask,
  noBid = 1 - ask,
}: {
  readonly bid: number;
  readonly ask: number;
  readonly noBid?: number;
}): void {
  const levels = (price: number) => [{ price: price.toFixed(2), size: '100000' }];
  const book = (tokenId: bigint, bestBid: number, bestAsk: number) => ({
    market: market.conditionId,
    asset_id: String(tokenId),
    timestamp: '1700000000000',
    bids: levels(bestBid),
    asks: levels(bestAsk),
  });
  const books = [book(market.yesTokenId, bid, ask), book(market.noTokenId, noBid, 1 - bid)];
  proxy.addRule({
    matches: ({ path }) => path === '/books',
    fault: { kind: 'answer', status: 200, bodyText: JSON.stringify(books) },
    times: Number.POSITIVE_INFINITY,
  });
}

test('a book far from the attested mark is not believed: nothing is filled', async () => {
  const [account] = stack.fillers;
  lie({ bid: 0.38, ask: 0.4 });
  const filler = await stack.startFiller(account, { venueUrl: proxy.url });
  const before = await stack.driver.usdcOf(account.address);
  const position = await stack.grantOpening(market);
  await stack.grantEnds(position);
  await filler.close();
  expect(await stack.stateOf(position)).toBe(PositionState.Pending);
  expect(await stack.driver.usdcOf(account.address)).toBe(before);
});

test('bids that are not there cost one fill: no opening is filled until its tokens are sold', async () => {
  const [, account] = stack.fillers;
  proxy.clearRules();
  lie({ bid: 0.46, ask: 0.48 });
  const filler = await stack.startFiller(account, { venueUrl: proxy.url });
  const first = await stack.grantOpening(market);
  await stack.opens(first);
  await stack.until('a sale without a bid', async () => (await metricsOf(filler.metricsUrl)).stuck > 0 || undefined);
  const second = await stack.grantOpening(market);
  await stack.grantEnds(second);
  expect(await stack.stateOf(second)).toBe(PositionState.Pending);
  proxy.clearRules();
  const { fillCount, profitUsdcUnits } = await stack.reconciled(account, market);
  await filler.close();
  expect(fillCount).toBe(1);
  // Two cents and the fee for each of 200 tokens.
  expect(profitUsdcUnits).toBeGreaterThan(-10_000_000n);
});

test('a market whose bids are doubted is closed to openings alone: a close is filled', async () => {
  const [, account] = stack.fillers;
  lie({ bid: 0.49, ask: 0.52, noBid: 0.51 });
  const filler = await stack.startFiller(account, { venueUrl: proxy.url });
  const position = await stack.grantOpening(market);
  await stack.opens(position);
  await stack.until('a sale without a bid', async () => (await metricsOf(filler.metricsUrl)).stuck > 0 || undefined);
  await stack.grantClose(position);
  const state = () => stack.stateOf(position);
  await stack.until('the close', async () => (await state()) === PositionState.Closed || undefined);
  proxy.clearRules();
  const { profitUsdcUnits } = await stack.reconciled(account, market);
  await filler.close();
  // The close completed the pairs whose other token had no bid.
  expect(profitUsdcUnits).toBeGreaterThan(-10_000_000n);
});

test('a market that is decided before its tokens are sold: they are redeemed at the payout', async () => {
  const [account] = stack.fillers;
  lie({ bid: 0.46, ask: 0.48 });
  const filler = await stack.startFiller(account, { venueUrl: proxy.url });
  const position = await stack.grantOpening(market);
  await stack.opens(position);
  await stack.play('resolve', market, { outcome: 'no' });
  const { profitUsdcUnits, markets } = await stack.reconciled(account, market);
  await filler.close();
  // Its pairs' NO tokens pay a dollar each, and it got .50 or more for each YES.
  expect(profitUsdcUnits).toBeGreaterThan(90_000_000n);
  expect(markets).toEqual([{ conditionId: market.conditionId, usdcUnits: profitUsdcUnits, held: [] }]);
});

/** Read the markets that are left because of unsold tokens. */
async function metricsOf(url: string): Promise<{ readonly stuck: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return { stuck: Number(/^filler_stuck_markets (\d+)$/m.exec(text)?.[1] ?? 0) };
}

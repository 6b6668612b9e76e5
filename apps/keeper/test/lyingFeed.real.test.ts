import { leverageBps, raw } from '@core/pricing';
import { liquidityPoolAbi } from '@core/vault';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { everyIntentToEnd, expectOneFill } from '../testing/crashes.ts';
import { startLyingFeed } from '../testing/lyingFeed.ts';
import { severalRounds } from '../testing/severalRounds.ts';
import { askToClose, exitByRepaying, openLeveraged, ordersOf, patientPolicy } from '../testing/signerSteps.ts';
import { type HeldPosition, startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

const purposes = ['open', 'close', 'liquidate'] as const;

/** Prices of both tokens of each market, the held one's moved by so many pips and its complement's as far back. */
function movesOf(markets: readonly Pick<HeldPosition, 'market' | 'side'>[], pips: bigint): ReadonlyMap<string, bigint> {
  return new Map(
    markets.flatMap(({ market: { yesTokenId, noTokenId }, side }) => [
      [yesTokenId, side === 'yes' ? pips : -pips] as const,
      [noTokenId, side === 'no' ? pips : -pips] as const,
    ]),
  );
}

function poolAssets(): Promise<bigint> {
  const at = { address: stack.deployment.contracts.pool, abi: liquidityPoolAbi } as const;
  return stack.driver.rpc.client.readContract({ ...at, functionName: 'totalAssets' });
}

/** Return the number of refused countersignatures, from the metrics of the price signers. */
async function disagreements(): Promise<number> {
  const pages = await Promise.all(stack.signers.map(async ({ url }) => (await fetch(new URL('/metrics', url))).text()));
  const lines = pages.flatMap((page) => page.split('\n'));
  const counted = lines.filter((line) => line.startsWith('countersignatures_refused_total{'));
  return counted.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test.each([500n, -500n])(
  'the feed of one signer shows prices %s pips away: no order until both see the same again, exits continue',
  async (pips) => {
    const { alice, bob, carol, erin, secondPriceSigner } = stack.deployment.roles;
    const keeper = await stack.startKeeper({ policy: patientPolicy });
    const feed = await startLyingFeed(stack.venue);
    onTestFinished(async () => {
      await keeper.close();
      await feed.close();
    });
    const [, second] = stack.signers;
    await second.close();
    const port = Number(new URL(second.url).port);
    stack.signers[1] = await stack.startPriceSigner(secondPriceSigner.privateKey, port, feed);

    const poolHad = await poolAssets();
    const [closing, due, leaving] = await Promise.all([
      openLeveraged(stack, alice),
      openLeveraged(stack, bob, { leverage: leverageBps(50_000n) }),
      openLeveraged(stack, carol),
    ]);
    const market = await stack.tradableMarket();
    const side = await stack.likelierSide(market);
    const before = await disagreements();
    feed.lie(movesOf([closing, due, leaving, { market, side }], pips));
    await stack.until('the feed to lie', async () => (feed.lieCount > 0 ? true : undefined));

    const opening = { market, side, position: await stack.open({ user: erin, market, side }) };
    await askToClose(stack, alice, closing);
    await stack.fallUnderLiquidation(due);
    await exitByRepaying(stack, carol, leaving);
    await severalRounds(stack, keeper);
    const positions = { open: opening, close: closing, liquidate: due };
    const counts = await Promise.all(
      purposes.map(async (purpose) => (await ordersOf(stack, positions[purpose], purpose)).length),
    );
    expect(counts).toEqual([0, 0, 0]);
    expect(await disagreements()).toBeGreaterThan(before);

    feed.lie(new Map());
    // What was shown falsely is part of the signer's average price for half a minute.
    await stack.advance(31);
    await stack.reaches(opening.position, 'open');
    await stack.reaches(closing.position, 'closed');
    const liquidated = await stack.reaches(due.position, 'liquidated');
    expect(raw(liquidated.badDebtUsdcUnits)).toBe(0n);
    await everyIntentToEnd(stack);
    for (const purpose of purposes) await expectOneFill(stack, { position: positions[purpose].position, purpose });
    expect(await poolAssets()).toBeGreaterThanOrEqual(poolHad);
  },
);

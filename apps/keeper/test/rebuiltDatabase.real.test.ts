import type { LocalAccount } from '@core/contracts/local';
import { leverageBps, raw } from '@core/pricing';
import { execute } from '@core/store/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { type HeldPosition, startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
let keeper: Keeper;
let closing: HeldPosition;
let owing: HeldPosition;
let settling: HeldPosition;
let requested: HeldPosition;
let unlisted: HeldPosition;
let unlistedEnded: HeldPosition;

async function openIn(user: LocalAccount, leverage = 15_000n): Promise<HeldPosition> {
  const market = await stack.tradableMarket();
  const side = await stack.likelierSide(market);
  const position = await stack.open({ user, market, side, leverageBps: leverageBps(leverage) });
  await stack.reaches(position, 'open');
  return { market, side, position };
}

/** Everything that the service has stored is lost; only the schema is there again. */
async function loseDatabase(): Promise<void> {
  const tables = await execute(
    stack.databaseUrl,
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename !~ 'migrations'",
  );
  await execute(stack.databaseUrl, `TRUNCATE ${tables.map(({ tablename }) => `"${String(tablename)}"`).join(', ')}`);
}

async function requestClose({ position }: HeldPosition, sender: LocalAccount): Promise<void> {
  const { tokenUnits } = await stack.driver.positionOf(position);
  await stack.driver.requestClose({ position, sender, tokenUnits });
}

async function gaugeOf(name: string): Promise<number | null> {
  const text = await (await fetch(`${keeper.metricsUrl}/metrics`)).text();
  const value = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
  return value === undefined ? null : Number(value);
}

beforeAll(async () => {
  stack = await startTestStack();
  keeper = await stack.startKeeper();
  const { alice, bob, carol, dave, erin } = stack.deployment.roles;
  [closing, owing, settling, requested, unlisted, unlistedEnded] = await Promise.all([
    openIn(alice),
    openIn(bob, 50_000n),
    openIn(carol),
    openIn(dave),
    openIn(erin),
    openIn(carol),
  ]);
  await keeper.close();
  // While no keeper is there a close is requested and a market ends: its record is on no page of trading markets.
  await requestClose(requested, dave);
  await stack.scenario('resolve', settling.market, { outcome: settling.side });
  await loseDatabase();
  keeper = await stack.startKeeper();
});
afterAll(async () => {
  await keeper.close();
  await stack.close();
});

describe('positions after their database was lost', () => {
  test('the chain gives them back → they are in their markets, without a quote, and counted', async () => {
    for (const { position } of [closing, owing]) {
      const record = await stack.until('the market of a position', async () => {
        const record = await stack.store.positions.byKey(position.positionKey);
        return record === null || record.marketId === null ? undefined : record;
      });
      expect(record).toMatchObject({ status: 'open', frozenReason: null, quoteId: null, quotedRisk: null });
    }
    expect(await stack.store.positions.byKey(owing.position.positionKey)).toMatchObject({ side: owing.side });
    await stack.until('the gauge of unknown quotes', async () =>
      ((await gaugeOf('keeper_unknown_quotes')) ?? 0) >= 3 ? true : undefined,
    );
  });

  test('a close that was requested meanwhile → is sold', async () => {
    expect(await stack.reaches(requested.position, 'closed')).toMatchObject({ quoteId: null, closeReason: 'closed' });
  });

  test('a close that is requested now → is sold', async () => {
    await requestClose(closing, stack.deployment.roles.alice);
    expect((await stack.reaches(closing.position, 'closed')).closeReason).toBe('closed');
  });

  test('a market that ended meanwhile → its position is settled', async () => {
    expect((await stack.reaches(settling.position, 'settled')).closeReason).toBe('settled');
  });

  test('a price under the liquidation price → the position is liquidated', async () => {
    await stack.fallUnderLiquidation(owing);
    const ended = await stack.reaches(owing.position, 'liquidated');
    expect(raw(ended.principalUsdcUnits)).toBe(0n);
  });

  test('an opening whose quote was lost → everything comes back', async () => {
    const { alice } = stack.deployment.roles;
    const before = await stack.driver.usdcOf(alice.address);
    const position = await stack.open({ user: alice, market: unlisted.market, isStored: false });
    expect(await stack.reaches(position, 'cancelled')).toMatchObject({ failureReason: 'order_not_allowed' });
    expect(await stack.driver.usdcOf(alice.address)).toBe(before);
  });
});

test('positions whose market is not listed → are counted, closed and settled all the same', async () => {
  await keeper.close();
  await loseDatabase();
  const { erin, keeper: other } = stack.deployment.roles;
  // No oracle is allowed, so that no market has a proven identity.
  keeper = await stack.startKeeper({ oracles: [other.address] });
  await stack.until('the gauge of positions without a market', async () =>
    (await gaugeOf('keeper_unlisted_positions')) === 2 ? true : undefined,
  );
  await requestClose(unlisted, erin);
  await stack.scenario('resolve', unlistedEnded.market, { outcome: unlistedEnded.side });
  expect(await stack.reaches(unlisted.position, 'closed')).toMatchObject({ marketId: null, closeReason: 'closed' });
  expect(await stack.reaches(unlistedEnded.position, 'settled')).toMatchObject({ marketId: null });
});

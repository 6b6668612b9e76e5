import { setTimeout as delay } from 'node:timers/promises';
import type { LocalAccount } from '@core/contracts/local';
import type { Position } from '@core/position';
import { leverageBps, raw } from '@core/pricing';
import { startHttpFaultProxy } from '@core/testkit';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { intentsOfSubject, ofOperation } from '../src/transactions/intents.ts';
import { severalRounds } from '../testing/severalRounds.ts';
import { startForgetfulNode } from '../testing/startForgetfulNode.ts';
import { type HeldPosition, isLastingCrypto, startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ isListed: isLastingCrypto });
});
afterAll(() => stack.close());

async function openLeveraged(user: LocalAccount): Promise<HeldPosition> {
  const market = await stack.tradableMarket();
  const side = await stack.likelierSide(market);
  const position = await stack.open({ user, market, side, leverageBps: leverageBps(50_000n) });
  await stack.reaches(position, 'open');
  return { market, side, position };
}

const attemptsOf = async ({ position }: HeldPosition) =>
  ofOperation(await intentsOfSubject(stack.store.intents, position.positionKey), 'authorize_liquidate');

/** The record says of tokens and debt what the chain says. */
async function expectLedgerOfChain({ position }: HeldPosition, record: Position): Promise<void> {
  const onChain = await stack.driver.positionOf(position);
  expect([raw(record.tokenUnits), raw(record.principalUsdcUnits)]).toEqual([
    onChain.tokenUnits,
    onChain.principalUsdcUnits,
  ]);
}

test('F11: a feed that is frozen liquidates nothing; the gap it comes back with is acted on', async () => {
  const proxy = await startHttpFaultProxy(stack.venue.url);
  const keeper = await stack.startKeeper({ venueUrl: proxy.url, reference: { kind: 'http', url: stack.venue.url } });
  const openPosition = await openLeveraged(stack.deployment.roles.alice);
  await stack.scenario('feed_freeze', openPosition.market, { seconds: 86_400 });
  proxy.addRule({ matches: ({ path }) => path.startsWith('/book'), fault: { kind: 'drop' }, times: 1_000_000 });
  await stack.until('the book to be stale', async () => {
    const metrics = await (await fetch(`${keeper.metricsUrl}/metrics`)).text();
    return /^keeper_stale_markets [1-9]/m.test(metrics) ? true : undefined;
  });
  await stack.fallUnderLiquidation(openPosition, 600n);
  await severalRounds(stack, keeper);
  expect(await attemptsOf(openPosition)).toEqual([]);
  proxy.clearRules();
  const ended = await stack.reaches(openPosition.position, 'liquidated');
  await expectLedgerOfChain(openPosition, ended);
  await keeper.close();
  await proxy.close();
});

test('F17: a node that answers empty ranges for several readings delays a position and loses nothing of it', async () => {
  const node = await startForgetfulNode(stack.rpcUrl);
  const keeper = await stack.startKeeper({ rpcUrl: node.url, rescanDelayMs: 3_000 });
  const market = await stack.tradableMarket();
  node.isWithholding = true;
  const position = await stack.open({ user: stack.deployment.roles.bob, market, side: 'yes' });
  const { withheldCount } = node;
  await stack.until('several readings to be empty', async () =>
    node.withheldCount > withheldCount + 3 ? true : undefined,
  );
  expect(await stack.store.positions.byKey(position.positionKey)).toBeNull();
  node.isWithholding = false;
  const openRecord = await stack.reaches(position, 'open', 'cancelled');
  expect(openRecord.status).toBe('open');
  await expectLedgerOfChain({ market, side: 'yes', position }, openRecord);
  await keeper.close();
  await node.close();
});

/** Writes of a table fail with an error of the database every seventh time. */
async function failWrites(client: Client, { table, code }: { readonly table: string; readonly code: string }) {
  const name = `fail_${table}_${code.toLowerCase()}`;
  await client.query(`CREATE SEQUENCE ${name};
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('${name}') % 7 = 0 THEN RAISE EXCEPTION 'a fault of the test' USING ERRCODE = '${code}'; END IF;
        RETURN NEW;
      END $$;
    CREATE TRIGGER ${name} BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`);
  return async (): Promise<number> => {
    await client.query(`DROP TRIGGER ${name} ON ${table}`);
    const { rows } = await client.query(`SELECT last_value FROM ${name}`);
    return Number(rows[0]?.last_value);
  };
}

/** Opens and closes a position while something is wrong; every effect happens once. */
async function liveOnce(user: LocalAccount, during: () => Promise<void>): Promise<Position> {
  const market = await stack.tradableMarket();
  const position = await stack.open({ user, market });
  await during();
  const openRecord = await stack.reaches(position, 'open');
  await stack.driver.requestClose({ position, sender: user, tokenUnits: raw(openRecord.tokenUnits) });
  await during();
  const closedRecord = await stack.reaches(position, 'closed');
  await expectLedgerOfChain({ market, side: 'yes', position }, closedRecord);
  for (const operation of ['authorize_open', 'authorize_close', 'finalize_close'] as const) {
    // The chain has an effect before its intent says so, and the write that says so may be one that fails.
    const recorded = await stack.until(`${operation} to be recorded`, async () => {
      const intents = ofOperation(await intentsOfSubject(stack.store.intents, position.positionKey), operation);
      const included = intents.filter(({ state }) => state === 'included' || state === 'final');
      return included.length > 0 ? included : undefined;
    });
    expect(`${operation} ${recorded.length}`).toBe(`${operation} 1`);
  }
  return closedRecord;
}

test('F18: a database whose connections are killed again and again loses no effect and doubles none', async () => {
  const keeper = await stack.startKeeper();
  const admin = new Client({ connectionString: stack.databaseUrl });
  await admin.connect();
  const closedRecord = await liveOnce(stack.deployment.roles.carol, async () => {
    for (let kill = 0; kill < 5; kill += 1) {
      await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                         WHERE datname = current_database() AND pid <> pg_backend_pid()`);
      await delay(150);
    }
  });
  expect(closedRecord.badDebtUsdcUnits).toBe(0n);
  await admin.end();
  await keeper.close();
});

test.each([
  ['a full disk', '53100'],
  ['deadlocks', '40P01'],
  ['serialisation failures', '40001'],
  ['no connection left', '53300'],
])('F18: %s in one of seven writes lose no effect and double none', async (_name, code) => {
  const keeper = await stack.startKeeper();
  const admin = new Client({ connectionString: stack.databaseUrl });
  await admin.connect();
  const ends = [];
  for (const table of ['intents', 'intent_transactions', 'chain_cursors', 'positions']) {
    ends.push(await failWrites(admin, { table, code }));
  }
  await liveOnce(stack.deployment.roles.dave, () => Promise.resolve());
  for (const end of ends) expect(await end()).toBeGreaterThan(3);
  await admin.end();
  await keeper.close();
});

test('F30: a clock that jumps ahead under an opening and under a debt harms neither', async () => {
  const keeper = await stack.startKeeper();
  const openPosition = await openLeveraged(stack.deployment.roles.erin);
  const { alice } = stack.deployment.roles;
  const before = await stack.driver.usdcOf(alice.address);
  const market = await stack.tradableMarket();
  // Its matches wait, so that the jump finds the order under way.
  await stack.scenario('slow_settle', market, { delay_seconds: 20, seconds: 300 });
  const opening = await stack.open({ user: alice, market });
  await stack.until('its order to be posted', async () => {
    const posts = ofOperation(await intentsOfSubject(stack.store.intents, opening.positionKey), 'post_open');
    return posts.length > 0 ? true : undefined;
  });
  await stack.advance(3_600);
  const ended = await stack.reaches(opening, 'open', 'cancelled');
  const isRefunded = (await stack.driver.usdcOf(alice.address)) === before;
  expect(isRefunded).toBe(ended.status === 'cancelled');
  await expectLedgerOfChain({ market, side: 'yes', position: opening }, ended);
  // An hour of fees is owed and nothing was sold: the books of before the jump count for nothing.
  expect(await attemptsOf(openPosition)).toEqual([]);
  const record = await stack.reaches(openPosition.position, 'open');
  await expectLedgerOfChain(openPosition, record);
  await stack.fallUnderLiquidation(openPosition, 200n);
  await expectLedgerOfChain(openPosition, await stack.reaches(openPosition.position, 'liquidated'));
  await keeper.close();
});

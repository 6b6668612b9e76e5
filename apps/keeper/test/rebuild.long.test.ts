import type { MarketRecord } from '@core/market';
import type { Position } from '@core/position';
import { leverageBps, raw } from '@core/pricing';
import { exportService, importService } from '@core/store';
import { createTestDatabase, execute, type TestDatabase } from '@core/store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HeldPosition, isLastingCrypto, startTestStack, type TestStack } from '../testing/startTestStack.ts';

/** Rounds of ten positions in one market. */
const roundCount = Number(process.env['REBUILT_ROUNDS'] ?? 5);

let stack: TestStack;
let fresh: TestDatabase;

beforeAll(async () => {
  [stack, fresh] = await Promise.all([startTestStack({ isListed: isLastingCrypto }), createTestDatabase()]);
});
afterAll(async () => {
  await stack.close();
  await fresh.close();
});

/** Everything that the service shows of positions, and what they count against limits. */
const tables = {
  positions: 'true',
  position_unwinds: 'true',
  position_partial_closes: 'true',
  position_ledger_rows: 'true',
  position_transactions: 'true',
  // A counter of nothing is as good as none.
  usage_counters: 'active_notional_usd_pips + pending_borrow_usdc_units + lent_borrow_usdc_units > 0',
};

async function figuresIn(databaseUrl: string): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const entries = Object.entries(tables).map(async ([table, where]) => {
    const rows = await execute(databaseUrl, `SELECT to_jsonb(one) AS row FROM ${table} AS one WHERE ${where}`);
    return [table, rows.map(({ row }) => JSON.stringify(row)).toSorted()] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Open positions of different users in one market. On a busy machine one may be refunded: that is a life as well. */
async function openIn(market: MarketRecord, count: number, leverage = 15_000n): Promise<readonly HeldPosition[]> {
  const side = await stack.likelierSide(market);
  const { alice, bob, carol, dave, erin } = stack.deployment.roles;
  const positions = await Promise.all(
    [alice, bob, carol, dave, erin].slice(0, count).map((user) => {
      return stack.open({ user, market, side, leverageBps: leverageBps(leverage) });
    }),
  );
  const entries = await Promise.all(
    positions.map(async (position) => {
      const { status } = await stack.reaches(position, 'open', 'cancelled');
      return status === 'open' ? [{ market, side, position }] : [];
    }),
  );
  return entries.flat();
}

/** Request the sale of a part of a position: all of it divided by the divisor. */
async function sellPart({ position }: HeldPosition, divisor: bigint): Promise<Position> {
  const record = await stack.reaches(position, 'open');
  const { roles } = stack.deployment;
  const sender = [roles.alice, roles.bob, roles.carol, roles.dave, roles.erin].find(
    ({ address }) => address.toLowerCase() === record.walletAddress.toLowerCase(),
  );
  if (sender === undefined) throw new Error('every position is of a known user');
  await stack.driver.requestClose({ position, sender, tokenUnits: raw(record.tokenUnits) / divisor });
  return record;
}

async function sellHalf(entry: HeldPosition): Promise<void> {
  const { tokenUnits } = await sellPart(entry, 2n);
  await stack.until('the partial close', async () => {
    const record = await stack.store.positions.byKey(entry.position.positionKey);
    return record !== null && raw(record.tokenUnits) < raw(tokenUnits) ? true : undefined;
  });
}

async function sellAll(entry: HeldPosition): Promise<void> {
  await sellPart(entry, 1n);
  await stack.reaches(entry.position, 'closed');
}

/** Lives of positions: open, sold in part, sold, settled, liquidated. */
async function live(): Promise<void> {
  for (let round = 0; round < roundCount; round += 1) {
    const market = await stack.tradableMarket();
    await openIn(market, 5);
    for (const entry of await openIn(market, 5)) await (round % 2 === 0 ? sellHalf(entry) : sellAll(entry));
  }
  const [settling, falling] = [await stack.tradableMarket(), await stack.tradableMarket()];
  const ending = await openIn(settling, 5);
  await stack.scenario('resolve', settling, { outcome: ending[0]?.side ?? 'yes' });
  for (const entry of ending) await stack.reaches(entry.position, 'settled');
  for (const entry of await openIn(falling, 1, 40_000n)) {
    await stack.fallUnderLiquidation(entry);
    await stack.reaches(entry.position, 'liquidated');
  }
}

test('positions in a database made of the chain and an export have the figures of the lost one', async () => {
  const keeper = await stack.startKeeper();
  await live();
  await keeper.close();
  const before = await figuresIn(stack.databaseUrl);
  const count = before['positions']?.length ?? 0;
  expect(count).toBe(roundCount * 10 + 6);
  expect(before['position_partial_closes']?.length).toBeGreaterThan(0);
  const lines: string[] = [];
  await exportService(stack.databaseUrl, (line) => lines.push(line.trimEnd()));
  await importService(fresh.databaseUrl, lines);

  const again = await stack.startKeeper({ databaseUrl: fresh.databaseUrl });
  await stack.until('the positions of the chain', async () => {
    const { positions = [] } = await figuresIn(fresh.databaseUrl);
    return positions.length === count ? true : undefined;
  });
  await again.close();
  expect(await figuresIn(fresh.databaseUrl)).toEqual(before);
});

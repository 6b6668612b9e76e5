import type { LocalMarket, LocalPosition } from '@core/contracts/local';
import { raw } from '@core/pricing';
import { Purpose } from '@core/vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aroundReorganisation } from '../testing/aroundReorganisation.ts';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';
import { createTraded, openTradedMarket, tradeAtHalf, tradedTokenUnits } from '../testing/tradeAtHalf.ts';

let world: TestConnections;
let market: LocalMarket;
let seedCount = 0;

beforeAll(async () => {
  world = await startTestConnections();
  market = await openTradedMarket(world, 'reorganised');
});
afterAll(() => world.close());

const rpc = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
  world.driver.rpc.client.request({ method: method as never, params: params as never });

const create = (seed: number): Promise<LocalPosition> => createTraded(world, market, seed);
const trade = (position: LocalPosition, purpose: Purpose): Promise<void> =>
  tradeAtHalf(world, market, { position, purpose });

const recordOf = ({ positionKey }: Pick<LocalPosition, 'positionKey'>) =>
  world.connections.store.positions.byKey(positionKey);

/** The record says of tokens and debt what the chain says. */
async function expectLedgerOfChain(position: LocalPosition): Promise<void> {
  const record = await recordOf(position);
  const onChain = await world.driver.positionOf(position);
  expect([record && raw(record.tokenUnits), record && raw(record.principalUsdcUnits)]).toEqual([
    onChain.tokenUnits,
    onChain.principalUsdcUnits,
  ]);
}

const around = (
  position: Pick<LocalPosition, 'positionKey'>,
  change: Parameters<typeof aroundReorganisation>[2],
): Promise<void> => aroundReorganisation(world, position, change);

test.each([1, 7, 32])('F16: a reorganisation of at least %i blocks around open, close and settle', async (depth) => {
  const { driver, deployment } = world;
  const { alice } = deployment.roles;
  const positions: LocalPosition[] = [];
  for (const ending of ['close', 'settle']) {
    seedCount += 1;
    const seed = seedCount;
    const snapshot = await rpc('evm_snapshot');
    const position = await create(seed);
    await rpc('evm_revert', [snapshot]);
    positions.push(position);
    await around(position, { depth, status: 'pending', step: () => create(seed) });
    await around(position, { depth, status: 'open', step: () => trade(position, Purpose.Open) });
    await expectLedgerOfChain(position);
    if (ending === 'close') {
      await around(position, {
        depth,
        status: 'closing',
        step: () => driver.requestClose({ position, sender: alice, tokenUnits: tradedTokenUnits }),
      });
      await around(position, { depth, status: 'closed', step: () => trade(position, Purpose.Close) });
      await expectLedgerOfChain(position);
    }
  }
  const [, held] = positions;
  if (held === undefined) throw new Error('two positions were opened');
  await driver.reportPayouts(market, [1n, 0n]);
  await around(held, { depth, status: 'settled', step: () => driver.settle(held) });
  expect((await recordOf(held))?.closeReason).toBe('settled');
  await expectLedgerOfChain(held);
  market = await openTradedMarket(world, `reorganised after ${depth}`);
});

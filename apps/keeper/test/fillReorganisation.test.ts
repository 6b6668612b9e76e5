import type { LocalMarket, LocalPosition } from '@core/contracts/local';
import { raw } from '@core/pricing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aroundReorganisation } from '../testing/aroundReorganisation.ts';
import { endGrant, fillGrant, grantOpening } from '../testing/grants.ts';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';
import { createTraded, openTradedMarket, tradedTokenUnits } from '../testing/tradeAtHalf.ts';

let world: TestConnections;
let market: LocalMarket;
let position: LocalPosition;

beforeAll(async () => {
  world = await startTestConnections();
  market = await openTradedMarket(world, 'reorganised grants');
  position = await createTraded(world, market, 1);
});
afterAll(() => world.close());

const recordOf = async () => {
  const record = await world.connections.store.positions.byKey(position.positionKey);
  if (record === null) throw new Error('there is no record of the position');
  return record;
};

const around = (depth: number, status: string, step: () => Promise<unknown>): Promise<void> =>
  aroundReorganisation(world, position, { depth, status, step });

const fill = async (): Promise<void> => {
  const [maker] = world.deployment.roles.makers;
  if (maker === undefined) throw new Error('the deployment has no maker');
  await fillGrant(world, maker, position);
};

test('a reorganisation while a grant is open and one after its end by one price signer leave no trace', async () => {
  await around(1, 'pending', () => grantOpening(world, position));
  expect((await recordOf()).livePurpose).toBe('open');
  await around(1, 'pending', () => endGrant(world, position));
  expect((await recordOf()).livePurpose).toBe(null);
});

test('a reorganisation after a fill leaves no trace, and the record agrees with the chain', async () => {
  await around(7, 'open', async () => {
    await grantOpening(world, position);
    await fill();
  });
  const { tokenUnits, principalUsdcUnits } = await world.driver.positionOf(position);
  expect(tokenUnits).toBe(tradedTokenUnits);
  const record = await recordOf();
  expect([raw(record.tokenUnits), raw(record.principalUsdcUnits)]).toEqual([tokenUnits, principalUsdcUnits]);
  // A block that is indexed again counts again.
  const { values } = await world.connections.metrics.endedGrants.get();
  expect(values.map(({ labels }) => labels)).toEqual([
    { purpose: 'open', category: 'unlisted', outcome: 'withdrawn' },
    { purpose: 'open', category: 'unlisted', outcome: 'filled' },
  ]);
});

test('a split payout of 37:63 settles a position opened by a grant, to the unit, also after a reorganisation', async () => {
  const { alice } = world.deployment.roles;
  await world.driver.reportPayouts(market, [37n, 63n]);
  const { principalUsdcUnits } = await world.driver.positionOf(position);
  const before = await world.driver.usdcOf(alice.address);
  await around(7, 'settled', () => world.driver.settle(position));
  const { proceedsUsdcUnits, collectedLifetimeFeeUsdcUnits, badDebtUsdcUnits } = await recordOf();
  // 37 cents for each token; the debt and its fees are paid first.
  const payoutUsdcUnits = (tradedTokenUnits * 37n) / 100n;
  expect(raw(proceedsUsdcUnits)).toBe(payoutUsdcUnits - principalUsdcUnits - raw(collectedLifetimeFeeUsdcUnits));
  expect((await world.driver.usdcOf(alice.address)) - before).toBe(raw(proceedsUsdcUnits));
  expect(raw(badDebtUsdcUnits)).toBe(0n);
});

import { policyDefaults } from '@core/policy';
import { isZero, leverageBps, raw, usdPips } from '@core/pricing';
import { vaultAbi } from '@core/vault';
import type { VenueMarket } from '@core/venue';
import { decodeFunctionData } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { ofOperation } from '../src/transactions/intents.ts';
import { startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
let keeper: Keeper;

beforeAll(async () => {
  stack = await startTestStack();
  keeper = await stack.startKeeper({ policy: policyDefaults });
});
afterAll(async () => {
  await keeper.close();
  await stack.close();
});

const quarterHourMs = 900_000;
const isBeforeItsGame = ({ sport, gameStartTimeMs }: VenueMarket, nowMs: number): boolean =>
  sport === 'tennis' && gameStartTimeMs !== null && gameStartTimeMs > nowMs + quarterHourMs;

test('a debt from before a game is past its hard exit in play, also once a part of it was repaid there', async () => {
  const market = await stack.tradableMarket({ isWanted: isBeforeItsGame });
  const side = await stack.likelierSide(market);
  const user = stack.deployment.roles.alice;
  const wanted = { user, market, side, leverageBps: leverageBps(20_000n), notionalUsdPips: usdPips(3_000_000n) };
  const position = await stack.open(wanted);
  await stack.reaches(position, 'open');
  // No keeper looks while the hard exit of the time before the game passes.
  await keeper.close();
  const startMs = (market.record as VenueMarket).gameStartTimeMs ?? 0;
  await stack.advance(Math.ceil(startMs / 1_000 - Number(await stack.driver.rpc.nowSeconds())) + 60);
  // Each sale takes a part only: after it the vault says that the principal has changed in play.
  await stack.drainBids({ market, side, position }, 20, 3_600);
  keeper = await stack.startKeeper({ policy: policyDefaults });
  const repaid = await stack.until('the debt to be gone', async () => {
    const record = await stack.store.positions.byKey(position.positionKey);
    return record !== null && isZero(record.principalUsdcUnits) && record.status === 'open' ? record : undefined;
  });
  expect(raw(repaid.tokenUnits)).toBeGreaterThan(0n);
  expect(repaid.badDebtUsdcUnits).toBe(0n);
  const unwinds = await stack.store.positions.unwinds(position.positionKey);
  expect(unwinds.length).toBeGreaterThan(1);
  for (const { executedAtMs } of unwinds) expect(executedAtMs).toBeGreaterThan(startMs);
  const orders = ofOperation(await stack.intents.ofSubject(position.positionKey), 'authorize_unwind');
  const triggers = orders.map(({ plan }) => {
    const { args } = decodeFunctionData({ abi: vaultAbi, data: plan.data });
    const attestation: unknown = args?.[4];
    return (attestation as { readonly triggerPips: number }).triggerPips;
  });
  // The price signer finds the hard exit in force by itself, for every order.
  expect(triggers).toEqual(orders.map(() => 0));
});

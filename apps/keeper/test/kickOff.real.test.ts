import type { Sport, VenueMarket } from '@core/market';
import { policyDefaults } from '@core/policy';
import { isZero, leverageBps, raw, usdPips } from '@core/pricing';
import { vaultAbi } from '@core/vault';
import { decodeFunctionData, encodeFunctionData, erc20Abi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { intentsOfSubject, ofOperation } from '../src/transactions/intents.ts';
import { expectShown } from '../testing/expectShown.ts';
import { untilRounds } from '../testing/severalRounds.ts';
import { type Rest, startRest } from '../testing/startRest.ts';
import { type HeldPosition, isGame, startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
let keeper: Keeper;
let rest: Rest;

beforeAll(async () => {
  stack = await startTestStack({ isListed: isGame });
  keeper = await stack.startKeeper({ policy: policyDefaults });
  rest = await startRest(stack);
});
afterAll(async () => {
  await Promise.all([keeper.close(), rest.close()]);
  await stack.close();
});

const quarterHourMs = 900_000;

/** A position in a game that begins in more than a quarter of an hour. */
async function openBeforeGame(wantedSport: Sport): Promise<HeldPosition & { readonly startMs: number }> {
  const isWanted = ({ sport, gameStartTimeMs }: VenueMarket, nowMs: number): boolean =>
    sport === wantedSport && gameStartTimeMs !== null && gameStartTimeMs > nowMs + quarterHourMs;
  const market = await stack.tradableMarket({ isWanted });
  const side = await stack.likelierSide(market);
  const user = stack.deployment.roles.alice;
  const quoteRequest = { user, market, side, leverageBps: leverageBps(20_000n), notionalUsdPips: usdPips(3_000_000n) };
  const position = await stack.open(quoteRequest);
  await stack.reaches(position, 'open');
  return { market, side, position, startMs: market.record?.gameStartTimeMs ?? 0 };
}

/** The watch is past the block of the position's last change: nothing but the market brings it up again. */
async function leftAlone({ position }: HeldPosition): Promise<void> {
  const { store, driver, deployment } = stack;
  const { chainId, contracts, roles } = deployment;
  const changedBlock = (await store.positions.byKey(position.positionKey))?.updatedBlockNumber ?? 0n;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [contracts.pool, 1n] });
  await driver.rpc.send(roles.erin, { to: contracts.usdc, data });
  await stack.until('a later block to be indexed', async () => {
    const cursor = await store.chain.cursor(`${chainId}:${contracts.vault.toLowerCase()}`);
    return (cursor?.blockNumber ?? 0n) > changedBlock ? true : undefined;
  });
  await untilRounds(stack, keeper, { tasks: ['followDebts'], count: 2 });
}

/** To a minute after kick-off, over the hard exit of the time before the game. */
async function passKickOff({ startMs }: { readonly startMs: number }): Promise<void> {
  await stack.advance(Math.ceil(startMs / 1_000 - Number(await stack.driver.rpc.nowSeconds())) + 60);
}

/** The debt was repaid in play, by orders that price signers knew to be those of a hard exit. */
async function expectRepaidInPlay({ position, startMs }: HeldPosition & { readonly startMs: number }) {
  const repaid = await stack.until('the debt to be gone', async () => {
    const record = await stack.store.positions.byKey(position.positionKey);
    return record !== null && isZero(record.principalUsdcUnits) && record.status === 'open' ? record : undefined;
  });
  expect(raw(repaid.tokenUnits)).toBeGreaterThan(0n);
  expect(repaid.badDebtUsdcUnits).toBe(0n);
  expect(await stack.debtOf(position)).toBe(0n);
  const unwinds = await stack.store.positions.unwinds(position.positionKey);
  for (const { executedAtMs } of unwinds) expect(executedAtMs).toBeGreaterThan(startMs);
  const orders = ofOperation(await intentsOfSubject(stack.store.intents, position.positionKey), 'authorize_unwind');
  const calls = orders.flatMap(({ plan }) => (plan.kind === 'transaction' ? [plan] : []));
  const triggers = calls.map((plan) => {
    const { args } = decodeFunctionData({ abi: vaultAbi, data: plan.data });
    const attestation: unknown = args?.[4];
    return (attestation as { readonly triggerPips: number }).triggerPips;
  });
  // The price signer finds the hard exit in force by itself, for every order.
  expect(triggers).toEqual(orders.map(() => 0));
  expect(orders.map(({ plan }) => plan.details.unwind.isHardExit)).toEqual(orders.map(() => true));
  await expectShown({ stack, rest }, position);
  return unwinds;
}

test('a debt from before a game is repaid after kick-off by a keeper that runs across it', async () => {
  const openPosition = await openBeforeGame('tennis');
  await leftAlone(openPosition);
  await passKickOff(openPosition);
  const unwinds = await expectRepaidInPlay(openPosition);
  // The side stands at half a dollar or more: it is the start that calls the debt in.
  expect(unwinds.map(({ reason }) => reason)).toEqual(unwinds.map(() => 'game_start'));
  expect(unwinds.length).toBeGreaterThan(0);
});

test('a debt from before a game is past its hard exit in play, also once a part of it was repaid there', async () => {
  const openPosition = await openBeforeGame('esport');
  // No keeper looks while the hard exit of the time before the game passes.
  await keeper.close();
  await passKickOff(openPosition);
  // Each sale takes a part only: after it the vault says that the principal has changed in play.
  await stack.drainBids(openPosition, 20, 3_600);
  keeper = await stack.startKeeper({ policy: policyDefaults });
  const unwinds = await expectRepaidInPlay(openPosition);
  expect(unwinds.length).toBeGreaterThan(1);
});

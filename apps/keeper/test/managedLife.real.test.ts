import type { LocalAccount } from '@core/contracts/local';
import { policyDefaults } from '@core/policy';
import { isZero, leverageBps, raw, usdPips } from '@core/pricing';
import { FriendlyError } from '@core/runtime';
import { isManagedToken } from '@core/vault';
import { type Address, encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { intentsOfSubject } from '../src/transactions/intents.ts';
import { calmPlace, expectAccounted, expectFillsShown, patientFillPolicy } from '../testing/fillAccount.ts';
import { type GrantFiller, startGrantFiller } from '../testing/grantFiller.ts';
import { likelyPlace } from '../testing/likelyPlace.ts';
import { likelyWhereNear } from '../testing/standStill.ts';
import { type HeldPosition, isLastingCrypto, startTestStack, type TestStack } from '../testing/startTestStack.ts';
import { namedTypesOf } from '../testing/writtenEvents.ts';

const aggregatorAbi = parseAbi(['function resolveResult(bytes32 requestId, uint256 yesShare)']);
const managerAbi = parseAbi(['function addModule(uint256 moduleId, address module)']);
const wholeShare = 1_000_000n;

let stack: TestStack;
let keeper: Keeper;
let filler: GrantFiller;

beforeAll(async () => {
  stack = await startTestStack({ isListed: isLastingCrypto, isManaged: () => true, startPriceOf: likelyWhereNear });
  keeper = await stack.startKeeper({ route: 'fill', policy: patientFillPolicy });
  filler = await startGrantFiller(stack, stack.deployment.roles.erin);
});
afterAll(async () => {
  await filler.close();
  await keeper.close();
  await stack.close();
});

/** Result of a market by its oracle aggregator: the share of YES in millionths. */
async function resolve({ market }: Pick<HeldPosition, 'market'>, yesShare: bigint): Promise<void> {
  await stack.scenario('propose', market, { outcome: 'yes' });
  const args = [market.venueMarketId, yesShare] as const;
  const data = encodeFunctionData({ abi: aggregatorAbi, functionName: 'resolveResult', args });
  await stack.driver.rpc.send(stack.deployment.roles.bob, { to: stack.deployment.contracts.oracleAggregator, data });
}

/** Change the contract that decides binary conditions, as the venue's owner can. */
async function setModule(module: Address): Promise<void> {
  const data = encodeFunctionData({ abi: managerAbi, functionName: 'addModule', args: [1n, module] });
  await stack.driver.rpc.send(stack.deployment.roles.bob, { to: stack.deployment.contracts.positionManager, data });
}

/** Open a position in a market of the PositionManager, and expect that its tokens lie there. */
async function openManaged(
  user: LocalAccount,
  place: Omit<HeldPosition, 'position'>,
  terms: Pick<Parameters<TestStack['open']>[0], 'leverageBps' | 'notionalUsdPips'> = {},
) {
  const before = await stack.driver.usdcOf(user.address);
  const position = await stack.open({ user, ...place, ...terms });
  const openRecord = await stack.reaches(position, 'open');
  expect(isManagedToken(position.token.tokenId)).toBe(true);
  expect(await stack.driver.tokensOf(position.account, position.token)).toBe(raw(openRecord.tokenUnits));
  return { ...place, user, before, position, openRecord };
}

describe('a position in a market of the PositionManager', () => {
  test('opens by a grant, closes in part and wholly, and every unit is accounted for', async () => {
    const { alice } = stack.deployment.roles;
    const holding = await openManaged(alice, await calmPlace(stack), { leverageBps: leverageBps(20_000n) });
    const { position, openRecord } = holding;
    const part = raw(openRecord.tokenUnits) / 2n;
    await stack.driver.requestClose({ position, sender: alice, tokenUnits: part });
    const reduced = await stack.until('a part to be closed', async () => {
      const record = await stack.store.positions.byKey(position.positionKey);
      const isReduced = record !== null && raw(record.tokenUnits) < raw(openRecord.tokenUnits);
      return isReduced && record.status === 'open' && record.closeRequestedTokenUnits === null ? record : undefined;
    });
    await stack.driver.requestClose({ position, sender: alice, tokenUnits: raw(reduced.tokenUnits) });
    const closedRecord = await stack.reaches(position, 'closed');
    await expectAccounted(stack, closedRecord, holding);
    await expectFillsShown({ stack, filler }, position);
    const intents = await intentsOfSubject(stack.store.intents, position.positionKey);
    expect(intents.filter(({ operation }) => operation.startsWith('post_'))).toEqual([]);
  });

  test('is liquidated by a grant, and the pool has its money and its fee', async () => {
    const { bob } = stack.deployment.roles;
    const holding = await openManaged(bob, await calmPlace(stack), { leverageBps: leverageBps(50_000n) });
    await stack.fallUnderLiquidation(holding);
    const ended = await stack.reaches(holding.position, 'liquidated');
    await expectAccounted(stack, ended, holding);
    await expectFillsShown({ stack, filler }, holding.position);
    expect(raw(ended.collectedLiquidationFeeUsdcUnits)).toBeGreaterThan(0n);
    expect(await namedTypesOf(stack.store, ended.id)).toContain('position.liquidated');
  });

  test.each([
    ['won', wholeShare],
    ['lost', 0n],
    ['void', wholeShare / 2n],
    ['37:63', 370_000n],
  ])('settles by the result %s, to the unit', async (_name, ownShare) => {
    const { carol } = stack.deployment.roles;
    const holding = await openManaged(carol, await calmPlace(stack));
    const { side, position, openRecord, market } = holding;
    const yesShare = side === 'yes' ? ownShare : wholeShare - ownShare;
    await resolve(holding, yesShare);
    const settledRecord = await stack.reaches(position, 'settled');
    const payout = (raw(openRecord.tokenUnits) * ownShare) / wholeShare;
    const debt = raw(openRecord.principalUsdcUnits) + raw(settledRecord.collectedLifetimeFeeUsdcUnits);
    expect(raw(settledRecord.proceedsUsdcUnits)).toBe(payout > debt ? payout - debt : 0n);
    await expectAccounted(stack, settledRecord, holding);
    await expectFillsShown({ stack, filler }, position);
    const record = await stack.until('the market to be final', async () => {
      const marketRecord = await stack.store.markets.byId(market.id);
      return marketRecord?.status === 'finalized' ? marketRecord : undefined;
    });
    const payoutNumerators = [yesShare, wholeShare - yesShare];
    expect(record).toMatchObject({ payoutNumerators, payoutDenominator: wholeShare });
  });

  test('a result of any split stops no oracle, and the venue resolves a market by its own report', async () => {
    const { dave } = stack.deployment.roles;
    const holding = await openManaged(dave, await calmPlace(stack));
    expect(await stack.store.oracles.stopped()).toEqual([]);
    const outcome = holding.side;
    await stack.scenario('resolve', holding.market, { outcome });
    const settledRecord = await stack.reaches(holding.position, 'settled');
    await expectAccounted(stack, settledRecord, holding);
  });

  test('is closed by a grant under a keeper of the route Direct as well', async () => {
    const { alice } = stack.deployment.roles;
    const holding = await openManaged(alice, await calmPlace(stack));
    await keeper.close();
    keeper = await stack.startKeeper({ route: 'direct' });
    const { position, openRecord } = holding;
    await stack.driver.requestClose({ position, sender: alice, tokenUnits: raw(openRecord.tokenUnits) });
    const closedRecord = await stack.reaches(position, 'closed');
    await expectAccounted(stack, closedRecord, holding);
    await expectFillsShown({ stack, filler }, position);
    const intents = await intentsOfSubject(stack.store.intents, position.positionKey);
    expect(intents.filter(({ operation }) => operation.startsWith('post_'))).toEqual([]);
  });

  test('waits while the PositionManager gives no clear answer, and is closed once it does', async () => {
    const { alice } = stack.deployment.roles;
    const holding = await openManaged(alice, await calmPlace(stack));
    const { position, openRecord } = holding;
    const { usdc, binaryModule } = stack.deployment.contracts;
    // Its module has no such call, as after a bad upgrade: neither a result nor "not resolved".
    await setModule(usdc);
    await stack.driver.requestClose({ position, sender: alice, tokenUnits: raw(openRecord.tokenUnits) });
    await stack.until('a failing step', async () => {
      const metrics = await (await fetch(`${keeper.metricsUrl}/metrics`)).text();
      return metrics.includes('\nkeeper_failing_positions 1\n') ? true : undefined;
    });
    const waiting = await stack.store.positions.byKey(position.positionKey);
    expect(waiting).toMatchObject({ chainState: 'open', closeDeferredAtMs: null });
    const intents = await intentsOfSubject(stack.store.intents, position.positionKey);
    expect(intents.filter(({ operation }) => operation === 'authorize_close' || operation === 'settle')).toEqual([]);
    await setModule(binaryModule);
    const closedRecord = await stack.reaches(position, 'closed');
    await expectAccounted(stack, closedRecord, holding);
    await expectFillsShown({ stack, filler }, position);
  });

  test('a debt that is not covered is repaid by a grant, and the rest stays the user’s', async () => {
    await keeper.close();
    const policy = { ...policyDefaults, grant: patientFillPolicy.grant, execution: patientFillPolicy.execution };
    keeper = await stack.startKeeper({ route: 'fill', policy });
    const { dave } = stack.deployment.roles;
    const terms = { leverageBps: leverageBps(20_000n), notionalUsdPips: usdPips(3_000_000n) };
    const holding = await openManaged(dave, await likelyPlace(stack), terms);
    const { market, side, position } = holding;
    const to = (Number(await stack.liquidationPriceOf(position)) + 250) / 10_000;
    await stack.scenario('crash', market, { side, to: to.toFixed(4), hold_seconds: 600 });
    const unwound = await stack.until('the debt to be repaid', async () => {
      const record = await stack.store.positions.byKey(position.positionKey);
      const isRepaid = record !== null && record.livePurpose === null && isZero(record.principalUsdcUnits);
      return isRepaid ? record : undefined;
    });
    const rows = await stack.store.positions.unwinds(position.positionKey);
    expect(rows.map(({ reason }) => reason)).toEqual(
      rows.map(() => expect.stringMatching(/^(price_drop_|crypto_move)/)),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(raw(unwound.tokenUnits)).toBeGreaterThan(0n);
    expect(await namedTypesOf(stack.store, unwound.id)).toContain('position.force_unwound');
    await expectAccounted(stack, unwound, holding);
    await expectFillsShown({ stack, filler }, position);
  });
});

test('a keeper of a venue with another PositionManager does not start', async () => {
  await expect(stack.startKeeper({ positionManager: stack.deployment.contracts.usdc })).rejects.toThrow(FriendlyError);
});

import type { LocalAccount, LocalPosition } from '@core/contracts/local';
import { PositionState } from '@core/vault';
import { simulatorProfile } from '@core/venue';
import { encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FillerStack, type GrantMarket, startFillerStack } from '../testing/fillerStack.ts';

const aggregatorAbi = parseAbi(['function resolveResult(bytes32 requestId, uint256 yesShare)']);
const wholeShare = 1_000_000n;
const yesShare = 370_000n;

let stack: FillerStack;
let market: GrantMarket;
beforeAll(async () => {
  stack = await startFillerStack(async () => ({ isManaged: () => true }));
  market = await stack.market('v2');
});
afterAll(() => stack?.close());

/** Start a filler that trades in markets of the PositionManager. Its exchange there matches nothing. */
function startManagedFiller(account: LocalAccount) {
  const { contracts } = stack.deployment;
  return stack.startFiller(account, {
    contracts: { ...contracts, managedExchange: contracts.exchange },
    managedDomain: simulatorProfile.orderDomains.v2,
  });
}

const reaches = (position: LocalPosition, state: number): Promise<true> =>
  stack.until(`state ${state}`, async () => ((await stack.stateOf(position)) === state ? true : undefined));

test('a filler without an exchange for them leaves markets of the PositionManager alone', async () => {
  const [account] = stack.fillers;
  const filler = await stack.startFiller(account);
  const position = await stack.grantOpening(market);
  await stack.grantEnds(position);
  expect(await stack.stateOf(position)).toBe(PositionState.Pending);
  const metrics = await (await fetch(`${filler.metricsUrl}/metrics`)).text();
  await filler.close();
  expect(metrics).toMatch(/^filler_decisions_total\{result="no_book"\} [1-9]/m);
});

test('one filler delivers a pair of the PositionManager, another takes back, and both redeem to the unit', async () => {
  const [first, second] = stack.fillers;
  const { yesTokenId, noTokenId, conditionId } = market;
  const tokensOf = (owner: LocalAccount, tokenId: bigint) =>
    stack.driver.tokensOf(owner.address, { conditionId, tokenId });
  const delivering = await startManagedFiller(first);
  const position = await stack.grantOpening(market);
  await reaches(position, PositionState.Open);
  const { tokenUnits } = await stack.driver.positionOf(position);
  // The venue takes no sale, so the complement stays.
  await stack.until('the complement of the pair alone', async () => {
    const [yesUnits, noUnits] = [await tokensOf(first, yesTokenId), await tokensOf(first, noTokenId)];
    return yesUnits === 0n && noUnits === tokenUnits ? true : undefined;
  });
  // This filler would complete its pairs again.
  await delivering.close();
  const taking = await startManagedFiller(second);
  await stack.grantClose(position);
  await reaches(position, PositionState.Closed);
  expect(await tokensOf(second, yesTokenId)).toBe(tokenUnits);
  const args = [conditionId, yesShare] as const;
  const data = encodeFunctionData({ abi: aggregatorAbi, functionName: 'resolveResult', args });
  const { roles, contracts } = stack.deployment;
  await stack.driver.rpc.send(roles.bob, { to: contracts.oracleAggregator, data });
  const redeeming = await startManagedFiller(first);
  const accounts = [await stack.reconciled(first, market), await stack.reconciled(second, market)];
  await Promise.all([redeeming.close(), taking.close()]);
  expect(accounts.map(({ fillCount }) => fillCount)).toEqual([1, 1]);
  for (const { balanceUsdcUnits, openingUsdcUnits, profitUsdcUnits } of accounts) {
    expect(balanceUsdcUnits).toBe(openingUsdcUnits + profitUsdcUnits);
  }
  const restTokens = [first, second].flatMap((owner) => [tokensOf(owner, yesTokenId), tokensOf(owner, noTokenId)]);
  expect(await Promise.all(restTokens)).toEqual([0n, 0n, 0n, 0n]);
  // Of the collateral nothing is left but the parts of a unit that two payouts round away.
  const paid = [yesShare, wholeShare - yesShare].map((share) => (tokenUnits * share) / wholeShare);
  const restUnits = paid.reduce((rest, units) => rest - units, tokenUnits);
  expect(await stack.driver.usdcOf(contracts.binaryModule)).toBe(restUnits);
});

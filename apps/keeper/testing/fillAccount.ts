import type { LocalAccount, LocalPosition } from '@core/contracts/local';
import type { MarketRecord } from '@core/market';
import { type PolicyConfig, policyDefaults } from '@core/policy';
import type { Position } from '@core/position';
import { raw, usdPips } from '@core/pricing';
import { vaultAbi } from '@core/vault';
import { parseEventLogs } from 'viem';
import { expect } from 'vitest';
import { expectPaidOut } from './expectPaidOut.ts';
import type { GrantFiller } from './grantFiller.ts';
import { stackPolicy, type TestStack } from './startTestStack.ts';

/** A market and its likelier side: at a low price a cent of spread is more than the vault's band. */
export async function calmPlace(
  stack: TestStack,
): Promise<{ readonly market: MarketRecord; readonly side: 'yes' | 'no' }> {
  const market = await stack.tradableMarket();
  return { market, side: await stack.likelierSide(market) };
}

/**
 * Grants of openings are tried as often as it takes, and one whose end a slow keeper sees late ends no opening: a slow
 * machine may miss the twelve seconds of a grant.
 */
export const patientFillPolicy: PolicyConfig = {
  ...stackPolicy,
  grant: { ...stackPolicy.grant, maxOpenAttempts: 1_000 },
  execution: { ...stackPolicy.execution, retryDelayMs: policyDefaults.execution.retryDelayMs },
};

/** Fills of a position as the vault emitted them, oldest first. */
async function fillsOf(stack: TestStack, { positionKey }: LocalPosition) {
  const { contracts, deploymentBlock } = stack.deployment;
  const logs = await stack.driver.rpc.client.getLogs({
    address: contracts.vault,
    fromBlock: deploymentBlock,
    toBlock: 'latest',
  });
  return parseEventLogs({ abi: vaultAbi, eventName: 'GrantFilled', logs }).filter(
    ({ args }) => args.positionKey === positionKey,
  );
}

const sumOf = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);

/** The record agrees with chain, fills and the user's balance, to the unit, and nothing is left in the account. */
export async function expectAccounted(
  stack: TestStack,
  record: Position,
  {
    user,
    before,
    position,
  }: { readonly user: LocalAccount; readonly before: bigint; readonly position: LocalPosition },
): Promise<void> {
  const onChain = await stack.driver.positionOf(position);
  const isOver = record.chainState !== 'open';
  // A remainder of less than a cent of a token is no part of a position that has ended.
  expect(isOver ? onChain.tokenUnits < 10_000n : raw(record.tokenUnits) === onChain.tokenUnits).toBe(true);
  expect(raw(record.principalUsdcUnits)).toBe(onChain.principalUsdcUnits);
  expect(raw(record.badDebtUsdcUnits)).toBe(onChain.badDebtUsdcUnits);
  await expectPaidOut(stack, record, { user, before, position });
  const fills = await fillsOf(stack, position);
  const [bought, sold] = [
    fills.filter(({ args }) => args.purpose === 1),
    fills.filter(({ args }) => args.purpose !== 1),
  ];
  const feesOf = (of: typeof fills) => sumOf(of.map(({ args }) => args.feeUsdcUnits));
  const spent = raw(record.spentUsdcUnits ?? usdPips(0n));
  expect(spent + raw(record.totalOpenVenueFeeUsdcUnits)).toBe(sumOf(bought.map(({ args }) => args.usdcUnits)));
  expect(raw(record.totalOpenVenueFeeUsdcUnits)).toBe(feesOf(bought));
  expect(raw(record.totalSaleVenueFeeUsdcUnits)).toBe(feesOf(sold));
  expect(record.openedTokenUnits).toBe(sumOf(bought.map(({ args }) => args.tokenUnits)));
}

/** Every fill is shown once, beside the authorisation of its grant. */
export async function expectFillsShown(
  { stack, filler }: { readonly stack: TestStack; readonly filler: GrantFiller },
  position: LocalPosition,
): Promise<void> {
  const transactions = await stack.store.positions.transactions(position.positionKey);
  const hashes = transactions.flatMap(({ exchangeTransactionHashes }) => exchangeTransactionHashes);
  expect(hashes.toSorted()).toEqual(
    (await fillsOf(stack, position)).map(({ transactionHash }) => transactionHash).toSorted(),
  );
  expect(hashes.toSorted()).toEqual([...filler.fillsOf(position)].toSorted());
}

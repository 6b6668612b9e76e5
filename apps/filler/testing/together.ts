import { setTimeout as delay } from 'node:timers/promises';
import type { LocalAccount, LocalPosition } from '@core/contracts/local';
import { Purpose, vaultAbi } from '@core/vault';
import type { Hex } from 'viem';
import { expect } from 'vitest';
import type { ProfitAndLoss } from '../src/accounts/profitAndLoss.ts';
import { runCommand } from '../src/commands.ts';
import { type FillerStack, type GrantMarket, hasExited } from './fillerStack.ts';
import { authorizeGrant } from './grants.ts';

/** Sale of a position that a test grants. */
export interface Sale {
  readonly position: LocalPosition;
  readonly purpose: typeof Purpose.Close | typeof Purpose.Unwind;
  readonly tokenUnits: bigint;
  readonly validFor: number;
}

/** Fill of a position as the chain has it. */
export interface ChainFill {
  readonly positionKey: Hex;
  readonly filler: string;
  readonly tokenUnits: bigint;
  readonly transactionHash: Hex;
}

/** Open positions of alice's, filled by the second account, which stops then. */
export async function openPositions(
  stack: FillerStack,
  market: GrantMarket,
  count: number,
): Promise<readonly LocalPosition[]> {
  const opener = await stack.startFiller(stack.fillers[1]);
  const positions: LocalPosition[] = [];
  for (let index = 0; index < count; index += 1) positions.push(await stack.grantOpening(market));
  await Promise.all(positions.map((position) => stack.opens(position)));
  await opener.close();
  return positions;
}

/** Return the whole closes of positions, requested by alice. */
export async function requestCloses(
  stack: FillerStack,
  positions: readonly LocalPosition[],
  validFor: number,
): Promise<readonly Sale[]> {
  const { alice } = stack.deployment.roles;
  const sales: Sale[] = [];
  for (const position of positions) {
    const { tokenUnits } = await stack.driver.positionOf(position);
    await stack.driver.requestClose({ position, sender: alice, tokenUnits });
    sales.push({ position, purpose: Purpose.Close, tokenUnits, validFor });
  }
  return sales;
}

/** Grant sales in one block at even odds, five per cent below at the most. */
async function grantTogether(stack: FillerStack, sales: readonly Sale[]): Promise<void> {
  await setInstantMining(stack, false);
  try {
    await Promise.all(
      sales.map(({ position, purpose, tokenUnits, validFor }) =>
        authorizeGrant(stack.driver, position, {
          purpose,
          maximumUnits: tokenUnits,
          markPips: 5_000n,
          limitPips: 4_750n,
          venueFeeBps: 450n,
          validFor,
        }),
      ),
    );
  } finally {
    await setInstantMining(stack, true);
  }
}

async function setInstantMining({ driver }: FillerStack, isInstant: boolean): Promise<void> {
  await driver.rpc.client.request<{ Method: string; Parameters: readonly [boolean]; ReturnType: unknown }>({
    method: 'evm_setAutomine',
    params: [isInstant],
  });
}

/**
 * Grant sales while the filler is stopped, and let it continue when their prices are at their limits: it decides about
 * all of them in one round.
 */
export async function grantToStopped(stack: FillerStack, account: LocalAccount, sales: readonly Sale[]): Promise<void> {
  await grantTogether(stack, sales);
  const pathSeconds = Math.max(...sales.map(({ validFor }) => validFor)) / 2;
  await delay(pathSeconds * 1_000);
  await runCommand('resume', { FILLER_JOURNAL: stack.journalOf(account) });
}

/** Stop new fills of an account. */
export const stop = (stack: FillerStack, account: LocalAccount): Promise<number> =>
  runCommand('stop', { FILLER_JOURNAL: stack.journalOf(account) });

/** Return the sales of positions that the chain has, oldest first. */
async function chainFillsOf(stack: FillerStack, sales: readonly Sale[]): Promise<readonly ChainFill[]> {
  const keys = new Set(sales.map(({ position }) => position.positionKey));
  const events = await stack.driver.rpc.client.getContractEvents({
    address: stack.deployment.contracts.vault,
    abi: vaultAbi,
    eventName: 'GrantFilled',
    fromBlock: 0n,
    strict: true,
  });
  return events
    .filter(({ args }) => keys.has(args.positionKey) && args.purpose !== Purpose.Open)
    .map(({ args, transactionHash }) => ({ ...args, transactionHash }));
}

/** Wait until the chain has a number of sales of positions. */
export function fillsOf(stack: FillerStack, sales: readonly Sale[], count: number): Promise<readonly ChainFill[]> {
  return stack.until(`${count} fills`, async () => {
    const fills = await chainFillsOf(stack, sales);
    return fills.length >= count ? fills : undefined;
  });
}

/** Course of three sales that were granted together, with the accounts of the filler after it. */
interface CrashCourse {
  readonly sales: readonly Sale[];
  readonly fills: readonly ChainFill[];
  /** Fills that the accounts have more than before. */
  readonly bookedCount: number;
  readonly accounts: ProfitAndLoss;
}

/** Let a filler die at a point while it fills three sales together, and start it again while their grants live. */
export async function liveThroughCrashTogether(
  stack: FillerStack,
  market: GrantMarket,
  failpoint: string,
): Promise<CrashCourse> {
  const [account] = stack.fillers;
  const sales = await requestCloses(stack, await openPositions(stack, market, 3), 12);
  await stop(stack, account);
  // Its journal and its approvals.
  await (await stack.startFiller(account)).close();
  const { fillCount } = await stack.reconciled(account, market);
  const child = stack.spawnFiller(account, { failpoint, floatUsd: 10_000 });
  await grantToStopped(stack, account, sales);
  await stack.until('the crash', async () => hasExited(child) || undefined);
  // The signal distinguishes a crash from an end.
  expect(`${failpoint} ${child.signalCode}`).toBe(`${failpoint} SIGKILL`);
  const filler = await stack.startFiller(account);
  for (const { position } of sales) await stack.grantEnds(position);
  const accounts = await stack.reconciled(account, market);
  await filler.close();
  const fills = await chainFillsOf(stack, sales);
  return { sales, fills, bookedCount: accounts.fillCount - fillCount, accounts };
}

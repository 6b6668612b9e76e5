import { PositionState } from '@core/vault';
import { expect } from 'vitest';
import type { ProfitAndLoss } from '../src/accounts/profitAndLoss.ts';
import { type Crash, type FillerStack, type GrantMarket, hasExited } from './fillerStack.ts';

const moments = ['after_intent', 'after_send', 'before_end'] as const;

/** Crashes at every point in the life of an opening, filled with a pair, with a purchase, and before tokens rest. */
export const crashes: readonly Crash[] = [
  ...['fill', 'post'].map((effect) => ({ effect, floatUsd: 10_000 })),
  // A pair of a cheap token needs more.
  ...['post', 'fill'].map((effect) => ({ effect, floatUsd: 150, price: '0.30' })),
  { effect: 'post', floatUsd: 10_000, restSeconds: 2 },
].flatMap(({ effect, ...settings }) => moments.map((moment) => ({ failpoint: `${effect}:${moment}`, ...settings })));

/**
 * Let a filler die at a point while it fills an opening, start it again, and wait until its accounts equal the chain.
 * The position is open or the grant has ended: a filler that comes back too late has lost nothing but time.
 */
export async function liveThroughCrash(stack: FillerStack, market: GrantMarket, crash: Crash): Promise<ProfitAndLoss> {
  const [account] = stack.fillers;
  const { failpoint, price = '0.50' } = crash;
  await stack.pin(market, price);
  const child = stack.spawnFiller(account, crash);
  await stack.until('the filler to begin', async () => {
    const nonce = await stack.driver.rpc.client.getTransactionCount({ address: account.address });
    return nonce >= 5 ? true : undefined;
  });
  const position = await stack.grantOpening(market);
  await stack.grantUntil(position, 'the crash', async () => hasExited(child));
  // The signal distinguishes a crash from an end.
  expect(`${failpoint} ${child.signalCode}`).toBe(`${failpoint} SIGKILL`);
  const filler = await stack.startFiller(account);
  await stack.grantEnds(position);
  const accounts = await stack.reconciled(account, market);
  await filler.close();
  const state = await stack.stateOf(position);
  expect([PositionState.Open, PositionState.Pending]).toContain(state);
  return accounts;
}

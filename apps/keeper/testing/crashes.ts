import type { LocalPosition } from '@core/contracts/local';
import type { Position, PositionStatus } from '@core/position';
import type { MarketRecord } from '@core/store';
import { expect } from 'vitest';
import { intentsOfSubject, ofOperation } from '../src/transactions/intents.ts';
import { exitOf, type TestStack } from './startTestStack.ts';

/** Dozens of processes start one after the other, each with all of its modules. */
export const patienceMs = 1_800_000;

/** Lets a keeper of its own process kill itself at a named point. */
export async function dieAt(stack: TestStack, failpoint: string): Promise<void> {
  const child = stack.spawnKeeper(failpoint);
  const timer = setTimeout(() => child.kill('SIGTERM'), 300_000);
  expect(`${failpoint} ${await exitOf(child)}`).toBe(`${failpoint} SIGKILL`);
  clearTimeout(timer);
}

/** Starts a keeper over the remains, which works until the position has a status and nothing is left to do. */
export async function recover(
  stack: TestStack,
  { position, status }: { readonly position: LocalPosition; readonly status: PositionStatus },
): Promise<Position> {
  const keeper = await stack.startKeeper();
  const record = await stack.reaches(position, status);
  await everyIntentToEnd(stack);
  await keeper.close();
  return record;
}

/** A market that an earlier keeper registered or that one registers now. */
export async function registeredMarket(stack: TestStack): Promise<MarketRecord> {
  const keeper = await stack.startKeeper();
  const market = await stack.tradableMarket();
  await keeper.close();
  return market;
}

/** Everything the keeper ever sent: one mined transaction per intent that was carried out, and no nonce without one. */
export async function expectOneTransactionPerIntent({ store, driver, deployment }: TestStack): Promise<void> {
  const client = driver.rpc.client;
  const sent = (await store.intents.inStates(['included', 'final', 'reverted'])).filter(({ nonce }) => nonce !== null);
  const nonces = sent.map(({ nonce }) => nonce).toSorted((left, right) => Number(left) - Number(right));
  const chainNonce = await client.getTransactionCount({ address: deployment.roles.keeper.address });
  expect(nonces).toEqual(Array.from({ length: chainNonce }, (_, index) => index));
  for (const intent of sent) {
    const hashes = (await store.intents.transactions(intent.id)).map(({ hash }) => hash as `0x${string}`);
    const receipts = await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash }).catch(() => null)));
    expect(receipts.filter((receipt) => receipt !== null).length).toBe(1);
  }
}

/** The position was sold by one order of that purpose; one that ran out while no keeper was there sold nothing. */
export async function expectOneFill(
  stack: TestStack,
  {
    position,
    purpose,
  }: { readonly position: LocalPosition; readonly purpose: 'open' | 'close' | 'unwind' | 'liquidate' },
): Promise<void> {
  const intents = await intentsOfSubject(stack.store.intents, position.positionKey);
  const posts = ofOperation(intents, `post_${purpose}`);
  expect(posts.filter(({ outcome }) => (outcome?.trades.length ?? 0) > 0).length).toBe(1);
  const authorised = ofOperation(intents, `authorize_${purpose}`).filter(({ state }) => state === 'final');
  const finalised = ofOperation(intents, `finalize_${purpose}`).filter(({ state }) => state === 'final');
  // Each sale that the vault allowed was ended, none twice; an opening takes the place of one that ran out.
  expect(finalised.length).toBe(purpose === 'open' ? 1 : authorised.length);
}

/** Nothing that the keeper began is left half-way. */
export async function everyIntentToEnd(stack: TestStack): Promise<void> {
  await stack.until('every intent to be final', async () => {
    const unfinished = await stack.store.intents.inStates(['prepared', 'signed', 'broadcast', 'included', 'reorged']);
    return unfinished.length === 0 ? true : undefined;
  });
}

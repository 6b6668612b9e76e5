import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  fieldOf,
  idsOf,
  lastingOf,
  runningApi,
  SocketFollower,
  type SpawnedApi,
  send,
  serviceEnvironment,
  spawnApi,
} from '@core/api/testing';
import type { Position } from '@core/position';
import { leverageBps, raw } from '@core/pricing';
import { shareLockOf } from '@core/store';
import { endListeners } from '@core/store/testing';
import type { ProgramEnvironment } from '@core/world';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  exitOf,
  type HeldPosition,
  isLastingCrypto,
  startTestStack,
  type TestStack,
} from '../testing/startTestStack.ts';

/** Sixteen clients look at each wallet, the others at all positions of the partner. */
const clientCount = 200;
const clientsPerWallet = 16;

const redisUrl = process.env['TEST_REDIS_URL'];
let stack: TestStack;
let folder: string;
let apiKey: string;
let environment: ProgramEnvironment;
let apis: SpawnedApi[];
let keepers: ChildProcess[];

beforeAll(async () => {
  stack = await startTestStack({ isListed: isLastingCrypto });
  folder = await mkdtemp(path.join(tmpdir(), 'keeper-chaos-'));
  const { databaseUrl, deployment, world, store, partnerId } = stack;
  const { quoteSigner } = deployment.roles;
  environment = await serviceEnvironment(world, { folder, databaseUrl, quoteSigner });
  const issued = await store.apiKeys.issue({ partnerId, environment: 'sandbox', nowMs: Date.now() });
  if (issued.kind !== 'issued') throw new Error('no key was issued');
  apiKey = `Api-Key ${issued.secret}`;
  apis = await Promise.all([spawnApi(environment), spawnApi(environment)]);
  keepers = [stack.spawnKeeper()];
});
afterAll(async () => {
  for (const keeper of keepers) keeper.kill('SIGTERM');
  await Promise.all([...keepers.map(exitOf), ...apis.map((api) => api.stop())]);
  await Promise.all([stack.close(), rm(folder, { recursive: true })]);
});

/** The five users of the chain, each with a token of the partner. */
async function usersOf() {
  const { alice, bob, carol, dave, erin } = stack.deployment.roles;
  return Promise.all(
    [alice, bob, carol, dave, erin].map(async (account) => {
      const body = { wallet_address: account.address };
      const answer = await send(`${apis[0]?.url}/tokens`, { authorization: apiKey, body });
      return { account, authorization: `Bearer ${String(fieldOf(answer.body, 'token'))}` };
    }),
  );
}

/** Body of `GET /positions/{position_id}`. */
async function shownOf({ id }: Position, authorization: string): Promise<unknown> {
  const answer = await send(`${apis[0]?.url}/positions/${id}`, { authorization });
  if (answer.status !== 200) throw new Error(`the position was refused: ${answer.text}`);
  return answer.body;
}

const partIsSold = ({ positionKey }: HeldPosition['position']): Promise<Position> =>
  stack.until('a part to be sold', async () => {
    const record = await stack.store.positions.byKey(positionKey);
    return record?.status === 'open' && raw(record.totalSaleVenueFeeUsdcUnits) > 0n ? record : undefined;
  });

test('F24: what a working keeper does reaches 200 clients once and in order, through kills of both programs', async () => {
  const { store, driver, partnerId } = stack;
  const users = await usersOf();
  const userClients = users.flatMap(({ account, authorization }) =>
    Array.from({ length: clientsPerWallet }, () => ({
      audience: { kind: 'user', partnerId, walletAddress: account.address.toLowerCase() } as const,
      authorization,
    })),
  );
  const partnerClients = Array.from({ length: clientCount - userClients.length }, () => ({
    audience: { kind: 'partner', partnerId } as const,
    authorization: apiKey,
  }));
  const followers = [...userClients, ...partnerClients].map(
    (client, index) => new SocketFollower({ ...client, apiOf: () => runningApi(apis, index % 2) }),
  );
  for (const follower of followers) follower.connect();

  const market = await stack.tradableMarket();
  const side = await stack.likelierSide(market);
  const openRound = async (): Promise<readonly HeldPosition[]> =>
    Promise.all(
      users.map(async ({ account }) => {
        const position = await stack.open({ user: account, market, side, leverageBps: leverageBps(20_000n) });
        await stack.reaches(position, 'open');
        return { market, side, position };
      }),
    );
  /** All users ask at once for the sale of one of so many parts of what they hold. */
  const requestCloses = async (held: readonly HeldPosition[], parts: bigint): Promise<void> => {
    await Promise.all(
      held.map(async ({ position }, index) => {
        const sender = users[index % users.length]?.account ?? stack.deployment.roles.alice;
        const { tokenUnits } = await driver.positionOf(position);
        const closeUnits = parts === 1n ? tokenUnits : (tokenUnits / parts / 10_000n) * 10_000n;
        await driver.requestClose({ position, sender, tokenUnits: closeUnits });
      }),
    );
  };

  // From its first event on a client has a place to resume from.
  const first = await openRound();
  await expect.poll(() => followers.filter(({ events }) => events.length === 0).length, { timeout: 60_000 }).toBe(0);
  const cutting = setInterval(() => followers[Math.floor(Math.random() * clientCount)]?.cut(), 40);

  const second = await openRound();
  // The listeners of both processes for events and for signals; with Redis none of them listens at the database.
  const endedListenerCount = await endListeners(stack.databaseUrl);
  expect(endedListenerCount > 0).toBe(redisUrl === undefined);
  await requestCloses(first, 3n);
  apis[1]?.child.kill('SIGKILL');
  await apis[1]?.ended;
  const third = await openRound();
  apis[1] = await spawnApi(environment);

  // The keeper dies with closes and a falling price before it; another one continues.
  const fence = await store.locks.fenceToken(shareLockOf({ share: 0, shareCount: 64 }));
  for (const { position } of first) await partIsSold(position);
  await requestCloses([...first, ...second], 1n);
  keepers.push(stack.spawnKeeper(undefined, stack.deployment.roles.keeperStandby.privateKey));
  keepers[0]?.kill('SIGKILL');
  const lowest = third[0];
  if (lowest === undefined) throw new Error('nothing was opened');
  await stack.fallUnderLiquidation(lowest);
  await stack.until('another leader', async () =>
    (await store.locks.fenceToken(shareLockOf({ share: 0, shareCount: 64 }))) > fence ? true : undefined,
  );
  const openPositions = [...first, ...second, ...third];
  const ended = await Promise.all(openPositions.map(({ position }) => stack.reaches(position, 'closed', 'liquidated')));
  clearInterval(cutting);

  const ownOf = ({ wallet }: SocketFollower): readonly Position[] =>
    ended.filter(({ walletAddress }) => wallet === null || walletAddress.toLowerCase() === wallet);
  const isCurrent = (follower: SocketFollower): boolean =>
    ownOf(follower).every(({ id, status }) => fieldOf(follower.positions.get(id), 'status') === status);
  await expect
    .poll(() => followers.filter((follower) => !isCurrent(follower)).length, { timeout: 120_000, interval: 250 })
    .toBe(0);

  expect(followers.flatMap(({ faults }) => faults)).toEqual([]);
  expect(followers.reduce((sum, { resyncCount }) => sum + resyncCount, 0)).toBe(0);
  for (const follower of followers) {
    const { received, written } = await idsOf(follower, store.outbox);
    expect(received).toEqual(written);
  }
  for (const position of ended) {
    const owner = users.find(({ account }) => account.address.toLowerCase() === position.walletAddress.toLowerCase());
    const visible = lastingOf(await shownOf(position, owner?.authorization ?? ''));
    for (const follower of followers.filter((candidate) => ownOf(candidate).includes(position))) {
      expect(lastingOf(follower.positions.get(position.id))).toEqual(visible);
    }
  }
  for (const follower of followers) follower.end();
});

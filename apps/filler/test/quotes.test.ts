import {
  deployLocal,
  type LocalAccount,
  type LocalChain,
  LocalDriver,
  type LocalMarket,
  type LocalPosition,
  startLocalChain,
} from '@core/contracts/local';
import { bestGrantFillOf, grantFillRefusalOf, raw, tokenUnits, usdcUnits } from '@core/pricing';
import { conditionalTokensAbi, Purpose, vaultAbi } from '@core/vault';
import { encodeFunctionData } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LiveGrant, VaultGrants } from '../src/chain/vaultGrants.ts';
import { authorizeGrant, createAlicePosition } from '../testing/grants.ts';

let chain: LocalChain;
let driver: LocalDriver;
let market: LocalMarket;
let grants: VaultGrants;
let maker: LocalAccount;
beforeAll(async () => {
  chain = await startLocalChain({ blockIntervalMs: 0 });
  const deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
  driver = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment });
  market = await driver.openMarket('the price of a grant');
  grants = new VaultGrants(driver.rpc.client, deployment.contracts.vault);
  const [first] = deployment.roles.makers;
  if (first === undefined) throw new Error('no maker');
  maker = first;
  await driver.mintTokens(maker, market, 10_000_000_000n);
  const { vault, conditionalTokens } = deployment.contracts;
  await driver.approveUsdc(maker, vault);
  await driver.rpc.send(maker, {
    to: conditionalTokens,
    data: encodeFunctionData({ abi: conditionalTokensAbi, functionName: 'setApprovalForAll', args: [vault, true] }),
  });
});
afterAll(() => chain?.close());

/** Numbers of a fixed sequence, between two bounds. */
function sequence(seed: bigint): (from: bigint, to: bigint) => bigint {
  let state = seed;
  return (from, to) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n;
    return from + ((state >> 16n) % (to - from + 1n));
  };
}

async function liveGrantOf(position: LocalPosition): Promise<LiveGrant> {
  const live = (await grants.live(await grants.head())).find(({ positionKey }) => positionKey === position.positionKey);
  if (live === undefined) throw new Error('no live grant');
  return live;
}

/** Compare the vault's quotes with the package's at this second, for amounts around the whole grant. */
async function compareQuotes(position: LocalPosition, next: (from: bigint, to: bigint) => bigint): Promise<number> {
  const head = await grants.head();
  const live = await liveGrantOf(position);
  const { grant } = live;
  const elapsed = head.timeSeconds - live.startsAtSeconds;
  const whole = bestGrantFillOf(grant, elapsed, {
    tokenUnits: tokenUnits(10n ** 14n),
    usdcUnits: usdcUnits(10n ** 14n),
  });
  const all = raw(grant.side === 'purchase' ? whole.tokenUnits : whole.usdcUnits);
  const amounts = [1n, all / 5n, all / 2n, all - 1n, all, all + 1n, all * 3n, next(1n, 2n * all)];
  for (const amount of amounts) {
    const best = bestGrantFillOf(grant, elapsed, { tokenUnits: tokenUnits(amount), usdcUnits: usdcUnits(amount) });
    const refusal = grantFillRefusalOf(grant, elapsed, best);
    const [give, take] =
      grant.side === 'purchase'
        ? [raw(best.tokenUnits), raw(best.usdcUnits)]
        : [raw(best.usdcUnits), raw(best.tokenUnits)];
    const quote = await quoteOf(position, amount);
    const computedFill = refusal === null ? { giveUnits: give, takeUnits: take } : { giveUnits: 0n, takeUnits: 0n };
    expect({ elapsed, amount, refusal, ...quote }).toEqual({ elapsed, amount, refusal, ...computedFill });
  }
  return amounts.length;
}

/** Return the fill that the vault would accept for an amount given; zeros when it accepts none. */
async function quoteOf({ positionKey }: LocalPosition, amount: bigint) {
  const call = { address: driver.deployment.contracts.vault, abi: vaultAbi, functionName: 'quoteFill' } as const;
  const [giveUnits, takeUnits] = await driver.rpc.client.readContract({ ...call, args: [positionKey, amount] });
  return { giveUnits, takeUnits };
}

async function fill(position: LocalPosition, give: bigint, take: bigint): Promise<void> {
  const args = [position.positionKey, give, take, '0x'] as const;
  const data = encodeFunctionData({ abi: vaultAbi, functionName: 'fill', args });
  await driver.rpc.send(maker, { to: driver.deployment.contracts.vault, data });
}

test('the vault quotes what the package computes, at every second of openings and closes', async () => {
  const next = sequence(11n);
  let count = 0;
  for (let run = 0n; run < 6n; run += 1n) {
    const position = await createAlicePosition(driver, {
      token: market.yes,
      seed: run + 1n,
      minPositionTokenUnits: run % 2n === 0n ? 0n : 190_000_000n + next(0n, 3_000_000n),
      minFillBps: run % 3n === 0n ? 10_000 : 2_000,
    });
    const limit = 5_000n + next(0n, 250n);
    await authorizeGrant(driver, position, {
      purpose: Purpose.Open,
      maximumUnits: 100_000_000n,
      markPips: 5_000n,
      limitPips: limit,
      venueFeeBps: next(0n, 470n),
      validFor: Number(next(6n, 20n)),
    });
    for (let second = 0; second < 5; second += 1) {
      count += await compareQuotes(position, next);
      await driver.rpc.advance(1);
    }
    // A quarter where a part may be bought, then the rest.
    if (run % 3n !== 0n) {
      const quarter = await quoteOf(position, 50_000_000n);
      await fill(position, quarter.giveUnits, quarter.takeUnits);
      count += await compareQuotes(position, next);
    }
    const rest = await quoteOf(position, 1_000_000_000n);
    await fill(position, rest.giveUnits, rest.takeUnits);
    const { tokenUnits: held } = await driver.positionOf(position);
    expect(held > 0n).toBe(true);
    await driver.requestClose({ position, sender: driver.deployment.roles.alice, tokenUnits: held });
    await authorizeGrant(driver, position, {
      purpose: Purpose.Close,
      maximumUnits: held,
      markPips: 5_000n,
      limitPips: 5_000n - next(0n, 250n),
      venueFeeBps: next(0n, 500n),
      validFor: Number(next(6n, 20n)),
    });
    for (let second = 0; second < 4; second += 1) {
      count += await compareQuotes(position, next);
      await driver.rpc.advance(1);
    }
    const half = await quoteOf(position, 45_000_000n);
    await fill(position, half.giveUnits, half.takeUnits);
    count += await compareQuotes(position, next);
  }
  expect(count).toBeGreaterThan(400);
});

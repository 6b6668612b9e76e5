import { deployLocal, LocalDriver, type LocalMarket, startLocalChain } from '@core/contracts/local';
import { tokenUnits } from '@core/pricing';
import { type HttpFaultProxy, type HttpFaultRule, startHttpFaultProxy, stillAt } from '@core/testkit';
import { positionSeedOf } from '@core/vault';
import { createPublicClient, http, toHex } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closeSide, type SignerSide, startSide } from '../testing/signerSide.ts';

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let driver: LocalDriver;
let market: LocalMarket;
let first: HttpFaultProxy;
let side: SignerSide;
let seedCount = 0;

beforeAll(async () => {
  chain = await startLocalChain();
  driver = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment: await deployLocal({ rpcUrl: chain.rpcUrl }) });
  market = await driver.openMarket('Bitcoin up this hour?');
  first = await startHttpFaultProxy(chain.rpcUrl);
  side = await startSide(
    { rpcUrl: first.url, driver, market },
    {
      privateKey: driver.deployment.roles.priceSigner.privateKey,
      secret: 'a secret of the signer',
      book: { bids: [['0.49', '1000']], asks: [['0.50', '1000']] },
      fallbackRpcUrls: [chain.rpcUrl],
    },
  );
});
afterAll(async () => {
  await closeSide(side);
  await first.close();
  await chain.close();
});

/** Wait until the signer is ready on these nodes, and attests the opening of a position that was created just now. */
async function attestsOn(nodes: object): Promise<void> {
  const readiness = async () => (await fetch(`${side.signer.url}/readyz`)).json();
  const limits = { timeout: 90_000, interval: 250 };
  await vi.waitFor(async () => expect(await readiness()).toMatchObject({ status: 'ready', nodes }), limits);
  seedCount += 1;
  const user = driver.deployment.roles.alice;
  const fields = await driver.quoteFields({
    user,
    token: market.yes,
    positionSeed: positionSeedOf(toHex(seedCount, { size: 12 }), 0),
    collateralUsdcUnits: 50_000_000n,
    leverageBps: 20_000n,
  });
  const signature = driver.signQuote(fields);
  const created = { sender: user, fields, signature, limits: { venueFeeUsdcUnits: 5_000_000n } };
  const { positionKey } = await driver.createPosition(created);
  const request = { positionKey, purpose: 'open', tokenUnits: tokenUnits(200_000_000n), quotedRisk: null } as const;
  await vi.waitFor(async () => expect(await side.source.attest(request)).toMatchObject({ kind: 'signed' }), limits);
}

const faults: readonly (readonly [string, () => Promise<HttpFaultRule['fault']>])[] = [
  ['is dead', async () => ({ kind: 'drop' })],
  ['hangs', async () => ({ kind: 'hang' })],
  ['stands still', async () => stillAt(await createPublicClient({ transport: http(chain.rpcUrl) }).getBlockNumber())],
];

test.each(faults)(
  'nodes: the first one %s → the signer attests on the second, until it serves again',
  async (_, fault) => {
    await attestsOn({ count: 2, answering: 2, serving: 1 });
    first.addRule({ matches: () => true, fault: await fault(), times: Number.POSITIVE_INFINITY });
    await attestsOn({ count: 2, answering: 1, serving: 2 });
    expect(await side.source.readyAddress()).toBe(side.signer.address);
    first.clearRules();
    await attestsOn({ count: 2, answering: 2, serving: 1 });
  },
);

import {
  conditionalTokensAbi,
  depositWalletAbi,
  OrderSide,
  SignatureType,
  testUsdcAbi,
  type VenueOrder,
  walletFactoryAbi,
} from '@core/vault';
import {
  realVenueProfile,
  VenueFault,
  type WalletCall,
  WalletRelayer,
  walletOrderDigestOf,
  walletSignatureEndOf,
} from '@core/venue';
import { createSecureClient, forkEnvironmentConfig, relayerApiKey } from '@polymarket/client';
import { signerFrom } from '@polymarket/client/viem';
import { ClobClient } from '@polymarket/clob-client-v2';
import { type Address, concat, encodeFunctionData, erc20Abi, hexToBytes, maxUint256, pad, zeroHash } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningMarket } from '../src/venue/marketRegistry.ts';
import { walletOf } from '../testing/officialVenue.ts';
import { listPlainMarket } from '../testing/plainMarket.ts';
import { eventually } from '../testing/simHttp.ts';
import { openWalletOwner, startWalletVenue, type WalletOwner, type WalletVenue } from '../testing/walletVenue.ts';

const ownerKey = `0x${'a7'.repeat(32)}` as const;
const officialKey = `0x${'a8'.repeat(32)}` as const;
const busyKey = `0x${'a9'.repeat(32)}` as const;

describe('deposit wallets on a chain', () => {
  let venue: WalletVenue;
  let owner: WalletOwner;
  let market: RunningMarket;
  let tokenId: bigint;

  beforeAll(async () => {
    venue = await startWalletVenue();
    owner = await openWalletOwner(venue, ownerKey);
    market = await listPlainMarket(venue.sim.venue);
    tokenId = market.market.tokenIdOf(0);
  });

  afterAll(() => venue?.close());

  const mint = (to: Address, usdcUnits: bigint) =>
    venue.driver.rpc.send(venue.deployment.roles.owner, {
      to: venue.deployment.contracts.usdc,
      data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [to, usdcUnits] }),
    });

  const usdcCall = (functionName: 'approve' | 'transfer', to: Address, usdcUnits: bigint): WalletCall => ({
    target: venue.deployment.contracts.usdc,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName, args: [to, usdcUnits] }),
  });

  const nonceOf = (address: Address) =>
    venue.driver.rpc.client.readContract({ address, abi: depositWalletAbi, functionName: 'nonce' });

  const tokensOf = (account: Address) =>
    venue.driver.tokensOf(account, { conditionId: market.market.definition.conditionId, tokenId });

  const updateBalance = async (query: string): Promise<void> => {
    const path = '/balance-allowance/update';
    const headers = await owner.credentials.headersOf({ method: 'GET', path, body: '' });
    const answer = await fetch(`${venue.sim.url}${path}?signature_type=3&${query}`, { headers });
    expect(answer.status).toBe(200);
  };

  const faultOf = async (work: Promise<unknown>): Promise<VenueFault> => {
    const fault = await work.then(
      () => null,
      (error: unknown) => error,
    );
    if (!(fault instanceof VenueFault)) throw new Error(`no fault of the venue: ${fault}`);
    return fault;
  };

  let salt = 0n;
  /** Post an order of the wallet for ten tokens. */
  const post = (side: OrderSide, usdcUnits: bigint) => {
    salt += 1n;
    const tokenUnits = 10_000_000n;
    const [makerAmount, takerAmount] = side === OrderSide.Buy ? [usdcUnits, tokenUnits] : [tokenUnits, usdcUnits];
    const order: VenueOrder = {
      salt,
      maker: owner.relayer.wallet,
      signer: owner.relayer.wallet,
      tokenId,
      makerAmount,
      takerAmount,
      side,
      signatureType: SignatureType.Erc1271,
      timestamp: BigInt(venue.sim.venue.nowMs),
      metadata: zeroHash,
      builder: zeroHash,
    };
    const terms = { order, domain: venue.domain, walletDomain: realVenueProfile.walletDomain };
    const inner = owner.key.signHash(hexToBytes(walletOrderDigestOf(terms)));
    const signature = concat([inner, walletSignatureEndOf(terms)]);
    return owner.client.placeOrder({ order: { ...order, signature }, orderType: 'FOK', owner: '' });
  };

  const finalStatuses = async (orderId: string): Promise<readonly string[]> => {
    const trades = await eventually(
      () => owner.client.trades({ orderId }),
      (found) => found.length > 0 && found.every(({ status }) => ['CONFIRMED', 'FAILED'].includes(status)),
    );
    return trades.map(({ status }) => status);
  };

  it('has the address that the factory predicts, and exists once it is made', async () => {
    const { relayer, key } = owner;
    const predicted = await venue.driver.rpc.client.readContract({
      address: venue.wallets.walletFactory,
      abi: walletFactoryAbi,
      functionName: 'predictWalletAddress',
      args: [pad(key.address)],
    });
    expect(relayer.wallet).toBe(predicted);
    expect(await relayer.isMade()).toBe(false);
    expect((await faultOf(post(OrderSide.Buy, 5_200_000n))).code).toBe('maker_refused');
    expect((await faultOf(relayer.execute([usdcCall('approve', key.address, 1n)]))).message).toContain('not deployed');
    await Promise.all([relayer.make(), relayer.make()]);
    expect(await relayer.isMade()).toBe(true);
    expect(await venue.driver.rpc.client.getCode({ address: relayer.wallet })).toHaveLength(2 + 2 * 146);
  });

  it('trades once its balances are known: an order is matched and settled on chain', async () => {
    const { exchange, conditionalTokens } = venue.deployment.contracts;
    const { wallet } = owner.relayer;
    await mint(wallet, 100_000_000n);
    const args = [exchange, true] as const;
    const data = encodeFunctionData({ abi: conditionalTokensAbi, functionName: 'setApprovalForAll', args });
    const calls = [usdcCall('approve', exchange, maxUint256), { target: conditionalTokens, value: 0n, data }];
    const receipt = await venue.driver.rpc.client.getTransactionReceipt({ hash: await owner.relayer.execute(calls) });
    expect(receipt.status).toBe('success');
    expect((await faultOf(post(OrderSide.Buy, 5_200_000n))).code).toBe('balance_too_low');
    await updateBalance('asset_type=COLLATERAL');
    const bought = await post(OrderSide.Buy, 5_200_000n);
    expect(bought.status).toBe('matched');
    expect(await finalStatuses(bought.orderId)).toEqual(['CONFIRMED']);
    const tokenUnits = await tokensOf(wallet);
    expect(tokenUnits).toBeGreaterThanOrEqual(10_000_000n);
    const usdcUnits = await venue.driver.usdcOf(wallet);
    expect(usdcUnits).toBeLessThan(95_000_000n);
    await updateBalance(`asset_type=CONDITIONAL&token_id=${tokenId}`);
    const sold = await post(OrderSide.Sell, 4_800_000n);
    expect(await finalStatuses(sold.orderId)).toEqual(['CONFIRMED']);
    expect(await tokensOf(wallet)).toBe(tokenUnits - 10_000_000n);
    expect(await venue.driver.usdcOf(wallet)).toBeGreaterThan(usdcUnits + 4_500_000n);
  });

  it('refuses calls to the wallet and the beacon, and reports a call that fails', async () => {
    const { relayer, key } = owner;
    const nonce = await nonceOf(relayer.wallet);
    const payment = usdcCall('transfer', key.address, 1n);
    const toItself = { ...payment, target: relayer.wallet };
    const blocked = await faultOf(relayer.execute([toItself]));
    expect(blocked).toMatchObject({ code: 'request_invalid', kind: 'terminal', effect: 'no' });
    expect(blocked.message).toContain('call blocked: call[0] blocked: self-call');
    const toBeacon = await faultOf(relayer.execute([payment, { ...payment, target: venue.wallets.walletBeacon }]));
    expect(toBeacon.message).toContain('call blocked: call[1] blocked');
    const failed = await faultOf(relayer.execute([payment, usdcCall('transfer', key.address, maxUint256)]));
    expect(failed).toMatchObject({ code: 'request_invalid', kind: 'terminal', effect: 'no' });
    expect(failed.message).toContain('execution reverted');
    expect(await nonceOf(relayer.wallet)).toBe(nonce);
    await Promise.all([relayer.execute([payment]), relayer.execute([payment])]);
    expect(await nonceOf(relayer.wallet)).toBe(nonce + 2n);
  });

  it('refuses foreign keys, and more than 25 requests a minute', async () => {
    const { wallets, sim, domain } = venue;
    const options = { ...realVenueProfile, url: sim.url, contracts: wallets, chainId: domain.chainId };
    const foreign = new WalletRelayer({ ...options, owner: owner.key, relayerKey: 'x', nowMs: () => sim.venue.nowMs });
    const call = usdcCall('approve', owner.key.address, 1n);
    expect((await faultOf(foreign.execute([call]))).code).toBe('credentials_refused');
    const busy = await openWalletOwner(venue, busyKey, { retry: { maxAttempts: 1 } });
    for (let count = 0; count < 25; count += 1) {
      expect((await faultOf(busy.relayer.execute([call]))).status).toBe(400);
    }
    expect(await faultOf(busy.relayer.execute([call]))).toMatchObject({ code: 'venue_throttled', status: 429 });
  });

  it('serves the official client, which makes its wallet and sends a batch', async () => {
    const { sim, wallets, chain, deployment } = venue;
    const { url, wsUrl } = sim;
    const walletClient = walletOf(officialKey);
    const environment = forkEnvironmentConfig({
      name: 'simulator',
      chainId: chain.chainId,
      rpc: chain.rpcUrl,
      walletDerivation: {
        depositWalletFactory: wallets.walletFactory,
        depositWalletBeacon: wallets.walletBeacon,
      } as never,
      clob: { rest: url, market: { ws: `${wsUrl}/ws/market` }, user: { ws: `${wsUrl}/ws/user` } },
      gamma: { rest: url },
      data: { rest: url },
      relayer: { rest: url },
      relayerPollFrequencyMs: 10,
    });
    const open = new ClobClient({ host: url, chain: chain.chainId, signer: walletClient, throwOnError: true });
    const creds = await open.createApiKey();
    const terms = { host: url, chain: chain.chainId, signer: walletClient, creds, throwOnError: true };
    const { key } = await new ClobClient(terms).createBuilderApiKey();
    const address = walletClient.account?.address ?? '';
    const client = await createSecureClient({
      environment,
      signer: signerFrom(walletClient),
      apiKey: relayerApiKey({ key, address }),
    });
    const { wallet } = client.account;
    expect(await venue.driver.rpc.client.getCode({ address: wallet })).toHaveLength(2 + 2 * 146);
    const { usdc: tokenAddress, exchange: spenderAddress } = deployment.contracts;
    await (await client.approveErc20({ amount: 7n, spenderAddress, tokenAddress })).wait();
    const args = [wallet, spenderAddress] as const;
    const read = { address: tokenAddress, abi: erc20Abi, functionName: 'allowance', args } as const;
    expect(await venue.driver.rpc.client.readContract(read)).toBe(7n);
    await mint(wallet, 5n);
    const transfer = await client.transferErc20({ amount: 5n, recipientAddress: spenderAddress, tokenAddress });
    await transfer.wait();
    expect(await nonceOf(wallet)).toBe(2n);
    expect(await venue.driver.usdcOf(wallet)).toBe(0n);
  });
});

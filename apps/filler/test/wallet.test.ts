import { deployLocalWallets, type LocalAccount, type LocalWallets } from '@core/contracts/local';
import { connectChain } from '@core/runtime';
import { PositionState, SigningKey } from '@core/vault';
import { depositWalletOf, realVenueProfile, simulatorProfile, WalletRelayer } from '@core/venue';
import { VenueControl } from '@core/venue-sim/control';
import { type Address, encodeFunctionData, erc20Abi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contractsOf } from '../src/chain/fillerAccount.ts';
import { readJournal } from '../src/journal/journal.ts';
import type { FillerConfig } from '../src/startFiller.ts';
import { setUpWallet, type WalletTerms } from '../src/venue/openMaker.ts';
import { readWallet } from '../src/venue/walletApprovals.ts';
import { type FillerStack, type GrantMarket, startFillerStack } from '../testing/fillerStack.ts';
import { createRelayerKey } from '../testing/relayerKey.ts';

/** The rules of the real venue on the contracts of the local chain. */
const profile = {
  ...simulatorProfile,
  login: realVenueProfile.login,
  needsCredentials: true,
  hasMakerRegistry: true,
};

let stack: FillerStack;
let market: GrantMarket;
let wallets: LocalWallets;
beforeAll(async () => {
  stack = await startFillerStack(async (rpcUrl) => {
    wallets = await deployLocalWallets({ rpcUrl });
    return { profile, walletContracts: wallets };
  });
  market = await stack.market();
});
afterAll(() => stack?.close());

const loginTerms = () => ({ ...profile.login, chainId: stack.deployment.chainId });

const termsOf = (relayerKey: string | null): WalletTerms => ({
  contracts: wallets,
  walletDomain: profile.walletDomain,
  relayerUrl: stack.venue.url,
  relayerKey,
});

/** Settings of a filler at the venue of deposit wallets. */
const changesOf = (relayerKey: string | null): Partial<FillerConfig> => ({
  wallet: termsOf(relayerKey),
  credentialTerms: loginTerms(),
});

/** Return the venue's time of now, as a clock. */
async function clockOf(): Promise<() => number> {
  const nowMs = await new VenueControl(stack.venue.url).nowMs();
  return () => nowMs;
}

const emptyWallet = (wallet: Address): Promise<true> =>
  stack.until('an empty wallet', async () => ((await stack.driver.usdcOf(wallet)) === 0n ? true : undefined));

async function setUp({ privateKey }: LocalAccount, terms: WalletTerms): Promise<readonly string[]> {
  const { rpcUrl, deployment } = stack;
  const { chainId, contracts } = deployment;
  const client = await connectChain({ rpcUrl, chainId, fallbackRpcUrls: [], timeoutMs: 5_000 });
  const own = { privateKey, chainId, contracts: await contractsOf(client, contracts) };
  return setUpWallet({ ...own, client, nowMs: await clockOf() }, terms);
}

test('deposit wallet: set up, then grants → they are filled by orders of the wallet, which is empty at rest', async () => {
  const [account] = stack.fillers;
  const wallet = depositWalletOf(account.address, wallets);
  const relayerKey = await createRelayerKey(stack.venue.url, { account, terms: loginTerms() });
  await expect(stack.startFiller(account, changesOf(relayerKey))).rejects.toThrow('does not exist');
  await expect(setUp(account, termsOf(null))).rejects.toThrow('FILLER_RELAYER_KEY_FILE');
  const line = `deposit wallet ${wallet} of ${account.address} is ready`;
  expect(await setUp(account, termsOf(relayerKey))).toEqual([line]);
  expect(await setUp(account, termsOf(null))).toEqual([line]);

  const filler = await stack.startFiller(account, changesOf(null));
  const position = await stack.grantOpening(market);
  const order = await stack.until('an order of the wallet', async () =>
    [...readJournal(stack.journalOf(account)).orders.values()].at(0),
  );
  expect(order.order.maker).toBe(wallet);
  await stack.opens(position);
  await stack.grantClose(position);
  await stack.until('the close', async () =>
    (await stack.stateOf(position)) === PositionState.Closed ? true : undefined,
  );
  const { fillCount, profitUsdcUnits, venueUsdcUnits, transferUsdcUnits } = await stack.reconciled(account, market, [
    wallet,
  ]);
  await emptyWallet(wallet);
  await filler.close();
  expect(fillCount).toBe(2);
  expect(profitUsdcUnits).toBeGreaterThan(0n);
  expect(venueUsdcUnits).toBeGreaterThan(0n);
  expect(transferUsdcUnits).toBe(0n);
});

test('deposit wallet: its owner is not approved → the relayer brings everything back, also what a crash left there', async () => {
  const [, account] = stack.fillers;
  const wallet = depositWalletOf(account.address, wallets);
  const relayerKey = await createRelayerKey(stack.venue.url, { account, terms: loginTerms() });
  const relayer = new WalletRelayer({
    ...termsOf(relayerKey),
    url: stack.venue.url,
    relayerKey,
    owner: new SigningKey(account.privateKey),
    chainId: stack.deployment.chainId,
    nowMs: await clockOf(),
  });
  await relayer.make();
  const contracts = { ...stack.deployment.contracts, managedExchange: null };
  const { tradeCalls } = await readWallet(stack.driver.rpc.client, { wallet, owner: account.address, contracts });
  await expect(stack.startFiller(account, changesOf(relayerKey))).rejects.toThrow('has not approved the exchange');
  await relayer.execute(tradeCalls);
  await expect(stack.startFiller(account, changesOf(null))).rejects.toThrow('has not approved its owner');

  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [wallet, 5_000_000n] });
  await stack.driver.rpc.send(account, { to: contracts.usdc, data });
  const filler = await stack.startFiller(account, changesOf(relayerKey));
  await emptyWallet(wallet);
  const position = await stack.grantOpening(market);
  await stack.opens(position);
  const { fillCount, venueUsdcUnits, transferUsdcUnits } = await stack.reconciled(account, market, [wallet]);
  await emptyWallet(wallet);
  await filler.close();
  expect(fillCount).toBe(1);
  expect(venueUsdcUnits).toBeGreaterThan(0n);
  expect(transferUsdcUnits).toBe(0n);
});

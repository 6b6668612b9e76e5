import {
  deployLocal,
  deployLocalWallets,
  type LocalChain,
  type LocalDeployment,
  LocalDriver,
  type LocalWallets,
  startLocalChain,
} from '@core/contracts/local';
import { SigningKey, type VenueDomain } from '@core/vault';
import {
  DerivedCredentials,
  HttpVenueClient,
  realVenueProfile,
  WalletRelayer,
  type WalletRelayerOptions,
} from '@core/venue';
import type { Hex } from 'viem';
import { startVenueSim, type VenueSim } from '../src/startVenueSim.ts';

/** Simulator under the rules of the real venue, with deposit wallets on a local chain. */
export interface WalletVenue {
  readonly sim: VenueSim;
  readonly chain: LocalChain;
  readonly deployment: LocalDeployment;
  readonly wallets: LocalWallets;
  readonly driver: LocalDriver;
  /** Exchange that orders are signed for. */
  readonly domain: VenueDomain;
  close(): Promise<void>;
}

export async function startWalletVenue(): Promise<WalletVenue> {
  const chain = await startLocalChain();
  const { rpcUrl, chainId } = chain;
  const deployment = await deployLocal({ rpcUrl, exchange: 'TwinExchange' });
  const wallets = await deployLocalWallets({ rpcUrl });
  const { contracts, roles, venueDomain } = deployment;
  const sim = await startVenueSim({
    profile: realVenueProfile,
    rpcUrl,
    chainId,
    contracts,
    walletContracts: wallets,
    venueDomain,
    operatorKey: roles.venueOperator.privateKey,
    oracleKey: roles.oracle.privateKey,
    makerKeys: roles.makers.map((maker) => maker.privateKey),
    takerKeys: roles.takers.map((taker) => taker.privateKey),
    settlementTimes: { retryMs: 100, confirmMs: 100 },
    isListed: () => false,
  });
  return {
    sim,
    chain,
    deployment,
    wallets,
    driver: new LocalDriver({ rpcUrl, deployment }),
    domain: { ...venueDomain, chainId, exchange: contracts.exchange },
    close: async () => {
      await sim.close();
      await chain.close();
    },
  };
}

/** Owner of a deposit wallet with its keys at the order server and at the relayer. */
export interface WalletOwner {
  readonly key: SigningKey;
  readonly credentials: DerivedCredentials;
  readonly client: HttpVenueClient;
  readonly relayer: WalletRelayer;
}

/** Open the account of a key. @param changes Options of its relayer that differ. */
export async function openWalletOwner(
  { sim, wallets, domain }: WalletVenue,
  privateKey: Hex,
  changes: Partial<WalletRelayerOptions> = {},
): Promise<WalletOwner> {
  const { login, walletDomain } = realVenueProfile;
  const { chainId } = domain;
  const { url } = sim;
  const key = new SigningKey(privateKey);
  const nowMs = (): number => sim.venue.nowMs;
  const credentials = new DerivedCredentials({ url, account: key, terms: { ...login, chainId }, nowMs });
  const path = '/auth/builder-api-key';
  const headers = await credentials.headersOf({ method: 'POST', path, body: '' });
  const answer = (await (await fetch(`${url}${path}`, { method: 'POST', headers })).json()) as { readonly key: string };
  const relayer = new WalletRelayer({
    url,
    owner: key,
    relayerKey: answer.key,
    contracts: wallets,
    walletDomain,
    chainId,
    nowMs,
    pollMs: 20,
    ...changes,
  });
  return { key, credentials, client: new HttpVenueClient({ url, credentials }), relayer };
}

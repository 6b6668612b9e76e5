import type { VenueMarket } from '@core/market';
import { sampleVenueMarket } from '@core/market/testing';
import { type ContractTerms, type PartnerTerms, partnerTermsOf, policyDefaults } from '@core/policy';
import { rateBps } from '@core/pricing';
import { NodeHealth } from '@core/runtime';
import { type FixedClock, fixedClock } from '@core/runtime/testing';
import type { LimitStore, PartnerRecord, Store } from '@core/store';
import { openTestStore, type TestStore } from '@core/store/testing';
import { QuoteSigner, SigningKey } from '@core/vault';
import { exportJWK, generateKeyPair } from 'jose';
import pino, { type Logger } from 'pino';
import type { Hex } from 'viem';
import { readTokenKeys, type TokenKeys } from '../src/auth/tokenKeys.ts';
import type { ApiConfig } from '../src/env.ts';
import { defaultLimits } from '../src/processLimits.ts';
import { wasmKeccak256 } from '../src/quotes/wasmKeccak256.ts';
import { type RunningApi, startApi } from '../src/startApi.ts';
import { reportKeeper } from './aheadKeeper.ts';
import { FakeLiveMarkets } from './fakeLiveMarkets.ts';
import { FakePastPrices } from './fakePastPrices.ts';
import { FakePool } from './fakePool.ts';
import { FakeVault } from './fakeVault.ts';
import { listedMarketOf } from './listedMarketOf.ts';
import { unlimited, unlimitedState } from './unlimited.ts';

/** Public test keys: the first is the quote signer's. */
const signerKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
export const wallets = {
  alice: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  bob: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  solana: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
} as const;

const testConfig: ApiConfig = {
  listenHost: '127.0.0.1',
  port: 0,
  metricsPort: null,
  environment: 'sandbox',
  idNamespace: '',
  trustProxy: [],
  corsOrigins: [],
  publicUrl: null,
  chainId: 31_337,
  contracts: {
    vault: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    usdc: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
  },
  switches: { isQuoteCreationEnabled: true, isPartialOpenEnabled: true },
  marketListAgeMs: 0,
  limits: defaultLimits,
};

/** One JSON answer of the service. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

/** A request without any convenience: what is not given is not sent. */
export interface TestRequest {
  readonly method?: string;
  readonly authorization?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestApi {
  readonly api: RunningApi;
  readonly store: Store;
  readonly clock: FixedClock;
  readonly live: FakeLiveMarkets;
  readonly pastPrices: FakePastPrices;
  readonly pool: FakePool;
  readonly vault: FakeVault;
  readonly tokenKeys: TokenKeys;
  readonly signer: QuoteSigner;
  /** Two partners with a key each. */
  readonly partners: readonly { readonly record: PartnerRecord; readonly apiKey: string; readonly apiKeyId: string }[];
  call(path: string, request?: TestRequest): Promise<TestAnswer>;
  /** `Bearer …` of a fresh token for a wallet of the first partner, or of another. */
  userOf(wallet: string, partner?: number): Promise<string>;
  /** `Api-Key …` of a partner. */
  keyOf(partner?: number): string;
  close(): Promise<void>;
}

export interface TestApiOptions {
  readonly config?: Partial<ApiConfig>;
  readonly limits?: LimitStore | 'real';
  /** True for a wallet that connects again and again as fast as it can. */
  readonly isEveryHandshakeTaken?: boolean;
  readonly tickers?: readonly string[];
  /** Fields in which the venue's record of every market differs from the sample. */
  readonly market?: Partial<VenueMarket>;
  /** Another key than the public test key. */
  readonly signerKey?: Hex;
  /** Time on the service's clock. */
  readonly nowMs?: number;
  readonly terms?: PartnerTerms;
  readonly contract?: ContractTerms;
  readonly logger?: Logger;
  /** A store of the test's own, closed with the service; a fresh one otherwise. */
  readonly store?: Pick<TestStore, 'store' | 'close'>;
}

/** The whole service on a real server and a real database, with a feed and a pool that stand still. */
export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const { store, close: closeStore } = options.store ?? (await openTestStore());
  const clock = fixedClock(options.nowMs ?? Date.UTC(2026, 10, 21, 0, 0, 0, 250));
  const live = new FakeLiveMarkets(clock);
  const pastPrices = new FakePastPrices(clock);
  const pool = new FakePool();
  const vault = new FakeVault();
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const tokenKeys = await readTokenKeys({ keys: [{ ...(await exportJWK(privateKey)), kid: 'test' }] });
  const tickers = options.tickers ?? ['btc-up', 'eth-up'];
  const listed = tickers.map((ticker) => listedMarketOf(sampleVenueMarket(ticker, clock.nowMs(), options.market)));
  await store.markets.sync(listed, clock.nowMs());
  await store.markets.recordOutcomes(
    listed
      .flatMap(({ yesTokenId, noTokenId }) => [yesTokenId, noTokenId])
      .map((tokenId, index) => ({ tokenId, outcomeId: index + 1 })),
    clock.nowMs(),
  );
  await reportKeeper(store.heartbeats, { nowMs: clock.nowMs() });
  const partners = [
    await createPartner(store, { name: 'first', clock, terms: options.terms }),
    await createPartner(store, { name: 'second', clock, terms: options.terms }),
  ];
  const keccak256 = await wasmKeccak256();
  const signer = new QuoteSigner(new SigningKey(options.signerKey ?? signerKey, keccak256), keccak256);
  const limits = options.limits ?? unlimited;
  const api = await startApi(
    { ...testConfig, ...options.config },
    {
      store: limits === 'real' ? store : { ...store, limits },
      clock,
      live,
      pastPrices,
      pool,
      vault,
      nodes: new NodeHealth(1),
      signer,
      tokenKeys,
      policy: { ...policyDefaults, openingRoute: 'fill' },
      // A parity test holds this constant equal to the contract's.
      contract: options.contract ?? { maxOriginationFeeBps: rateBps(500n) },
      logger: options.logger ?? pino({ level: 'silent' }),
      ...(options.isEveryHandshakeTaken === true && { handshakes: { take: () => unlimitedState } }),
    },
  );
  const call = (path: string, request: TestRequest = {}): Promise<TestAnswer> => send(`${api.url}${path}`, request);
  const keyOf = (partner = 0): string => `Api-Key ${partners[partner]?.apiKey ?? ''}`;
  return {
    api,
    store,
    clock,
    live,
    pastPrices,
    pool,
    vault,
    tokenKeys,
    signer,
    partners,
    call,
    keyOf,
    userOf: async (wallet, partner = 0) => {
      const answer = await call('/tokens', { authorization: keyOf(partner), body: { wallet_address: wallet } });
      return `Bearer ${String(fieldOf(answer.body, 'token'))}`;
    },
    close: async () => {
      await api.close();
      await closeStore();
    },
  };
}

/** Send one request and read the whole answer. */
export async function send(url: string, request: TestRequest): Promise<TestAnswer> {
  const { method, authorization, body, headers } = request;
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...headers,
      ...(authorization !== undefined && { Authorization: authorization }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) };
}

/** A field of an unknown object; undefined when it is not there. */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  let node = value;
  for (const key of path) node = typeof node === 'object' && node !== null ? Reflect.get(node, key) : undefined;
  return node;
}

/** The code of an error answer. */
export function codeOf(answer: TestAnswer): unknown {
  return fieldOf(answer.body, 'error', 'code');
}

/** The text of an answer but for the ID of its request, for comparing two answers. */
export function textWithoutId({ text, headers }: TestAnswer): string {
  return text.replace(headers.get('request-id') ?? '', '');
}

async function createPartner(
  store: Store,
  partner: { name: string; clock: FixedClock; terms: PartnerTerms | undefined },
): Promise<TestApi['partners'][number]> {
  const nowMs = partner.clock.nowMs();
  const terms = partner.terms ?? partnerTermsOf();
  const record = await store.partners.create({ name: partner.name, environment: 'sandbox', terms, createdAtMs: nowMs });
  const issued = await store.apiKeys.issue({ partnerId: record.id, environment: 'sandbox', nowMs });
  if (issued.kind !== 'issued') throw new Error('no key was issued');
  return { record, apiKey: issued.secret, apiKeyId: issued.record.id };
}

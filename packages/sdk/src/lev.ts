import type { UserLimits } from '@core/vault';
import { checkedContractInfo, checkedPins, isAddress, type PinnedContracts } from './chain/contracts.ts';
import type { ChainSource } from './chain/rpc.ts';
import { accountOf, type Wallet } from './chain/wallet.ts';
import { InputError } from './errors/inputError.ts';
import { checkKnown } from './errors/knownOptions.ts';
import { Events } from './events/events.ts';
import type {
  ContractInfo,
  DraftQuote,
  FeeRates,
  LimitUsage,
  Quote,
  SampleEventRun,
  Token,
} from './generated/resources.ts';
import { type Credential, keyCredential, noCredential, type TokenSource, tokenCredential } from './http/credential.ts';
import { type Rest, restOf } from './http/rest.ts';
import { type Surroundings, surroundingsOf } from './http/surroundings.ts';
import { apiUrlOf, type CallOptions, type SentRequest, Transport } from './http/transport.ts';
import { Markets } from './lists/marketLists.ts';
import { Positions } from './positions/positions.ts';
import type { Requirement } from './quotes/preflight.ts';
import { Quotes } from './quotes/quotes.ts';

export interface LevOptions {
  /** Root of the service, or the complete address of the interface, such as `apiUrl` of a stack file. */
  readonly baseUrl: string;
  /** Partner key. It belongs on servers, never in a page. */
  readonly apiKey?: string;
  /** Source of chain reads without a wallet: a node's address, or a reader. */
  readonly chain?: ChainSource;
  /**
   * Contracts that this client signs for. A program that holds money should pin them. Without pins it trusts the chain,
   * vault, stablecoin and quote signer that the service names, so a compromised service can have its own vault
   * approved. Take the values from a source other than the service, such as the deployment's notes.
   */
  readonly pinned?: PinnedContracts;
  /** Listener that receives every request before it is sent. */
  readonly onRequest?: (request: SentRequest) => void;
  /** Host functions that a test or a special host replaces. */
  readonly surroundings?: Partial<Surroundings>;
}

const levOptions = [
  'baseUrl',
  'apiKey',
  'chain',
  'pinned',
  'onRequest',
  'surroundings',
] as const satisfies readonly (keyof LevOptions)[];

/** Methods of every caller, with any credential. */
class Caller {
  /** Methods of all routes, under their own names. */
  readonly rest: Rest;
  readonly markets: Markets;
  protected readonly transport: Transport;
  protected readonly pinned: PinnedContracts | undefined;

  constructor(transport: Transport, pinned: PinnedContracts | undefined) {
    this.transport = transport;
    this.pinned = pinned;
    this.rest = restOf(transport);
    this.markets = new Markets(this.rest);
  }

  /**
   * Read chain, signer, stablecoin and vault. Needs no credential.
   *
   * @throws ContractMismatchError when they differ from the pins.
   */
  async contractInfo(options: CallOptions = {}): Promise<ContractInfo> {
    return checkedContractInfo(await this.rest.getContractInfo(options), this.pinned);
  }

  /** Request one event of every type on the caller's own stream, one per second. */
  sampleEvents(options: CallOptions = {}): Promise<SampleEventRun> {
    return this.rest.createSampleEvents(options);
  }
}

/**
 * Client of the service: a partner's with a key, anonymous without.
 *
 * @example
 * ```ts
 * const lev = new Lev({ baseUrl, apiKey, pinned: { chainId, vault, usdc, signer } });
 * const me = lev.asUser(() => lev.tokens.create({ wallet_address }));
 * const quote = await me.quotes.create({ ticker, side: 'yes', leverage: '3', notionalUsd: '100' });
 * const position = await me.positions.open(quote, wallet);
 * ```
 */
export class Lev extends Caller {
  readonly #chain: ChainSource | undefined;
  readonly events: Events<'partner'>;
  readonly tokens: { create(request: { readonly wallet_address: string }, options?: CallOptions): Promise<Token> };

  constructor(options: LevOptions) {
    checkKnown('Lev', options, { known: levOptions });
    const { baseUrl, apiKey, chain, pinned, onRequest, surroundings } = options;
    const credential: Credential = apiKey === undefined ? noCredential : keyCredential(apiKey);
    const host = surroundingsOf(surroundings);
    const transport = new Transport({ apiUrl: apiUrlOf(baseUrl), credential, surroundings: host, onRequest });
    super(transport, pinned && checkedPins(pinned));
    this.#chain = chain;
    this.events = new Events(this.transport, 'partner');
    this.tokens = { create: (body, options = {}) => this.rest.createToken({ body, ...options }) };
  }

  /**
   * Return the client of one user. A function that returns tokens keeps it valid beyond the hour of one token.
   *
   * @example
   * ```ts
   * const me = lev.asUser(() => lev.tokens.create({ wallet_address }));
   * ```
   */
  asUser(source: TokenSource): LevUser {
    const transport = this.transport.as(tokenCredential(source, this.transport.surroundings));
    return new LevUser(transport, { chain: this.#chain, pinned: this.pinned });
  }

  /** Read the notional limit of the partner, with usage and remaining. */
  limits(options: CallOptions = {}): Promise<LimitUsage> {
    return this.rest.getPartnerLimits(options);
  }
}

/** Cache time of contract info for actions on chain: requests of a wallet are throttled. */
const contractInfoAgeMs = 60_000;

/** Sources of the checks before an opening. */
export interface PreflightOptions {
  readonly account?: string | undefined;
  readonly wallet?: Wallet | undefined;
  readonly chain?: ChainSource | undefined;
  readonly limits?: Partial<UserLimits>;
}

/** Client of the service for one wallet. */
export class LevUser extends Caller {
  readonly #chain: ChainSource | undefined;
  #kept: Promise<ContractInfo> | null = null;
  #keptUntilMs = 0;
  readonly events: Events<'user'>;
  readonly quotes: Quotes;
  readonly positions: Positions;

  constructor(
    transport: Transport,
    { chain, pinned }: { readonly chain: ChainSource | undefined; readonly pinned: PinnedContracts | undefined },
  ) {
    super(transport, pinned);
    this.#chain = chain;
    this.events = new Events(transport, 'user');
    this.quotes = new Quotes(this.rest);
    const {
      events,
      transport: { surroundings },
    } = this;
    this.positions = new Positions(this.rest, { chain, events, surroundings, contractInfo: () => this.#contracts() });
  }

  /** Read the notional limit of the wallet, with usage and remaining. */
  limits(options: CallOptions = {}): Promise<LimitUsage> {
    return this.rest.getUserLimits(options);
  }

  /** Read the fee rates of the caller, and those of a market when a ticker is present. */
  feeRates({ ticker, ...options }: CallOptions & { readonly ticker?: string } = {}): Promise<FeeRates> {
    return this.rest.getFeeRates({ query: ticker === undefined ? {} : { ticker }, ...options });
  }

  /**
   * Check a quote or draft before it is opened: chain, wallet, kind of quote, market, expiry, vault, balance, gas and
   * allowance, each with the required value, the actual value, and the remedy. Needs viem, and a chain to read.
   *
   * @param options The `wallet` that will sign, whose chain is the one that counts; or its `account` with a `chain` to
   * read. `limits` are bounds of your own for `createPosition`, each of which is compared with the quote.
   * @throws InputError without wallet and account, or without a chain.
   */
  async preflight(quote: Quote | DraftQuote, options: PreflightOptions): Promise<readonly Requirement[]> {
    checkKnown('preflight', options, { known: ['account', 'wallet', 'chain', 'limits'] });
    const { wallet, chain = wallet ?? this.#chain, limits = {} } = options;
    const account = options.account ?? (wallet && accountOf(wallet));
    if (!isAddress(account))
      throw new InputError('account', account, 'Give the `wallet`, or its address as `account`.');
    const { surroundings } = this.transport;
    const { rpcOf, sourceOf } = await import('./chain/rpc.ts');
    const request = rpcOf(sourceOf(chain), surroundings);
    const [contractInfo, market] = await Promise.all([this.#contracts(), this.markets.get(quote.market_ticker)]);
    const { preflightOf } = await import('./quotes/preflight.ts');
    return preflightOf({ quote, account, contractInfo, market, limits, request, nowMs: surroundings.nowMs() });
  }

  /** Return `contractInfo`, requested at most once a minute; an error is not cached. */
  #contracts(): Promise<ContractInfo> {
    const nowMs = this.transport.surroundings.monotonicMs();
    if (this.#kept === null || nowMs >= this.#keptUntilMs) {
      this.#kept = this.contractInfo();
      this.#keptUntilMs = nowMs + contractInfoAgeMs;
      this.#kept.catch(() => {
        this.#keptUntilMs = 0;
      });
    }
    return this.#kept;
  }
}

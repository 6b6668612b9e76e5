import type { UserLimits } from '@core/vault';
import { type ChainSource, rpcOf } from './chain/rpc.ts';
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
import { hostSurroundings, type Surroundings } from './http/surroundings.ts';
import { apiUrlOf, type CallOptions, type SentRequest, Transport } from './http/transport.ts';
import { Markets } from './lists/marketLists.ts';
import { Positions } from './positions/positions.ts';
import { preflightOf, type Requirement } from './quotes/preflight.ts';
import { Quotes } from './quotes/quotes.ts';

export interface LevOptions {
  /** Root of the service, or the whole address of the interface, as `apiUrl` of a stack file. */
  readonly baseUrl: string;
  /** A partner's key. It belongs on servers and never into a page. */
  readonly apiKey?: string;
  /** Where the chain is read when no wallet is at hand: a node's address, or a reader. */
  readonly chain?: ChainSource;
  /** Called with every request before it leaves. */
  readonly onRequest?: (request: SentRequest) => void;
  /** Parts of the host that a test or an unusual host replaces. */
  readonly surroundings?: Partial<Surroundings>;
}

/** What every caller can do, with whatever credential. */
class Caller {
  /** A method for every route, under its own name. */
  readonly rest: Rest;
  readonly markets: Markets;
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
    this.rest = restOf(transport);
    this.markets = new Markets(this.rest);
  }

  /** Chain, signer, stablecoin and vault; needs no credential and may be kept. */
  contractInfo(options: CallOptions = {}): Promise<ContractInfo> {
    return this.rest.getContractInfo(options);
  }

  /** Asks for one event of every type on the caller's own stream, one a second. */
  sampleEvents(options: CallOptions = {}): Promise<SampleEventRun> {
    return this.rest.createSampleEvents(options);
  }
}

/** A client of the service: a partner's with a key, anyone's without. */
export class Lev extends Caller {
  readonly #chain: ChainSource | undefined;
  readonly events: Events<'partner'>;
  readonly tokens: { create(request: { readonly wallet_address: string }, options?: CallOptions): Promise<Token> };

  constructor({ baseUrl, apiKey, chain, onRequest, surroundings }: LevOptions) {
    const credential: Credential = apiKey === undefined ? noCredential : keyCredential(apiKey);
    const host = { ...hostSurroundings, ...surroundings };
    super(new Transport({ apiUrl: apiUrlOf(baseUrl), credential, surroundings: host, onRequest }));
    this.#chain = chain;
    this.events = new Events(this.transport, 'partner');
    this.tokens = { create: (body, options = {}) => this.rest.createToken({ body, ...options }) };
  }

  /**
   * The client of one user. A function that gets tokens keeps it running beyond the hour that a token lives:
   * `lev.asUser(() => lev.tokens.create({ wallet_address }))`.
   */
  asUser(source: TokenSource): LevUser {
    return new LevUser(this.transport.as(tokenCredential(source, this.transport.surroundings)), this.#chain);
  }

  /** Notional limit of the partner, with usage and remaining. */
  limits(options: CallOptions = {}): Promise<LimitUsage> {
    return this.rest.getPartnerLimits(options);
  }
}

/** How long actions on chain go on with what the service said of its contracts: a wallet's requests are counted. */
const contractInfoAgeMs = 60_000;

/** A client of the service for one wallet. */
export class LevUser extends Caller {
  readonly #chain: ChainSource | undefined;
  #kept: Promise<ContractInfo> | null = null;
  #keptUntilMs = 0;
  readonly events: Events<'user'>;
  readonly quotes: Quotes;
  readonly positions: Positions;

  constructor(transport: Transport, chain: ChainSource | undefined) {
    super(transport);
    this.#chain = chain;
    this.events = new Events(transport, 'user');
    this.quotes = new Quotes(this.rest);
    const {
      events,
      transport: { surroundings },
    } = this;
    this.positions = new Positions(this.rest, { chain, events, surroundings, contractInfo: () => this.#contracts() });
  }

  /** Notional limit of the wallet, with usage and remaining. */
  limits(options: CallOptions = {}): Promise<LimitUsage> {
    return this.rest.getUserLimits(options);
  }

  /** Fee rates of the caller; those of a market too when a ticker is given. */
  feeRates({ ticker, ...options }: CallOptions & { readonly ticker?: string } = {}): Promise<FeeRates> {
    return this.rest.getFeeRates({ query: ticker === undefined ? {} : { ticker }, ...options });
  }

  /**
   * Whether a quote or draft could be opened now: chain, market, vault, balance, allowance and expiry, each with what
   * is needed, what there is, and what to do. `limits` are bounds of your own for `createPosition`; each is held
   * against the quote. Needs viem, and a chain to read.
   */
  async preflight(
    quote: Quote | DraftQuote,
    {
      account,
      chain = this.#chain,
      limits = {},
    }: { readonly account: string; readonly chain?: ChainSource | undefined; readonly limits?: Partial<UserLimits> },
  ): Promise<readonly Requirement[]> {
    if (chain === undefined) throw new TypeError('give a node or a reader as `chain` of the client, or here');
    const { surroundings } = this.transport;
    const [contractInfo, market] = await Promise.all([this.#contracts(), this.markets.get(quote.market_ticker)]);
    const request = rpcOf(chain, surroundings);
    return preflightOf({ quote, account, contractInfo, market, limits, request, nowMs: surroundings.nowMs() });
  }

  /** `contractInfo`, asked for once a minute at most; a failure is not kept. */
  #contracts(): Promise<ContractInfo> {
    const nowMs = this.transport.surroundings.nowMs();
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

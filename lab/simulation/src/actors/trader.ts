import type { LocalAccount } from '@core/contracts/local';
import { bidOf, Lev, type LevUser, type Market, type Position, type Quote, ticketOf, verifyQuote } from '@core/sdk';
import { createWalletClient, type Hex, http, isHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { World } from '../world/startWorld.ts';
import { until } from '../world/until.ts';

/** A verified quote, and the market and side that it is for. */
export interface TakenQuote {
  readonly quote: Quote;
  /** Key of the position that it opens. */
  readonly key: Hex;
  readonly market: Market;
  readonly side: 'yes' | 'no';
}

/** A user of the partner, who does all through the client library. */
export class Trader {
  readonly name: string;
  readonly user: LevUser;
  readonly wallet;
  readonly #partner: Lev;

  constructor(world: World, name: string, account: LocalAccount) {
    this.name = name;
    const { rpcUrl } = world.chain;
    this.wallet = createWalletClient({ account: privateKeyToAccount(account.privateKey), transport: http(rpcUrl) });
    this.#partner = new Lev({ baseUrl: world.apiUrl, apiKey: world.apiKey, chain: rpcUrl });
    this.user = this.#partner.asUser(() => this.#partner.tokens.create({ wallet_address: account.address }));
  }

  /** Return the markets that take positions, the deepest first. */
  async openMarkets(): Promise<readonly Market[]> {
    const page = this.user.markets.list({ accepting_new_positions: true, expand: ['prices'], sort: 'depth_desc' });
    return (await page.firstPage()).data;
  }

  /** Get a quote for 40 USD at twice the leverage in one of the open markets, and verify it. */
  async quote(choose: (open: readonly Market[]) => Market | undefined, limitMs?: number): Promise<TakenQuote> {
    const market = await until('market that takes positions', async () => choose(await this.openMarkets()), limitMs);
    const side = market.sided_eligibility.yes.accepting_new_positions ? 'yes' : 'no';
    const order = { ticker: market.ticker, side, leverage: '2', notionalUsd: '40', allowRevision: true } as const;
    const quote = await until(
      'quote',
      async () => {
        const draft = await this.user.quotes.draft(order);
        ticketOf(draft, { markPricePips: bidOf(market, side) });
        return this.user.quotes.promote(draft);
      },
      limitMs,
    );
    const contractInfo = await this.#partner.contractInfo();
    const { address } = this.wallet.account;
    const check = await verifyQuote(quote, { account: address, contractInfo, market });
    if (!check.verified) throw new Error(`the quote's ${check.field} is not what it should be`);
    const key = quote.on_chain_position_key;
    if (!isHex(key)) throw new Error(`the key ${key} is not hex`);
    return { quote, key, market, side };
  }

  open({ quote }: TakenQuote): Promise<Position> {
    return Promise.resolve(this.user.positions.open(quote, this.wallet));
  }

  /** Close a position at any price, and return its last status. */
  async close(position: Position): Promise<string> {
    const { status } = await this.user.positions.close(position, { wallet: this.wallet, minPriceUsd: '0.01' });
    return status;
  }
}

import { heldSaleFloorOf, policyDefaults } from '@core/policy';
import {
  bestBidOf,
  compare,
  constants,
  min,
  type OrderBook,
  raw,
  subtract,
  type TokenUnits,
  tokenUnits,
  toTick,
  type UsdcUnits,
  usdcUnits,
  valueOf,
  walkBids,
} from '@core/pricing';
import type { HeldTokens } from '../chain/fillerAccount.ts';
import type { TradedMarket } from '../journal/journalLines.ts';
import { booksOfToken } from '../venue/marketBooks.ts';
import { BidDoubts } from './bidDoubts.ts';
import type { FillerParts } from './fillerParts.ts';
import { RestingSales } from './restingSales.ts';

const noTokens = tokenUnits(0n);

/**
 * Tokens that fills left over, turned into USDC again: pairs are merged, decided ones redeemed, others sold at the
 * bids, after they rested at the best ask where the filler does that.
 */
export class HeldTokenSeller {
  readonly #parts: FillerParts;
  readonly #doubts = new BidDoubts();
  readonly #running = new Map<string, Promise<void>>();
  /** Fills that began in each market. */
  readonly #fillCounts = new Map<string, number>();
  readonly #resting: RestingSales;
  #attempt = 0;

  constructor(parts: FillerParts) {
    this.#parts = parts;
    this.#resting = new RestingSales(parts);
  }

  /** Markets in which bids did not take what they showed. */
  get doubts(): Pick<BidDoubts, 'has' | 'count'> {
    return this.#doubts;
  }

  /** Note the start of a fill: with the tokens that it brings, a balance does not say what a sale in progress took. */
  noteFill(conditionId: string): void {
    this.#fillCounts.set(conditionId, (this.#fillCounts.get(conditionId) ?? 0) + 1);
  }

  /**
   * Sell what the account holds of every market that it traded in, but of those in which a fill is in progress.
   * @throws Fault when chain or venue do not answer.
   */
  async sellAll(isBusy: (conditionId: string) => boolean): Promise<void> {
    const markets = [...this.#parts.journal.state.markets.values()].filter(({ conditionId }) => !isBusy(conditionId));
    const results = await Promise.allSettled(markets.map(({ conditionId }) => this.sell(conditionId)));
    const failure = results.find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  /**
   * Sell what the account holds of one market. Callers at the same time share one run.
   * @throws Fault when chain or venue do not answer.
   */
  sell(conditionId: string): Promise<void> {
    const running = this.#running.get(conditionId);
    if (running !== undefined) return running;
    const market = this.#parts.journal.state.markets.get(conditionId);
    if (market === undefined) return Promise.resolve();
    const sale = this.#sell(market).finally(() => this.#running.delete(conditionId));
    this.#running.set(conditionId, sale);
    return sale;
  }

  /** Cancel the resting orders and wait for their ends. */
  finish(): Promise<void> {
    return this.#resting.finish();
  }

  async #sell(market: TradedMarket): Promise<void> {
    const { account } = this.#parts;
    const { yesTokenUnits, noTokenUnits } = await account.held(market);
    const pairs = min(yesTokenUnits, noTokenUnits);
    if (this.#resting.isResting(market.conditionId)) {
      // A pair is worth more, and is merged once no order sells its tokens.
      if (raw(pairs) > 0n) this.#resting.stop(market.conditionId);
      return;
    }
    if (raw(yesTokenUnits) === 0n && raw(noTokenUnits) === 0n) return this.#settle(market);
    if (await account.isDecided(market)) return this.#redeem(market, { yesTokenUnits, noTokenUnits });
    if (raw(pairs) > 0n) await this.#send('merge', market, account.merge(market, pairs));
    await this.#sellSingle(market, {
      yesTokenUnits: subtract(yesTokenUnits, pairs),
      noTokenUnits: subtract(noTokenUnits, pairs),
    });
  }

  async #redeem(market: TradedMarket, held: HeldTokens): Promise<void> {
    for (const call of this.#parts.account.redeem(market, held)) await this.#send('redeem', market, call);
    this.#settle(market);
  }

  /** Note that nothing of a market is held any more. */
  #settle({ conditionId }: TradedMarket): void {
    this.#doubts.forget(conditionId);
    this.#resting.forget(conditionId);
    this.#parts.float.setUnsold(conditionId, usdcUnits(0n));
  }

  async #send(
    purpose: 'merge' | 'redeem',
    { conditionId }: TradedMarket,
    call: { readonly to: `0x${string}`; readonly data: `0x${string}` },
  ): Promise<void> {
    this.#attempt += 1;
    await this.#parts.sender.send({ id: `${purpose}:${conditionId}:${this.#attempt}`, purpose, ...call });
  }

  async #sellSingle(market: TradedMarket, held: HeldTokens): Promise<void> {
    const { books, float } = this.#parts;
    const isYes = raw(held.yesTokenUnits) > 0n;
    const tokens = isYes ? held.yesTokenUnits : held.noTokenUnits;
    const tokenId = isYes ? market.yesTokenId : market.noTokenId;
    if (raw(tokens) === 0n) return this.#settle(market);
    const marketBooks = await books.of(market.conditionId);
    const book = marketBooks === null ? null : booksOfToken(marketBooks, tokenId).token;
    const { conditionId } = market;
    float.setUnsold(conditionId, worthOf(book, tokens));
    // Less than an order stays in the float, until it is merged or redeemed.
    if (compare(tokens, constants.minOrderTokenUnits) < 0) return this.#doubts.forget(conditionId);
    if (marketBooks === null || book === null || this.#doubts.isPaused(conditionId)) return;
    const { tickPricePips } = marketBooks.market;
    if (this.#resting.begin({ conditionId, tokenId, tokenUnits: tokens, tickPricePips, book })) return;
    this.#resting.forget(conditionId);
    // Without a middle the best bid is the only price.
    const mark = books.midOf(tokenId) ?? bestBidOf(book);
    const floor = mark === null ? null : heldSaleFloorOf(mark, policyDefaults.grant);
    const bids = book.bids.filter(({ pricePips }) => floor !== null && compare(pricePips, floor) >= 0);
    const { worstPricePips, restTokenUnits } = walkBids({ bids, tokenUnits: tokens });
    if (worstPricePips === null || compare(subtract(tokens, restTokenUnits), constants.minOrderTokenUnits) < 0) {
      return this.#doubts.record(conditionId);
    }
    const fillCount = this.#fillCounts.get(conditionId);
    const outcome = await this.#parts.trader.sell({
      conditionId,
      tokenId,
      tokenUnits: subtract(tokens, restTokenUnits),
      pricePips: toTick(worstPricePips, tickPricePips, 'down'),
      tickPricePips,
    });
    const rest = await this.#parts.account.tokensOf(tokenId);
    if (outcome.kind === 'refused') this.#doubts.record(conditionId);
    else if (compare(rest, tokens) < 0) this.#doubts.forget(conditionId);
    else if (this.#fillCounts.get(conditionId) === fillCount) this.#doubts.record(conditionId);
    float.setUnsold(conditionId, worthOf(book, rest));
  }
}

/** Return the worth of tokens at the best bid, rounded up; without a bid their whole face value. */
function worthOf(book: OrderBook | null, tokens: TokenUnits): UsdcUnits {
  const [best] = book?.bids ?? [];
  if (compare(tokens, noTokens) <= 0) return usdcUnits(0n);
  return best === undefined ? usdcUnits(raw(tokens)) : valueOf(tokens, best.pricePips, 'up');
}

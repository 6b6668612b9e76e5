import { existsSync } from 'node:fs';
import { Fault } from '@core/errors';
import { decideFill } from '@core/policy';
import { min, raw, subtract, tokenUnits, type UsdcUnits } from '@core/pricing';
import { type HeadState, HeadWatch } from '@core/runtime';
import { isVenueFault } from '@core/venue';
import type { Hex } from 'viem';
import type { HeldTokens } from '../chain/fillerAccount.ts';
import { grantIdOf, type Head, type LiveGrant, secondOf } from '../chain/vaultGrants.ts';
import { booksOfToken, type MarketBooksNow } from '../venue/marketBooks.ts';
import type { FillerParts } from './fillerParts.ts';
import { type FillOutcome, type FillTask, fillGrant } from './fillGrant.ts';
import type { Reservation } from './float.ts';
import { HeldTokenSeller } from './sellHeld.ts';

export interface FillerOptions {
  /** File that stops new fills while it exists. */
  readonly stopFile: string;
  /** Oldest last block of a chain that moves, on the service clock. */
  readonly maxHeadAgeMs: number;
}

/** Pause while no grant is live: each round is a call to the node, and a grant lives for seconds. */
const quietMs = 400;
/** Pause of openings in a market in which the venue did not sell what its book showed. */
const distrustMs = 30_000;

/** Market at one moment, with the tokens that the account holds. */
interface ObservedMarket {
  readonly books: MarketBooksNow;
  readonly held: HeldTokens;
}

interface Consideration {
  readonly grant: LiveGrant;
  readonly observed: ObservedMarket;
  readonly usdc: UsdcUnits;
  readonly head: Head;
}

/** Filler of one account: it looks at every live grant again and again, and sells what fills leave over. */
export class Filler {
  readonly #parts: FillerParts;
  readonly #options: FillerOptions;
  readonly #seller: HeldTokenSeller;
  /** Fills in progress by the id of their grant. */
  readonly #running = new Map<string, { readonly conditionId: string; readonly end: Promise<void> }>();
  readonly #distrustedUntilMs = new Map<string, number>();
  readonly #head: HeadWatch;
  /** Time of the next read of the chain while no grant is live. */
  #quietUntilMs = 0;

  constructor(parts: FillerParts, options: FillerOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#seller = new HeldTokenSeller(parts);
    this.#head = new HeadWatch(options.maxHeadAgeMs);
  }

  get isStopped(): boolean {
    return existsSync(this.#options.stopFile);
  }

  /** Age of the last block that a round read, and whether blocks come. */
  get head(): HeadState {
    return this.#head.state(this.#instant());
  }

  /** Read the last block, as each round does. @throws Fault when the chain does not answer. */
  async observeHead(): Promise<Head> {
    const head = await this.#parts.grants.head();
    this.#head.observe(head.timeSeconds * 1_000, this.#instant());
    return head;
  }

  #instant() {
    return { nowMs: this.#parts.clock.nowMs(), atMs: performance.now() };
  }

  /**
   * Look at every live grant once and start the fills that are covered. The round does not wait for them.
   * @throws Fault when the chain does not answer.
   */
  async round(): Promise<void> {
    const { grants, metrics } = this.#parts;
    if (performance.now() < this.#quietUntilMs) return;
    const head = await this.observeHead();
    const live = await grants.live(head);
    this.#quietUntilMs = live.length === 0 ? performance.now() + quietMs : 0;
    metrics.liveGrants.set(live.length);
    metrics.stuckMarkets.set(this.#seller.doubts.count);
    if (this.isStopped) return;
    const idle = live.filter((grant) => !this.#running.has(grantIdOf(grant)));
    if (idle.length === 0) return;
    const usdc = await this.#parts.account.usdcUnits();
    const markets = await this.#observeMarkets(idle);
    for (const grant of idle) {
      const observed = markets.get(grant.conditionId) ?? null;
      if (observed === null) metrics.decisions.inc({ result: 'no_book' });
      else if (grant.purpose === 'open' && this.#isDoubted(grant)) metrics.decisions.inc({ result: 'doubted' });
      else this.#considerAlone({ grant, observed, usdc, head });
    }
  }

  /** Consider one grant. A failure is its own: it is logged and counted, and the others are considered. */
  #considerAlone(consideration: Consideration): void {
    const { metrics, logger } = this.#parts;
    try {
      this.#consider(consideration);
    } catch (err) {
      metrics.decisions.inc({ result: 'failed' });
      logger.error({ err, positionKey: consideration.grant.positionKey }, 'grant cannot be considered');
    }
  }

  /** Sell what fills left over. @throws Fault when chain or venue do not answer. */
  sellHeld(): Promise<void> {
    const busy = (conditionId: string): boolean =>
      [...this.#running.values()].some((fill) => fill.conditionId === conditionId);
    return this.#seller.sellAll(busy);
  }

  /** Wait for the fills in progress, and cancel the resting orders. */
  async finish(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ end }) => end));
    await this.#seller.finish();
  }

  /** Return true for a market whose books are doubted: the venue did not trade what they showed. */
  #isDoubted({ conditionId }: LiveGrant): boolean {
    const isDistrusted = performance.now() < (this.#distrustedUntilMs.get(conditionId) ?? 0);
    return isDistrusted || this.#seller.doubts.has(conditionId);
  }

  /** Read books and balances of each market once; null where they cannot be read. */
  async #observeMarkets(live: readonly LiveGrant[]): Promise<ReadonlyMap<Hex, ObservedMarket | null>> {
    const conditionIds = [...new Set(live.map(({ conditionId }) => conditionId))];
    const markets = await Promise.all(conditionIds.map((conditionId) => this.#observeMarket(conditionId)));
    return new Map(conditionIds.map((conditionId, index) => [conditionId, markets[index] ?? null]));
  }

  async #observeMarket(conditionId: Hex): Promise<ObservedMarket | null> {
    const { books, account, logger } = this.#parts;
    try {
      const marketBooks = await books.of(conditionId);
      return marketBooks === null ? null : { books: marketBooks, held: await account.held(marketBooks.market) };
    } catch (err) {
      logger[isExpected(err) ? 'warn' : 'error']({ err, conditionId }, 'market cannot be read');
      return null;
    }
  }

  #consider({ grant: live, observed, usdc, head }: Consideration): void {
    const { float, terms, metrics } = this.#parts;
    const { market } = observed.books;
    const { yesTokenUnits, noTokenUnits } = observed.held;
    if (live.tokenId !== market.yesTokenId && live.tokenId !== market.noTokenId) return;
    const isYes = live.tokenId === market.yesTokenId;
    const books = booksOfToken(observed.books, live.tokenId);
    // Tokens of a pair are worth their USDC: they are merged, and made again where a pair is the way.
    const single = subtract(isYes ? yesTokenUnits : noTokenUnits, min(yesTokenUnits, noTokenUnits));
    const decision = decideFill({
      grant: live.grant,
      elapsedSeconds: secondOf(live, head),
      lastSecond: live.endsAtSeconds - live.startsAtSeconds,
      markPricePips: live.markPricePips,
      books,
      means: {
        usdcUnits: float.freeUsdcOf(usdc),
        tokenUnits: float.freeTokensOf(live.tokenId, single),
        canRest: terms.restMs > 0,
      },
      terms,
    });
    metrics.decisions.inc({ result: decision.kind === 'leave' ? decision.reason : decision.kind });
    if (decision.kind !== 'fill') return;
    this.#start({ live, chosen: decision, books, market });
  }

  #start(task: FillTask): void {
    const { float } = this.#parts;
    const { live, chosen } = task;
    const reservation: Reservation = {
      usdcUnits: chosen.floatUsdcUnits,
      tokenId: live.tokenId,
      tokenUnits: chosen.way === 'stock' ? chosen.fill.tokenUnits : tokenUnits(0n),
    };
    float.reserve(reservation);
    const id = grantIdOf(live);
    const end = this.#fillAndSell(task).finally(() => {
      float.release(reservation);
      this.#running.delete(id);
    });
    this.#running.set(id, { conditionId: live.conditionId, end });
  }

  /** Fill a grant, and sell what is left at once: each second in which tokens are not sold is a risk. */
  async #fillAndSell(task: FillTask): Promise<void> {
    const { logger } = this.#parts;
    const { live } = task;
    await this.#run(task);
    if (this.#isBusy(live)) return;
    await this.#seller.sell(live.conditionId).catch((err: unknown) => {
      logger[isExpected(err) ? 'warn' : 'error']({ err, conditionId: live.conditionId }, 'tokens are not sold yet');
    });
  }

  async #run(task: FillTask): Promise<void> {
    const { logger, metrics } = this.#parts;
    const { live, chosen } = task;
    const facts = {
      positionKey: live.positionKey,
      purpose: live.purpose,
      way: chosen.way,
      tokenUnits: raw(chosen.fill.tokenUnits),
      usdcUnits: raw(chosen.fill.usdcUnits),
    };
    try {
      const outcome = await fillGrant(this.#parts, task);
      metrics.fills.inc({ purpose: live.purpose, way: chosen.way, outcome });
      this.#note(live, outcome);
      logger.info({ ...facts, outcome }, 'grant handled');
    } catch (err) {
      metrics.fills.inc({ purpose: live.purpose, way: chosen.way, outcome: 'failed' });
      logger[isExpected(err) ? 'warn' : 'error']({ ...facts, err }, 'fill failed');
    }
  }

  /** Return true while another fill of the same market is in progress. */
  #isBusy(live: LiveGrant): boolean {
    const id = grantIdOf(live);
    return [...this.#running].some(([other, fill]) => other !== id && fill.conditionId === live.conditionId);
  }

  #note({ conditionId }: LiveGrant, outcome: FillOutcome): void {
    if (outcome === 'not_bought') this.#distrustedUntilMs.set(conditionId, performance.now() + distrustMs);
  }
}

/** Return true for a failure of chain or venue; any other is a bug, which ends the item it concerns alone. */
const isExpected = (error: unknown): boolean => error instanceof Fault || isVenueFault(error);

import type { FairView } from '../catalogue/fairSource.ts';
import type { IncomingOrder, Placement, Side } from '../matching/bookOrder.ts';
import type { SimulatedAccounts } from '../settlement/simulatedAccounts.ts';
import { complementOf } from '../units/decimals.ts';
import { hash32, unitOf } from '../world/random.ts';
import { ladderLength, ladderTargets, type QuoteTarget } from './quoteLadder.ts';
import type { SimMarket } from './simMarket.ts';

/** Dependencies of the simulator's own traders in a market. */
export interface TradingFloor {
  readonly seed: string;
  readonly accounts: SimulatedAccounts;
  place(market: SimMarket, order: IncomingOrder): Placement;
}

/** Number of ticks after which a size is drawn again without any other change. */
const noiseEpochTicks = 40;
const takerChancePerTick = 0.22;
/** Below this price and above its complement long-lived markets trade in ticks of 0.001. */
const fineTickBelow = 0.04;
const fineTickPips = 10n;

const keyOf = ({ makerIndex, bookSide, bookPricePips }: QuoteTarget): string =>
  `${makerIndex}/${bookSide}/${bookPricePips}`;

/** Simulated makers and takers in one market. Their actions are a function of the seed and the tick number. */
export class MarketMaking {
  readonly #market: SimMarket;
  readonly #floor: TradingFloor;
  /** A market that follows a record is quoted exactly as recorded. */
  readonly #isRecorded: boolean;
  readonly #quotes = new Map<string, { readonly id: string; readonly sizeTokenUnits: bigint }>();
  #orderCount = 0;
  /** Only token that makers quote; null when each quotes its own. */
  #quotedOutcome: 0 | 1 | null = null;
  /** Net YES inventory of the makers in tokens, with decay. */
  #inventoryTokens = 0;

  constructor(market: SimMarket, floor: TradingFloor) {
    this.#market = market;
    this.#floor = floor;
    this.#isRecorded = market.definition.fairSource.fairAt(market.definition.listedMs).kind === 'recorded';
  }

  /** Return the value of the first token now, scenarios included. */
  fairAt(nowMs: number): FairView {
    const view = this.#market.definition.fairSource.fairAt(nowMs);
    const shift = this.#market.effects.shiftAt(nowMs);
    if (view.kind === 'model') {
      const fair = this.#market.effects.pinnedAt(nowMs) ?? view.fair;
      return { kind: 'model', fair: Math.min(0.999, Math.max(0.001, fair + shift)) };
    }
    if (shift === 0) return view;
    const moved = (pips: bigint | null): bigint | null => {
      if (pips === null) return null;
      const target = pips + BigInt(Math.round(shift * 10_000));
      return target < 10n ? 10n : target > 9_990n ? 9_990n : target;
    };
    return { ...view, bidPricePips: moved(view.bidPricePips), askPricePips: moved(view.askPricePips) };
  }

  /** Requote around the fair price. @returns the previous tick when it changed. */
  quote(nowMs: number): { readonly oldTickPricePips: bigint | null } {
    const view = this.fairAt(nowMs);
    const oldTickPricePips = this.#refineTick(view);
    const tick = Math.floor(nowMs / 1000);
    const name = `${this.#floor.seed}/${this.#market.slug}`;
    const targets = ladderTargets(this.#skewed(view), {
      tickPricePips: this.#market.tickPricePips,
      usdPerCent: this.#market.definition.depthUsdPerCent * this.#evaporation(nowMs),
      noiseName: `${name}/${Math.floor(tick / noiseEpochTicks)}`,
      stirredIndex: hash32(`${name}/stirred/${tick}`) % ladderLength,
      stirName: `${name}/stir/${tick}`,
      ...this.#market.effects.ladderAt(nowMs),
    });
    const isStormy = this.#market.effects.isStormyAt(nowMs);
    if (isStormy) this.withdraw();
    this.#quotedOutcome = this.#market.effects.quotedOutcomeAt(nowMs);
    const quotes = isStormy
      ? targets.filter((target) => unitOf(`${name}/storm/${tick}/${keyOf(target)}`) < 0.5)
      : targets;
    this.#follow(quotes);
    this.#inventoryTokens *= 0.97;
    return { oldTickPricePips };
  }

  /** Remove every quote from the book. */
  withdraw(): void {
    for (const { id } of this.#quotes.values()) this.#market.book.cancel(id);
    this.#quotes.clear();
  }

  #refineTick(view: FairView): bigint | null {
    const { hasFineTick } = this.#market.definition;
    const old = this.#market.tickPricePips;
    if (!hasFineTick || view.kind !== 'model' || old <= fineTickPips) return null;
    if (view.fair > fineTickBelow && view.fair < 1 - fineTickBelow) return null;
    this.#market.tickPricePips = fineTickPips;
    return old;
  }

  /** Return the inventory skew of the makers, at most 1.5 cents. */
  #skewed(view: FairView): FairView {
    if (view.kind === 'recorded') return view;
    const lean = this.#inventoryTokens / (this.#market.definition.depthUsdPerCent * 40);
    return { kind: 'model', fair: view.fair - Math.max(-0.015, Math.min(0.015, lean * 0.015)) };
  }

  /** Return the depth factor, which falls in the last ten minutes of a crypto market. */
  #evaporation(nowMs: number): number {
    const { tradingEndMs, category } = this.#market.definition;
    if (category !== 'crypto' || tradingEndMs === null || this.#isRecorded) return 1;
    return Math.max(0.15, Math.min(1, (tradingEndMs - nowMs) / 600_000));
  }

  #follow(targets: readonly QuoteTarget[]): void {
    const targetByKey = new Map(targets.map((target) => [keyOf(target), target]));
    for (const [key, quote] of this.#quotes) {
      const target = targetByKey.get(key);
      const remaining = this.#market.book.order(quote.id)?.remainingTokenUnits ?? 0n;
      // A quote close to its target keeps its queue position.
      const isNearlyRight =
        target !== undefined &&
        remaining * 5n >= target.sizeTokenUnits * 4n &&
        remaining * 4n <= target.sizeTokenUnits * 5n &&
        !this.#isRecorded;
      if (isNearlyRight || (target !== undefined && remaining === target.sizeTokenUnits)) {
        targetByKey.delete(key);
        continue;
      }
      this.#market.book.cancel(quote.id);
      this.#quotes.delete(key);
    }
    for (const [key, target] of targetByKey) this.#place(key, target);
  }

  #place(key: string, target: QuoteTarget): void {
    this.#orderCount += 1;
    const id = `quote-${this.#market.definition.id}-${this.#orderCount}`;
    // The first maker quotes YES, the second NO: a match of an outside order can be a transfer, a mint or a merge.
    const outcome = this.#quotedOutcome ?? target.makerIndex;
    const side: Side = (target.bookSide === 'bid') === (outcome === 0) ? 'BUY' : 'SELL';
    const placement = this.#floor.place(this.#market, {
      id,
      maker: this.#floor.accounts.addressOf('maker', target.makerIndex),
      outcome,
      side,
      limitPricePips: outcome === 0 ? target.bookPricePips : complementOf(target.bookPricePips),
      kind: 'GTC',
      bound: { tokenUnits: target.sizeTokenUnits },
    });
    if (placement.status === 'live') this.#quotes.set(key, { id, sizeTokenUnits: target.sizeTokenUnits });
  }

  /** Occasionally send a small taker order at the best price; never in a replayed market. */
  takeSometimes(nowMs: number): void {
    if (this.#isRecorded) return;
    const tick = Math.floor(nowMs / 1000);
    const name = `${this.#floor.seed}/${this.#market.slug}/taker/${tick}`;
    if (unitOf(name) >= takerChancePerTick) return;
    const isBuy = unitOf(`${name}/side`) < 0.5;
    const bestPips = this.#market.book.bestPricePips(isBuy ? 'ask' : 'bid');
    if (bestPips === null) return;
    const hundredths = BigInt(500 + Math.floor(unitOf(`${name}/size`) ** 3 * 14_000));
    const placement = this.#floor.place(this.#market, {
      id: `take-${this.#market.definition.id}-${tick}`,
      maker: this.#floor.accounts.addressOf('taker', tick),
      outcome: 0,
      side: isBuy ? 'BUY' : 'SELL',
      limitPricePips: bestPips,
      kind: 'FAK',
      bound: { tokenUnits: hundredths * 10_000n },
    });
    const tokens = placement.fills.reduce((sum, fill) => sum + Number(fill.tokenUnits) / 1e6, 0);
    this.#inventoryTokens += isBuy ? -tokens : tokens;
  }
}

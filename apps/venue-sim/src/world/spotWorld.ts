import { type Asset, type AssetSymbol, assets } from './assets.ts';
import { type RandomStream, randomStream } from './random.ts';

const secondsPerYear = 31_536_000;
const secondsPerDay = 86_400;
const minuteMs = 60_000;
const minuteSeconds = 60;

interface SpotState {
  readonly asset: Asset;
  readonly random: RandomStream;
  logPrice: number;
  /** Logarithm of the price at each whole minute since the world's start. */
  readonly minuteLogPrices: number[];
  /** Prices of the last minute, dollars, the newest last. */
  readonly recentPricesUsd: number[];
  /** Average of the minute before each whole minute since the world's start. */
  readonly minuteAveragesUsd: number[];
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Simulated spot prices: logarithmic Brownian motion with a common part, plus rare jumps, on a grid of one second since
 * the world's start. The path depends only on the seed and the number of elapsed seconds, not on the size of the steps.
 */
export class SpotWorld {
  readonly startMs: number;
  #nowMs: number;
  readonly #common: RandomStream;
  readonly #states: ReadonlyMap<AssetSymbol, SpotState>;

  /** @param parameters.startMs Start of the path, rounded down to a whole minute. */
  constructor(parameters: { readonly seed: string; readonly startMs: number }) {
    this.startMs = Math.floor(parameters.startMs / minuteMs) * minuteMs;
    this.#nowMs = this.startMs;
    this.#common = randomStream(`${parameters.seed}/spot/common`);
    this.#states = new Map(
      assets.map((asset) => [
        asset.symbol,
        {
          asset,
          random: randomStream(`${parameters.seed}/spot/${asset.symbol}`),
          logPrice: Math.log(asset.startPriceUsd),
          minuteLogPrices: [Math.log(asset.startPriceUsd)],
          recentPricesUsd: [],
          minuteAveragesUsd: [asset.startPriceUsd],
        },
      ]),
    );
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Advance to the last whole second not after `targetMs`. */
  advanceTo(targetMs: number): void {
    while (this.#nowMs + 1000 <= targetMs) {
      this.#nowMs += 1000;
      this.#step();
    }
  }

  #step(): void {
    const commonNormal = this.#common.normal();
    const isWholeMinute = this.#nowMs % minuteMs === 0;
    for (const state of this.#states.values()) {
      const { asset, random } = state;
      const perSecond = asset.yearlyVolatility / Math.sqrt(secondsPerYear);
      const own = Math.sqrt(1 - asset.commonShare * asset.commonShare) * random.normal();
      state.logPrice += perSecond * (asset.commonShare * commonNormal + own);
      if (random.unit() < asset.jumpsPerDay / secondsPerDay) state.logPrice += asset.jumpSize * random.normal();
      state.recentPricesUsd.push(Math.exp(state.logPrice));
      if (state.recentPricesUsd.length > minuteSeconds) state.recentPricesUsd.shift();
      if (!isWholeMinute) continue;
      state.minuteLogPrices.push(state.logPrice);
      state.minuteAveragesUsd.push(meanOf(state.recentPricesUsd));
    }
  }

  #state(symbol: AssetSymbol): SpotState {
    const state = this.#states.get(symbol);
    if (state === undefined) throw new RangeError(`no spot price for ${symbol}`);
    return state;
  }

  /** Return the current price in dollars. */
  priceUsd(symbol: AssetSymbol): number {
    return Math.exp(this.#state(symbol).logPrice);
  }

  /** Return the price in dollars at the whole minute not after `atMs`; null outside the simulated path. */
  priceUsdAt(symbol: AssetSymbol, atMs: number): number | null {
    const minute = Math.floor((atMs - this.startMs) / minuteMs);
    const logPrice = minute < 0 ? undefined : this.#state(symbol).minuteLogPrices[minute];
    return logPrice === undefined ? null : Math.exp(logPrice);
  }

  /** Return the average of the minute before the whole minute not after `atMs`; null outside the simulated path. */
  averageUsdAt(symbol: AssetSymbol, atMs: number): number | null {
    const minute = Math.floor((atMs - this.startMs) / minuteMs);
    return this.#state(symbol).minuteAveragesUsd[minute] ?? null;
  }

  /** Return the average price of the last `seconds`, a minute at most; the current price without any. */
  recentAverageUsd(symbol: AssetSymbol, seconds: number): number {
    const prices = this.#state(symbol).recentPricesUsd.slice(-Math.max(1, Math.floor(seconds)));
    return prices.length === 0 || seconds < 1 ? this.priceUsd(symbol) : meanOf(prices);
  }

  /** Multiply one price by a factor: a scenario's jump. */
  multiply(symbol: AssetSymbol, factor: number): void {
    this.#state(symbol).logPrice += Math.log(factor);
  }

  /** Return the standard deviation of the logarithmic return over one second, jumps included. */
  volatilityPerSecond(symbol: AssetSymbol): number {
    const { asset } = this.#state(symbol);
    const diffusion = asset.yearlyVolatility ** 2 / secondsPerYear;
    const jumps = (asset.jumpsPerDay / secondsPerDay) * asset.jumpSize ** 2;
    return Math.sqrt(diffusion + jumps);
  }

  /** Format the price like a feed. */
  printedPrice(symbol: AssetSymbol): string {
    return this.priceUsd(symbol).toFixed(this.#state(symbol).asset.priceDecimals);
  }
}

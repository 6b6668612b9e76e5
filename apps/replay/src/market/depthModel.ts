import { type BookLevel, type PricePips, pricePips, raw, tokenUnits } from '@core/pricing';

/**
 * Assumed depth, which recordings lack. `live`: the best price takes the whole size, as a book that passed the depth
 * gates does. `linear`: λ USD at every cent from the best price on. `evaporation`: λ shrinks towards the close and the
 * ends of the price range, and after a jump.
 */
export type DepthKind = 'live' | 'linear' | 'evaporation';

export interface DepthModel {
  readonly kind: DepthKind;
  /** λ, whole USD per cent; unused by `live`. */
  readonly usdPerCent: number;
}

/** Inputs of the depth of a moment, besides the price. */
export interface DepthMoment {
  readonly toCloseSeconds: number;
  /** True when the price moved by ten cents or more within the last minute. */
  readonly hasJumped: boolean;
}

/** Levels of a ladder, one a cent: more than a sale bounded by the mark can use. */
const levelCount = 16;
const centPips = 100n;
/** More than any requested size. */
const liveUsdPerCent = 100_000;
const evaporationSeconds = 600;
const losingSideSeconds = 30;

/** Return USD at each cent of one side of a book around a price; zero when nothing is there. */
export function usdPerCentOf(model: DepthModel, best: PricePips, moment: DepthMoment): number {
  if (model.kind === 'live') return liveUsdPerCent;
  if (model.kind === 'linear') return model.usdPerCent;
  const price = Number(raw(best)) / 10_000;
  // The losing side has no bids just before the end.
  if (moment.toCloseSeconds < losingSideSeconds && price < 0.5) return 0;
  const timeShare = Math.min(1, Math.max(0, moment.toCloseSeconds) / evaporationSeconds);
  return (model.usdPerCent * timeShare * 4 * price * (1 - price)) / (moment.hasJumped ? 3 : 1);
}

/** Return a ladder of levels a cent apart, best first; `direction` is −1n for bids and 1n for asks. */
export function ladderOf(best: PricePips, usdPerCent: number, direction: -1n | 1n): readonly BookLevel[] {
  const worthE10 = BigInt(Math.round(usdPerCent * 1_000_000)) * 10_000n;
  const levels: BookLevel[] = [];
  for (let step = 0n; step < levelCount; step += 1n) {
    const price = raw(best) + direction * step * centPips;
    if (price < 1n || price > 9_999n) break;
    // Rounded up: a ladder just deep enough for a gate must not miss it by rounding.
    const size = (worthE10 + price - 1n) / price;
    if (size > 0n) levels.push({ pricePips: pricePips(price), sizeTokenUnits: tokenUnits(size) });
  }
  return levels;
}

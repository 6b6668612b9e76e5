import type { FairView } from '../catalogue/fairSource.ts';
import type { BookSide } from '../matching/bookOrder.ts';
import { cashOf, complementOf, onePricePips, pipsFromModel, wholeSteps } from '../units/decimals.ts';
import { unitOf } from '../world/random.ts';

/** Quote of one market maker at one price of YES. */
export interface QuoteTarget {
  readonly makerIndex: 0 | 1;
  readonly bookSide: BookSide;
  readonly bookPricePips: bigint;
  readonly sizeTokenUnits: bigint;
}

export interface LadderSettings {
  readonly tickPricePips: bigint;
  /** Cash a cent of price holds at even odds, in dollars. */
  readonly usdPerCent: number;
  /** Seed of the size noise. It changes slowly, so that most levels are unchanged between two ticks. */
  readonly noiseName: string;
  /** Offset (index into the ladder) whose size is drawn again at this tick, so that the book keeps changing. */
  readonly stirredIndex: number;
  readonly stirName: string;
  /** Added to the half spread of each side. */
  readonly extraHalfSpreadPips: bigint;
  /** Displayed share of the full size, 0 to 1. */
  readonly bidShare: number;
  readonly askShare: number;
}

/** Distances from the best price in ticks, for ticks of a cent and for finer ones. */
const coarseOffsets = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20] as const;
const fineOffsets = [0, 1, 2, 3, 5, 8, 12, 18, 26, 40, 60, 90, 140] as const;
export const ladderLength = coarseOffsets.length;

/** Share of a level quoted by the first maker. The second quotes the rest in the other token. */
const firstMakerShare = 0.65;

const floorTo = (value: bigint, step: bigint): bigint => value - (value % step);
const ceilTo = (value: bigint, step: bigint): bigint => floorTo(value + step - 1n, step);

/** Size in token units, a whole number of 0.01 token. */
const sizeFromModel = (tokens: number): bigint => wholeSteps(BigInt(Math.round(tokens * 100)) * 10_000n);

function bestPricesOf(view: Extract<FairView, { kind: 'model' }>, settings: LadderSettings) {
  const tick = settings.tickPricePips;
  const fairPips = pipsFromModel(Math.min(1, Math.max(0, view.fair)));
  const half = (tick >= 100n ? 50n : tick * 2n) + settings.extraHalfSpreadPips;
  const bid = floorTo(fairPips > half ? fairPips - half : 0n, tick);
  const ask = ceilTo(fairPips + half, tick);
  return { bid, ask: ask > bid ? ask : bid + tick };
}

/**
 * The ladder around a fair price: two makers at every price, sizes growing away from the best price, nothing outside
 * [tick, 1 − tick], so that a book near its end is one-sided as real ones are.
 */
export function ladderTargets(view: FairView, settings: LadderSettings): QuoteTarget[] {
  if (view.kind === 'recorded') return recordedTargets(view, settings);
  const best = bestPricesOf(view, settings);
  return (['bid', 'ask'] as const).flatMap((bookSide) => {
    const share = bookSide === 'bid' ? settings.bidShare : settings.askShare;
    return share <= 0 ? [] : sideTargets({ bookSide, bestPips: best[bookSide], share }, settings);
  });
}

function sideTargets(
  side: { readonly bookSide: BookSide; readonly bestPips: bigint; readonly share: number },
  settings: LadderSettings,
): QuoteTarget[] {
  const { bookSide, bestPips, share } = side;
  const tick = settings.tickPricePips;
  const offsets = tick >= 100n ? coarseOffsets : fineOffsets;
  const targets: QuoteTarget[] = [];
  let previous = -1;
  for (const [index, offset] of offsets.entries()) {
    const gapCents = (Number(tick) / 100) * (offset - previous);
    previous = offset;
    const distance = BigInt(offset) * tick;
    const bookPricePips = bookSide === 'bid' ? bestPips - distance : bestPips + distance;
    if (bookPricePips < tick || bookPricePips > onePricePips - tick) continue;
    const noise = 0.75 + 0.5 * unitOf(`${settings.noiseName}/${bookSide}/${bookPricePips}`);
    const stir = index === settings.stirredIndex ? 0.55 + 0.9 * unitOf(`${settings.stirName}/${bookSide}`) : 1;
    const tokens = 2 * settings.usdPerCent * gapCents * noise * stir * share * (index === 0 ? 0.7 : 1);
    for (const makerIndex of [0, 1] as const) {
      const part = makerIndex === 0 ? firstMakerShare : 1 - firstMakerShare;
      const sizeTokenUnits = sizeFromModel(tokens * part);
      if (sizeTokenUnits > 0n) targets.push({ makerIndex, bookSide, bookPricePips, sizeTokenUnits });
    }
  }
  return targets;
}

/**
 * A linear book around a recorded quote: every cent away from it holds the same cash, λ dollars, on both sides of the
 * market (of YES for its bids, of NO for its asks). A side that was empty in the record is empty here.
 */
function recordedTargets(view: Extract<FairView, { kind: 'recorded' }>, settings: LadderSettings): QuoteTarget[] {
  const tick = settings.tickPricePips;
  const targets: QuoteTarget[] = [];
  const add = (bookSide: BookSide, firstPips: bigint, share: number): void => {
    // Levels are a cent apart, or one tick when the tick is coarser.
    const step = tick > 100n ? tick : 100n;
    for (let level = 0n; level < 20n; level += 1n) {
      const bookPricePips = bookSide === 'bid' ? firstPips - level * step : firstPips + level * step;
      if (bookPricePips < tick || bookPricePips > onePricePips - tick) break;
      const ownPricePips = bookSide === 'bid' ? bookPricePips : complementOf(bookPricePips);
      const usd = view.usdPerCent * (Number(step) / 100) * share;
      const isStirred = Number(level) === settings.stirredIndex % 20;
      // The record has no sizes. Noise of one part in a thousand keeps the feed changing.
      const stir = isStirred ? 1 + 0.001 * unitOf(`${settings.stirName}/${bookSide}`) : 1;
      const sizeTokenUnits = sizeFromModel((usd / (Number(ownPricePips) / 10_000)) * stir);
      if (sizeTokenUnits > 0n && cashOf(sizeTokenUnits, ownPricePips) > 0n) {
        targets.push({ makerIndex: 0, bookSide, bookPricePips, sizeTokenUnits });
      }
    }
  };
  if (view.bidPricePips !== null && settings.bidShare > 0) {
    add('bid', floorTo(view.bidPricePips - settings.extraHalfSpreadPips, tick), settings.bidShare);
  }
  if (view.askPricePips !== null && settings.askShare > 0) {
    add('ask', ceilTo(view.askPricePips + settings.extraHalfSpreadPips, tick), settings.askShare);
  }
  return targets;
}

import { type BookLevel, pricePips, tokenUnits } from '../src/index.ts';

/** Levels from pairs of price in pips and size in whole tokens, for readable cases. */
export function levels(...pairs: readonly (readonly [pips: number, tokens: number])[]): readonly BookLevel[] {
  return pairs.map(([pips, tokens]) => ({
    pricePips: pricePips(BigInt(pips)),
    sizeTokenUnits: tokenUnits(BigInt(tokens) * 1_000_000n),
  }));
}

import { type BookLevel, pricePips, tokenUnits } from '../src/index.ts';

/** Build levels from pairs of price in pips and size in whole tokens. */
export function levels(...pairs: readonly (readonly [pips: number, tokens: number])[]): readonly BookLevel[] {
  return pairs.map(([pips, tokens]) => ({
    pricePips: pricePips(BigInt(pips)),
    sizeTokenUnits: tokenUnits(BigInt(tokens) * 1_000_000n),
  }));
}

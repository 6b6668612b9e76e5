import { keccak256, toHex } from 'viem';
import { wholeSteps } from '../units/decimals.ts';
import { unitOf } from '../world/random.ts';
import type { SimMarket } from './simMarket.ts';

const holderCount = 12;

const invented = (name: string): string => `0x${keccak256(toHex(name)).slice(26)}`;

/** Assign generated holders to a new market: a long tail, the largest with about a third. */
export function seedHolders(market: SimMarket, seed: string): void {
  for (const outcome of [0, 1] as const) {
    for (let rank = 1; rank <= holderCount; rank += 1) {
      const name = `${seed}/${market.slug}/holder/${outcome}/${rank}`;
      const tokens = (market.definition.depthUsdPerCent * 40 * (0.8 + 0.4 * unitOf(name))) / rank;
      market.holders[outcome].set(invented(name), wholeSteps(BigInt(Math.round(tokens)) * 1_000_000n));
    }
  }
}

export interface HolderShare {
  readonly account: string;
  readonly tokenUnits: bigint;
}

/** Return the holders of one token, largest first, with their total. */
export function holdersOf(
  market: SimMarket,
  outcome: 0 | 1,
): { readonly holders: readonly HolderShare[]; readonly totalTokenUnits: bigint } {
  const holders = [...market.holders[outcome]]
    .map(([account, tokenUnits]) => ({ account, tokenUnits }))
    .sort((left, right) => (left.tokenUnits < right.tokenUnits ? 1 : left.tokenUnits > right.tokenUnits ? -1 : 0));
  return { holders, totalTokenUnits: holders.reduce((sum, holder) => sum + holder.tokenUnits, 0n) };
}

/** Enlarge one holder until it owns the given share of a token, in percent below 100. */
export function makeLargeHolder(market: SimMarket, outcome: 0 | 1, sharePct: number): void {
  const account = invented(`${market.slug}/large holder/${outcome}`);
  market.holders[outcome].delete(account);
  const { totalTokenUnits } = holdersOf(market, outcome);
  const pct = BigInt(sharePct);
  market.holders[outcome].set(account, (totalTokenUnits * pct + (99n - pct)) / (100n - pct));
}

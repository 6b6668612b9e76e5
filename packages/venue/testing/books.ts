import { type BookLevel, pricePips, tokenUnits } from '@core/pricing';
import type { BookSnapshot } from '../src/port/venueClient.ts';
import { bookHashOf, type HashedBook } from '../src/schema/bookHash.ts';

/** `[price in pips, size in whole tokens]` → a level. */
export const level = (pips: number, tokens: number): BookLevel => ({
  pricePips: pricePips(BigInt(pips)),
  sizeTokenUnits: tokenUnits(BigInt(tokens) * 1_000_000n),
});

export interface BookOfTest {
  readonly tokenId?: string;
  readonly atMs?: number;
  /** `[pips, tokens]`, best first. */
  readonly bids?: readonly (readonly [number, number])[];
  readonly asks?: readonly (readonly [number, number])[];
}

/** A whole book of token `1` with a bid at 40 c and an ask at 42 c unless said otherwise. */
export function snapshotOf({ tokenId = '1', atMs = 1_000, bids, asks }: BookOfTest = {}): BookSnapshot {
  return {
    conditionId: '0xc0',
    tokenId,
    timestampMs: atMs,
    hash: '',
    isHashValid: null,
    bids: (bids ?? [[4_000, 100]]).map(([pips, tokens]) => level(pips, tokens)),
    asks: (asks ?? [[4_200, 100]]).map(([pips, tokens]) => level(pips, tokens)),
    minOrderTokenUnits: null,
    tickPricePips: pricePips(100n),
    isNegRisk: null,
    lastTradePricePips: null,
  };
}

const wireLevel = ([pips, tokens]: readonly [number, number]) => ({
  price: `0.${String(pips).padStart(4, '0')}`,
  size: String(tokens),
});

/** The same book as the venue writes it: best last, and with a hash that fits. */
export function wireBookOf({ tokenId = '1', atMs = 1_000, bids, asks }: BookOfTest = {}): HashedBook {
  const book = {
    market: '0xc0',
    asset_id: tokenId,
    timestamp: String(atMs),
    hash: '',
    bids: (bids ?? [[4_000, 100] as const]).map(wireLevel).toReversed(),
    asks: (asks ?? [[4_200, 100] as const]).map(wireLevel).toReversed(),
    min_order_size: '5',
    tick_size: '0.01',
    neg_risk: false,
    last_trade_price: '0.41',
  };
  return { ...book, hash: bookHashOf(book) };
}

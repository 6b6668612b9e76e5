/** Order matching and fixed amount, as far as the venue's rule of amounts depends on them. */
export type AmountKind = 'resting' | 'immediateBuy' | 'immediateSell';

/** Maximum decimals of the two amounts of an order. */
export interface AmountDecimals {
  readonly shares: number;
  readonly money: number;
}

/** Decimals of a price: 1 at a tick of 0.1, 4 at 0.0001. */
export type PriceDecimals = 1 | 2 | 3 | 4;

/**
 * Rule of amounts of the venue, by decimals of the tick. A resting order (GTC, GTD) has an exact price. An immediate
 * order (FOK, FAK) fixes money in cents and rounds shares down when it buys; it fixes shares in hundredths and rounds
 * money down when it sells.
 */
export const amountTable: Readonly<Record<PriceDecimals, Readonly<Record<AmountKind, AmountDecimals>>>> = {
  1: {
    resting: { shares: 2, money: 3 },
    immediateBuy: { shares: 3, money: 2 },
    immediateSell: { shares: 2, money: 3 },
  },
  2: {
    resting: { shares: 2, money: 4 },
    immediateBuy: { shares: 4, money: 2 },
    immediateSell: { shares: 2, money: 4 },
  },
  3: {
    resting: { shares: 2, money: 5 },
    immediateBuy: { shares: 4, money: 2 },
    immediateSell: { shares: 2, money: 4 },
  },
  4: {
    resting: { shares: 2, money: 6 },
    immediateBuy: { shares: 4, money: 2 },
    immediateSell: { shares: 2, money: 4 },
  },
};

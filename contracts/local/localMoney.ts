/** Money of the local chain, in USDC units. */
export const localMoney = {
  /** First deposit of the provider into the pool. */
  liquidityUsdcUnits: 500_000_000_000n,
  /** The pool's reserve at the start. */
  reserveUsdcUnits: 25_000_000_000n,
  /** Balance of every user. */
  userUsdcUnits: 100_000_000_000n,
  /** Balance of every maker and taker of the venue. */
  venueAccountUsdcUnits: 5_000_000_000_000n,
  /** Float of every filler. */
  fillerUsdcUnits: 50_000_000_000n,
} as const;

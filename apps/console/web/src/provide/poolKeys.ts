/** Keys of data that this page has read from the chain. */
export const poolKeys = {
  all: ['pool'],
  reading: ['pool', 'reading'],
  history: (revision: number) => ['pool', 'history', revision],
  share: (owner: string | null) => ['pool', 'share', owner],
  redeemable: (owner: string | null) => ['pool', 'redeemable', owner],
  depositShares: (units: string) => ['pool', 'depositShares', units],
} as const;

/** Interval between reads of the chain, which sends no notifications. */
export const refetchMs = 3_000;

/** Names of what this page has read from the chain. */
export const poolKeys = {
  all: ['pool'],
  reading: ['pool', 'reading'],
  history: (fingerprint: string) => ['pool', 'history', fingerprint],
  share: (owner: string | null) => ['pool', 'share', owner],
  redeemable: (owner: string | null) => ['pool', 'redeemable', owner],
  depositShares: (units: string) => ['pool', 'depositShares', units],
} as const;

/** A page's figures are this old at most; the chain itself says nothing when it changes. */
export const readAgainMs = 3_000;

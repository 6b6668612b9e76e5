/** Limit of at most `requests` in a window of `windowSeconds`. */
export interface Throttle {
  readonly requests: number;
  readonly windowSeconds: number;
}

/**
 * Throttles (specification, Limits). Keys name the bucket's subject: partner, wallet within a partner, or remote
 * address.
 */
export const throttles = {
  partner: { requests: 120, windowSeconds: 60 },
  wallet: { requests: 60, windowSeconds: 60 },
  address: { requests: 30, windowSeconds: 60 },
  /** POST /tokens, per partner, instead of the partner's bucket. */
  tokens: { requests: 1800, windowSeconds: 60 },
  /** Quotes, drafts, promotions and their aliases together, per wallet within a partner. */
  quoteCreation: { requests: 1, windowSeconds: 1 },
  /** POST /sample-events, per partner or per wallet within a partner. */
  sampleEvents: { requests: 1, windowSeconds: 30 },
} as const satisfies Record<string, Throttle>;

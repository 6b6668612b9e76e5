import type { MarketStatus } from '@core/market';

/** Legal moves: active → closed → determined → finalized; closed, determined ↔ disputed. A void is finalized too. */
export const marketTransitions: Readonly<Record<MarketStatus, readonly MarketStatus[]>> = {
  active: ['closed'],
  closed: ['determined', 'disputed'],
  determined: ['finalized', 'disputed'],
  disputed: ['closed', 'determined'],
  finalized: [],
};

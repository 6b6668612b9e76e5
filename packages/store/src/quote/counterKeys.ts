import type { Side } from '@core/position';

/** Counters that something counts in. */
export interface UsageScope {
  readonly partnerId: string | null;
  readonly walletAddress: string;
  readonly marketId: string | null;
  readonly side: Side;
  readonly clusterKey: string | null;
}

/** Keys of counter rows: the scope, then its subject. A user is a wallet within a partner, as everywhere. */
export const counterKeyOf = {
  user: (partnerId: string | null, walletAddress: string): string =>
    `user:${partnerId ?? ''}:${walletAddress.toLowerCase()}`,
  cluster: (clusterKey: string): string => `cluster:${clusterKey}`,
  side: (marketId: string | null, side: string): string => `side:${marketId ?? ''}:${side}`,
  market: (marketId: string | null): string => `market:${marketId ?? ''}`,
  partner: (partnerId: string | null): string => `partner:${partnerId ?? ''}`,
  global: 'global',
};

/**
 * Return the keys of the counters that something moves, in the order in which every transaction locks them
 * (`counter_rank`): the row that most quotes share comes last, so that its lock is the shortest.
 */
export function counterKeysOf(scope: UsageScope): readonly string[] {
  const { partnerId, walletAddress, marketId, side, clusterKey } = scope;
  return [
    counterKeyOf.user(partnerId, walletAddress),
    ...(clusterKey === null ? [] : [counterKeyOf.cluster(clusterKey)]),
    counterKeyOf.side(marketId, side),
    counterKeyOf.market(marketId),
    counterKeyOf.partner(partnerId),
    counterKeyOf.global,
  ];
}

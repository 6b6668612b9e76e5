import type { UsageScope } from './usage.ts';

/** Names of counter rows by scope. A user is a wallet within a partner, as everywhere. */
export const counterKeyOf = {
  user: (partnerId: string | null, walletAddress: string): string =>
    `user:${partnerId ?? ''}:${walletAddress.toLowerCase()}`,
  cluster: (clusterKey: string): string => `cluster:${clusterKey}`,
  side: (marketId: string | null, side: string): string => `side:${marketId ?? ''}:${side}`,
  market: (marketId: string | null): string => `market:${marketId ?? ''}`,
  partner: (partnerId: string | null): string => `partner:${partnerId ?? ''}`,
  global: 'global',
};

/** Scopes in the order in which their counters are locked everywhere: a key begins with its scope. */
export const counterScopes = ['user', 'cluster', 'side', 'market', 'partner', 'global'] as const;
export type CounterScope = (typeof counterScopes)[number];

/**
 * The counters something moves, in the one order in which they are locked everywhere: the hottest row last, so it is
 * held for the shortest time, and no two transactions wait for each other in a circle.
 */
export function counterKeysOf(scope: UsageScope): readonly { readonly scope: CounterScope; readonly key: string }[] {
  const { partnerId, walletAddress, marketId, side, clusterKey } = scope;
  return [
    { scope: 'user', key: counterKeyOf.user(partnerId, walletAddress) },
    ...(clusterKey === null ? [] : [{ scope: 'cluster' as const, key: counterKeyOf.cluster(clusterKey) }]),
    { scope: 'side', key: counterKeyOf.side(marketId, side) },
    { scope: 'market', key: counterKeyOf.market(marketId) },
    { scope: 'partner', key: counterKeyOf.partner(partnerId) },
    { scope: 'global', key: counterKeyOf.global },
  ];
}

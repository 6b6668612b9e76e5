import {
  type ExitReport,
  type FillCostReport,
  type FillReport,
  type KeeperReport,
  type MarketShare,
  marketShareName,
} from '@core/runtime';
import type { Address } from 'viem';
import type { DebtWatch } from '../liquidation/debtWatch.ts';
import type { MarketShares } from '../runner/marketShares.ts';
import type { PriceSigners } from '../signers/priceSigners.ts';
import type { VenueBreaker } from '../transactions/venueBreaker.ts';

export interface KeeperReportSources {
  readonly address: Address;
  readonly breaker: Pick<VenueBreaker, 'isOpen' | 'remainingOpeningsMs'>;
  readonly signers: Pick<PriceSigners, 'all' | 'isQuorate' | 'requiredCount'>;
  readonly debts: Pick<DebtWatch, 'unseenTickers' | 'rounds'>;
  readonly exitTimes: { readonly reports: readonly ExitReport[] };
  readonly fills: { readonly reports: readonly FillReport[]; readonly costs: readonly FillCostReport[] };
  readonly shares: Pick<MarketShares, 'current'>;
  readonly chain: () => KeeperReport['chain'];
}

/**
 * Time for which a released share is still reported, with the growing age of its last update: until the next keeper has
 * read its debts, that update is the latest.
 */
const reportedMs = 10_000;

/** Return the current abilities of this keeper, as its heartbeat reports them: quotes depend on them. */
export function keeperReportOf(sources: KeeperReportSources): KeeperReport {
  const { address, breaker, signers, debts, exitTimes, fills, chain } = sources;
  return {
    address,
    chain: chain(),
    isVenueTakingOrders: !breaker.isOpen && breaker.remainingOpeningsMs === 0,
    isPriceSignerAnswering: signers.isQuorate,
    requiredSignatures: signers.requiredCount,
    priceSigners: signers.all.map(({ name, address: signer, isAnswering, isAppointed }) => {
      return { name, address: signer, isAnswering, isAppointed };
    }),
    shareGroups: shareGroupsOf(sources),
    unseenTickers: [...debts.unseenTickers],
    exits: [...exitTimes.reports],
    fills: [...fills.reports],
    fillCosts: [...fills.costs],
  };
}

type ShareGroup = KeeperReport['shareGroups'][number];

/** Group the shares by state and age of the last check: one check covers most of them. */
function shareGroupsOf({ shares, debts }: KeeperReportSources): ShareGroup[] {
  const { rounds } = debts;
  const ageMsByName = new Map(rounds.map(({ share, ageMs }) => [marketShareName(share), ageMs]));
  const heldNames = new Set(shares.current.map(marketShareName));
  const released = rounds.filter(({ share, ageMs }) => !heldNames.has(marketShareName(share)) && ageMs < reportedMs);
  const groups = new Map<string, ShareGroup>();
  const add = (share: MarketShare, isHeld: boolean): void => {
    const debtWatchAgeMs = ageMsByName.get(marketShareName(share)) ?? null;
    const key = [share.shareCount, isHeld, debtWatchAgeMs].join();
    const group = groups.get(key) ?? { shareCount: share.shareCount, shares: [], isHeld, debtWatchAgeMs };
    group.shares.push(share.share);
    groups.set(key, group);
  };
  for (const share of shares.current) add(share, true);
  for (const { share } of released) add(share, false);
  return [...groups.values()];
}

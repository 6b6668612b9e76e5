import type { MarketSnapshot } from '@core/market';
import type { Side } from '@core/position';
import { capacityMaxNotionalOf, type LeverageBps, leverageBps, max, type UsdPips } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import { borrowLimitsOf, headroomOf, outcomeHeadroomOf } from '../partner/borrowLimits.ts';
import { availableNotionalOf, notionalLimitsOf } from '../partner/notionalLimits.ts';
import type { PartnerTerms } from '../partner/partnerTerms.ts';
import type { UsageSnapshot } from '../partner/usageSnapshot.ts';

/** A market as one partner sees it. */
export interface MarketView {
  readonly snapshot: MarketSnapshot;
  readonly terms: PartnerTerms;
  /** For a wallet without positions; null when unknown. */
  readonly usage: UsageSnapshot | null;
  /** Age of the last check of the market's debts; zero when left out. */
  readonly debtWatchAgeMs?: number | null;
  readonly config?: PolicyConfig;
}

const wholeLeverage = leverageBps(10_000n);

/**
 * Notional that caps and pool still carry on a side at its highest leverage, whatever the book: the minimum of the
 * global, market and side caps and of every borrow headroom. Null when usage or pool are unknown.
 */
export function capacityMaxOf(view: MarketView, side: Side, maxSide: LeverageBps): UsdPips | null {
  const { snapshot, terms, usage } = view;
  const config = view.config ?? policyDefaults;
  const borrow = usage === null ? null : borrowLimitsOf(usage, { facts: snapshot.facts, side }, { terms, config });
  if (usage === null || borrow === null) return null;
  const shared = notionalLimitsOf(usage, side, terms).filter(({ scope }) => scope !== 'user' && scope !== 'partner');
  const outcome = outcomeHeadroomOf(usage, side);
  return capacityMaxNotionalOf({
    notionalHeadroomsUsdPips: shared.map(availableNotionalOf),
    borrowHeadroomsUsdcUnits: [
      ...borrow.filter(({ scope }) => scope !== 'user').map(headroomOf),
      // The pool's own cap of this outcome, where one is known.
      ...(outcome === null ? [] : [outcome]),
    ],
    // A closed side borrows nothing, so only the caps on notional are left.
    maxLeverageBps: max(maxSide, wholeLeverage),
  });
}

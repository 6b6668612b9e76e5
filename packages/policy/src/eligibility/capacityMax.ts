import type { MarketSnapshot } from '@core/market';
import type { Side } from '@core/position';
import { capacityMaxNotionalOf, type LeverageBps, leverageBps, max, type UsdPips } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import { type BorrowLimit, borrowLimitsOf, headroomOf, outcomeHeadroomOf } from '../partner/borrowLimits.ts';
import { availableNotionalOf, type NotionalLimit, notionalLimitsOf } from '../partner/notionalLimits.ts';
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

type Scope = (NotionalLimit | BorrowLimit)['scope'];

/** Caps that every user of a market has in common. */
const isShared = (scope: Scope): boolean => scope !== 'user' && scope !== 'partner';

/**
 * Notional that caps and pool still carry on a side at its highest leverage, whatever the book: the minimum of the
 * global, market and side caps and of every borrow headroom. Null when usage or pool are unknown.
 */
export function capacityMaxOf(view: MarketView, side: Side, maxSide: LeverageBps): UsdPips | null {
  // A closed side borrows nothing, so only the caps on notional are left.
  return headroomAtOf(view, { side, leverageBps: max(maxSide, wholeLeverage), isCounted: isShared });
}

/**
 * Notional up to which no cap and no pool refuses an opening at a leverage, those of user and partner included. Null
 * when usage or pool are unknown.
 */
export function uncappedMaxOf(view: MarketView, side: Side, leverage: LeverageBps): UsdPips | null {
  return headroomAtOf(view, { side, leverageBps: leverage, isCounted: () => true });
}

function headroomAtOf(
  { snapshot, terms, usage, config = policyDefaults }: MarketView,
  place: { readonly side: Side; readonly leverageBps: LeverageBps; readonly isCounted: (scope: Scope) => boolean },
): UsdPips | null {
  const { side, isCounted } = place;
  const borrow = usage === null ? null : borrowLimitsOf(usage, { facts: snapshot.facts, side }, { terms, config });
  if (usage === null || borrow === null) return null;
  const outcome = outcomeHeadroomOf(usage, side);
  return capacityMaxNotionalOf({
    notionalHeadroomsUsdPips: notionalLimitsOf(usage, side, terms)
      .filter(({ scope }) => isCounted(scope))
      .map(availableNotionalOf),
    borrowHeadroomsUsdcUnits: [
      ...borrow.filter(({ scope }) => isCounted(scope)).map(headroomOf),
      // The pool's own cap of this outcome, where one is known.
      ...(outcome === null ? [] : [outcome]),
    ],
    maxLeverageBps: place.leverageBps,
  });
}

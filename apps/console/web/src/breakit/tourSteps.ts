import { formatUsd, max, pricePips, subtract } from '@core/pricing';
import type { Market, Position } from '@core/sdk';
import type { PlayRequest } from './venueClient.ts';

/** Step of the tour with its state. */
export interface TourStep {
  readonly name: 'sign-in' | 'open' | 'filled' | 'fall' | 'liquidated';
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
}

export interface TourFacts {
  readonly isSignedIn: boolean;
  /** Position that the tour follows; null before there is one. */
  readonly position: Position | null;
}

/** Return the position that the tour follows: the newest open one, else the newest liquidated one not dismissed. */
export function tourPositionOf(positions: readonly Position[], dismissedIds: ReadonlySet<string>): Position | null {
  const living = positions.find((position) => 'current' in position);
  const liquidated = positions.find(({ id, status }) => status === 'liquidated' && !dismissedIds.has(id));
  return living ?? liquidated ?? null;
}

/** Return the steps with their observed state, whichever program caused it. */
export function tourStepsOf({ isSignedIn, position }: TourFacts): readonly TourStep[] {
  const isLiquidated = position?.status === 'liquidated';
  return [
    {
      name: 'sign-in',
      title: 'Sign in as a named account',
      text: 'Accounts of the local stack have public keys and play money.',
      isDone: isSignedIn,
    },
    {
      name: 'open',
      title: 'Open a position with debt',
      text: 'Set the slider to the right, review, and open. The service signs the quote; your wallet sends it.',
      isDone: position !== null,
    },
    {
      name: 'filled',
      title: 'The keeper buys the tokens',
      text: 'Price signers approve the order, the venue fills it, and the vault measures what was received.',
      isDone: position !== null && position.status !== 'pending',
    },
    {
      name: 'fall',
      title: 'The price falls below the liquidation price',
      text: 'The simulator’s market makers quote lower, as after bad news.',
      isDone: isLiquidated || isUnderLiquidation(position),
    },
    {
      name: 'liquidated',
      title: 'The keeper sells and repays the debt',
      text: 'This is automatic. If the price falls faster than the keeper sells, the pool bears the loss.',
      isDone: isLiquidated,
    },
  ];
}

function isUnderLiquidation(position: Position | null): boolean {
  if (position === null || !('current' in position)) return false;
  const liquidationPips = BigInt(position.risk.current_liquidation_price_usd_pips);
  return position.status !== 'pending' && BigInt(position.current.mark_price_usd_pips) <= liquidationPips;
}

/** Distance below the liquidation price: more than the half cent by which a mid may exceed it. */
const fallPips = pricePips(60n);
/** Lowest price that the simulator supports. */
const lowestPips = pricePips(10n);

/** Return the price drop that liquidates a position; null without an open position or without debt. */
export function priceDropOf(position: Position | null): PlayRequest | null {
  if (position === null || !('current' in position) || position.status === 'pending') return null;
  const liquidation = pricePips(BigInt(position.risk.current_liquidation_price_usd_pips));
  const to = formatUsd(max(subtract(liquidation, fallPips), lowestPips));
  const { market_ticker: market, effective_side: side } = position;
  return { name: 'crash', market, params: { side, to } };
}

/** Target ask: high enough that fee and spread are a small part of a sale. */
const targetAskPips = 7_000;
const minimumMinutes = 30;

/** Return a market for the tour: it accepts positions for a while, at a price of about 70 cents. */
export function tourMarketOf(markets: readonly Market[], nowMs: number): Market | null {
  const distanceOf = ({ prices, sided_eligibility: eligibility }: Market): number => {
    const asks = (['yes', 'no'] as const)
      .filter((side) => eligibility[side].accepting_new_positions)
      .map((side) => Number(prices?.[`${side}_ask_price_usd_pips`] ?? 0));
    return Math.min(...asks.map((ask) => Math.abs(ask - targetAskPips)));
  };
  const lasts = ({ latest_enter_at: at }: Market): boolean =>
    at === null || Date.parse(at) > nowMs + minimumMinutes * 60_000;
  const [best = null] = markets
    .filter((market) => market.accepting_new_positions && market.category === 'crypto' && lasts(market))
    .toSorted((left, right) => distanceOf(left) - distanceOf(right));
  return best;
}

import { formatUsd, max, pricePips, subtract } from '@core/pricing';
import type { Market, Position } from '@core/sdk';
import type { PlayRequest } from './venueClient.ts';

/** A step of the tour, and whether what it is about has happened. */
export interface TourStep {
  readonly name: 'sign-in' | 'open' | 'filled' | 'fall' | 'liquidated';
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
}

export interface TourFacts {
  readonly isSignedIn: boolean;
  /** The position the tour is about; null before there is one. */
  readonly position: Position | null;
}

/** The position a tour is about: the newest that lives, or the newest that was liquidated and not put aside. */
export function tourPositionOf(positions: readonly Position[], putAside: ReadonlySet<string>): Position | null {
  const living = positions.find((position) => 'current' in position);
  const liquidated = positions.find(({ id, status }) => status === 'liquidated' && !putAside.has(id));
  return living ?? liquidated ?? null;
}

/** The steps with what has really happened, by which program it may be. */
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
      text: 'Set the slider to the right, review, and open. The service signs, your wallet sends, the chain has it.',
      isDone: position !== null,
    },
    {
      name: 'filled',
      title: 'The keeper buys the tokens',
      text: 'Price signers consent to the order, the venue fills it, the vault measures what came.',
      isDone: position !== null && position.status !== 'pending',
    },
    {
      name: 'fall',
      title: 'The price falls under the liquidation price',
      text: 'The simulator lets its makers quote lower, as if the news were bad.',
      isDone: isLiquidated || isUnderLiquidation(position),
    },
    {
      name: 'liquidated',
      title: 'The keeper sells and repays the debt',
      text: 'It is not asked to: every debt is watched. What a sudden fall costs beyond, the pool bears and shows.',
      isDone: isLiquidated,
    },
  ];
}

function isUnderLiquidation(position: Position | null): boolean {
  if (position === null || !('current' in position)) return false;
  const liquidationPips = BigInt(position.risk.current_liquidation_price_usd_pips);
  return position.status !== 'pending' && BigInt(position.current.mark_price_usd_pips) <= liquidationPips;
}

/** How far under the liquidation price: more than the half cent by which a mid may lie above it. */
const fallPips = pricePips(60n);
/** The simulator knows no lower price. */
const lowestPips = pricePips(10n);

/** The fall that ends a position; null while there is none to fall, or nothing is owed. */
export function fallOf(position: Position | null): PlayRequest | null {
  if (position === null || !('current' in position) || position.status === 'pending') return null;
  const liquidation = pricePips(BigInt(position.risk.current_liquidation_price_usd_pips));
  const to = formatUsd(max(subtract(liquidation, fallPips), lowestPips));
  const { market_ticker: market, effective_side: side } = position;
  return { name: 'crash', market, params: { side, to } };
}

/** Dear enough that fee and spread take little of a sale. */
const wantedAskPips = 7_000;
const minimumMinutes = 30;

/** A market that suits the tour: it takes positions for a while yet, at a price of about 70 cents. */
export function tourMarketOf(markets: readonly Market[], nowMs: number): Market | null {
  const distanceOf = ({ prices, sided_eligibility: eligibility }: Market): number => {
    const asks = (['yes', 'no'] as const)
      .filter((side) => eligibility[side].accepting_new_positions)
      .map((side) => Number(prices?.[`${side}_ask_price_usd_pips`] ?? 0));
    return Math.min(...asks.map((ask) => Math.abs(ask - wantedAskPips)));
  };
  const lasts = ({ latest_enter_at: at }: Market): boolean =>
    at === null || Date.parse(at) > nowMs + minimumMinutes * 60_000;
  const [best = null] = markets
    .filter((market) => market.accepting_new_positions && market.category === 'crypto' && lasts(market))
    .toSorted((left, right) => distanceOf(left) - distanceOf(right));
  return best;
}

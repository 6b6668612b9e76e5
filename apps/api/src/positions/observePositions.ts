import type { MarketSnapshot } from '@core/policy';
import type { PositionUnwind } from '@core/position';
import type { EventMarket, ListedPosition, PositionStore } from '@core/store';
import { storedIdOf } from '@core/wire';
import type { UserCaller } from '../auth/authenticate.ts';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import type { MarketDirectory } from '../markets/marketDirectory.ts';

export type FindOwnPosition = (caller: UserCaller, wireId: string) => Promise<ListedPosition | null>;

/** Finds positions of a token's wallet within its partner; null alike for malformed, unknown and foreign IDs. */
export function ownPositionFinder(positions: Pick<PositionStore, 'findOwn'>, idNamespace: string): FindOwnPosition {
  return async (caller, wireId) => {
    const id = storedIdOf(wireId, idNamespace);
    if (id === null) return null;
    const walletAddress = storedWalletAddressOf(caller.wallet);
    return positions.findOwn({ id, partnerId: caller.partner.id, walletAddress });
  };
}

/** What a position's presentation takes from its market, and what is observed of it now. */
export interface ShownMarket {
  readonly record: Pick<EventMarket, 'status' | 'closeTimeMs' | 'payoutNumerators' | 'payoutDenominator'>;
  readonly snapshot: MarketSnapshot | null;
}

/** One position, its market as observed, the moment it is valued at, and the expansions that were asked for. */
export interface PositionView {
  readonly position: ListedPosition;
  readonly market: ShownMarket | null;
  readonly nowMs: number;
  /** Null when not asked for. */
  readonly unwinds: readonly PositionUnwind[] | null;
  /** The unwinds behind the ladder; null when it is not asked for. */
  readonly executed: readonly PositionUnwind[] | null;
}

export type ObservePosition = (
  position: ListedPosition,
  asked: { readonly nowMs: number; readonly expand: readonly string[] },
) => Promise<PositionView>;

/** Reads what a position's page shows beside its record, and nothing that was not asked for. */
export function positionObserver(sources: {
  readonly positions: Pick<PositionStore, 'unwinds'>;
  readonly markets: Pick<MarketDirectory, 'findById'>;
}): ObservePosition {
  const { positions, markets } = sources;
  return async (position, { nowMs, expand }) => {
    const isLadderAsked = expand.includes('planned_unwinds') && position.riskMode === 'committed';
    const isRead = expand.includes('unwinds') || isLadderAsked;
    const read = isRead ? await positions.unwinds(position.positionKey) : null;
    return {
      position,
      market: await markets.findById(position.marketId),
      nowMs,
      unwinds: expand.includes('unwinds') ? read : null,
      executed: isLadderAsked ? read : null,
    };
  };
}

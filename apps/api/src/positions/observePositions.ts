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

const nothingAsked = { unwinds: null, executed: null };

export type ObservePositions = (
  positions: readonly ListedPosition[],
  asked: { readonly nowMs: number; readonly expand: readonly string[] },
) => Promise<readonly PositionView[]>;

/** Reads what positions show beside their records, and nothing that was not asked for: each market once for all. */
export function positionObserver(sources: {
  readonly positions: Pick<PositionStore, 'unwinds'>;
  readonly markets: Pick<MarketDirectory, 'findById'>;
}): ObservePositions {
  const { positions, markets } = sources;
  const historyOf = async (
    { positionKey, riskMode }: ListedPosition,
    expand: readonly string[],
  ): Promise<Pick<PositionView, 'unwinds' | 'executed'>> => {
    const isLadderAsked = expand.includes('planned_unwinds') && riskMode === 'committed';
    const areUnwindsAsked = expand.includes('unwinds');
    if (!isLadderAsked && !areUnwindsAsked) return nothingAsked;
    const read = await positions.unwinds(positionKey);
    return { unwinds: areUnwindsAsked ? read : null, executed: isLadderAsked ? read : null };
  };
  return async (listed, { nowMs, expand }) => {
    const ids = [...new Set(listed.map(({ marketId }) => marketId))];
    const observed = new Map(await Promise.all(ids.map(async (id) => [id, await markets.findById(id)] as const)));
    const histories = await Promise.all(listed.map((position) => historyOf(position, expand)));
    return listed.map((position, index) => {
      const { unwinds, executed } = histories[index] ?? nothingAsked;
      return { position, market: observed.get(position.marketId) ?? null, nowMs, unwinds, executed };
    });
  };
}

import type { MarketRecord } from '@core/market';
import type { PolicyConfig } from '@core/policy';
import type { PositionLedgerRow, PositionUnwind } from '@core/position';
import type { ListedPosition, PositionStore } from '@core/store';
import { storedIdOf } from '@core/wire';
import type { UserCaller } from '../auth/authenticate.ts';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import type { MarketDirectory, ObservedMarket } from '../markets/marketDirectory.ts';

export type FindOwnPosition = (caller: UserCaller, wireId: string) => Promise<ListedPosition | null>;

/** Find positions of a token's wallet within its partner; null alike for malformed, unknown and foreign IDs. */
export function ownPositionFinder(positions: Pick<PositionStore, 'findOwn'>, idNamespace: string): FindOwnPosition {
  return async (caller, wireId) => {
    const id = storedIdOf(wireId, idNamespace);
    if (id === null) return null;
    const walletAddress = storedWalletAddressOf(caller.wallet);
    return positions.findOwn({ id, partnerId: caller.partner.id, walletAddress });
  };
}

/** Fields of a market that the presentation of a position needs, with its present snapshot. */
export interface ShownMarket extends Pick<ObservedMarket, 'snapshot'> {
  readonly record: Pick<MarketRecord, 'status' | 'closeTimeMs' | 'payoutNumerators' | 'payoutDenominator'>;
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
  /** Null when not asked for. */
  readonly ledger: readonly PositionLedgerRow[] | null;
  /** True when the amounts behind the live figures were asked for. */
  readonly isBasisAsked: boolean;
  /** Policy by which forced sales are made. */
  readonly policy: PolicyConfig;
}

const nothingAsked = { unwinds: null, executed: null };

export type ObservePositions = (
  positions: readonly ListedPosition[],
  asked: { readonly nowMs: number; readonly expand: readonly string[] },
) => Promise<readonly PositionView[]>;

/** Read what positions show beside their records, and nothing that was not asked for: each market once for all. */
export function positionObserver(sources: {
  readonly positions: Pick<PositionStore, 'unwinds' | 'ledgers'>;
  readonly markets: Pick<MarketDirectory, 'findById'>;
  readonly policy: PolicyConfig;
}): ObservePositions {
  const { positions, markets, policy } = sources;
  const historyOf = async (
    { positionKey, riskMode }: ListedPosition,
    expand: readonly string[],
  ): Promise<Pick<PositionView, 'unwinds' | 'executed'>> => {
    const isLadderAsked = expand.includes('planned_unwinds') && riskMode === 'committed';
    const areUnwindsAsked = expand.includes('unwinds');
    if (!isLadderAsked && !areUnwindsAsked) return nothingAsked;
    const rows = await positions.unwinds(positionKey);
    return { unwinds: areUnwindsAsked ? rows : null, executed: isLadderAsked ? rows : null };
  };
  return async (listed, { nowMs, expand }) => {
    const isBasisAsked = expand.includes('basis');
    const ids = [...new Set(listed.map(({ marketId }) => marketId))];
    const observed = new Map(await Promise.all(ids.map(async (id) => [id, await markets.findById(id)] as const)));
    const ledgers = expand.includes('ledger') ? await ledgersOf(positions, listed) : null;
    const histories = await Promise.all(listed.map((position) => historyOf(position, expand)));
    return listed.map((position, index) => {
      const { unwinds, executed } = histories[index] ?? nothingAsked;
      const market = observed.get(position.marketId) ?? null;
      const ledger = ledgers === null ? null : (ledgers.get(position.positionKey) ?? []);
      return { position, market, nowMs, unwinds, executed, ledger, isBasisAsked, policy };
    });
  };
}

/** Read the ledgers of positions in one query, by key. */
async function ledgersOf(
  positions: Pick<PositionStore, 'ledgers'>,
  listed: readonly ListedPosition[],
): Promise<ReadonlyMap<string, readonly PositionLedgerRow[]>> {
  const rows = await positions.ledgers(listed.map(({ positionKey }) => positionKey));
  return Map.groupBy(rows, ({ positionKey }) => positionKey);
}

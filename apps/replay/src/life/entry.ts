import {
  decideQuote,
  leverageLimitOf,
  type PolicyConfig,
  partnerTermsOf,
  riskPhaseOf,
  type ServiceSnapshot,
  type Side,
  sideModelOf,
  sideOf,
} from '@core/policy';
import {
  add,
  expectedFillOf,
  type LeverageBps,
  type PricePips,
  rateBps,
  raw,
  type TokenUnits,
  type UsdcUnits,
  type UsdPips,
  venueFeeOfFills,
} from '@core/pricing';
import type { ObservedMarket, ObservedRow } from '../market/observedMarket.ts';

export type Phase = 'crypto' | 'pregame' | 'in_play';

/** One side of one row, asked for its maximum leverage. */
export interface Candidate {
  readonly side: Side;
  readonly rowIndex: number;
  readonly phase: Phase;
  /** Null when nothing is quoted. */
  readonly entry: Entry | null;
}

/** A position opened as quoted. */
export interface Entry {
  readonly side: Side;
  readonly rowIndex: number;
  readonly atMs: number;
  readonly phase: Phase;
  readonly leftSeconds: number;
  readonly leverageBps: LeverageBps;
  readonly entryPricePips: PricePips;
  readonly tokenUnits: TokenUnits;
  readonly collateralUsdcUnits: UsdcUnits;
  readonly borrowUsdcUnits: UsdcUnits;
  readonly notionalUsdcUnits: UsdcUnits;
  readonly originationUsdcUnits: UsdcUnits;
  /** What the venue took; what was set aside beyond it went back. */
  readonly venueFeeUsdcUnits: UsdcUnits;
  /** All the user paid. */
  readonly paidUsdcUnits: UsdcUnits;
}

/** A usual tolerance: it bounds the tokens the user may end up with, and with them how viable a liquidation is. */
const slippageBps = rateBps(100n);
const contract = { maxOriginationFeeBps: rateBps(500n) };
/** A service that waits for nothing: what the keeper measures is the scenario's exit time. */
const service: ServiceSnapshot = {
  isQuoteCreationEnabled: true,
  isPartialOpenEnabled: true,
  keeperHeartbeatAgeMs: 0,
  isVenueTakingOrders: true,
  isPriceSignerAnswering: true,
  isExitQuick: true,
  debtWatchAgeMs: 0,
};
const wallet = '0x0000000000000000000000000000000000000001';

export const sides: readonly Side[] = ['yes', 'no'];

/** The phase of a row in which positions may still be opened; null past the latest entry. */
export function entryPhaseOf({ snapshot }: ObservedRow, config: PolicyConfig): Phase | null {
  const phase = riskPhaseOf(snapshot, config);
  if (phase === null || !phase.isEntryAllowed || snapshot.nowMs >= phase.latestEntryAtMs) return null;
  return phase.kind;
}

/** Asks the shipped policy for its maximum leverage at a size and prices a quote at it; null when it refuses. */
export function entryOf(
  observed: ObservedMarket,
  at: { readonly rowIndex: number; readonly side: Side; readonly phase: Phase },
  { notionalUsdPips, config }: { readonly notionalUsdPips: UsdPips; readonly config: PolicyConfig },
): Entry | null {
  const seen = observed.rows[at.rowIndex];
  if (seen === undefined) return null;
  const { snapshot } = seen;
  const terms = partnerTermsOf({}, config);
  const model = sideModelOf(snapshot, at.side, { terms, config });
  if (model === null) return null;
  const limit = leverageLimitOf(model, notionalUsdPips);
  if (raw(limit) < raw(config.model.minSideLeverageBps)) return null;
  const quote = decideQuote({
    kind: 'draft',
    request: {
      walletAddress: wallet,
      side: at.side,
      leverageBps: limit,
      notionalUsdPips,
      slippageBps,
      allowRevision: true,
      allowPartialFill: false,
      minFillBps: null,
      draftEntryPricePips: null,
    },
    snapshot,
    terms,
    usage: null,
    service,
    contract,
    config,
  });
  // A revised size is another position: at this size the side is refused.
  if (quote.kind !== 'priced' || raw(quote.figures.notionalUsdPips) !== raw(notionalUsdPips)) return null;
  const { figures } = quote;
  const { venueFee } = snapshot.facts;
  const asks = sideOf(snapshot, at.side).book?.asks ?? [];
  if (venueFee === null) return null;
  const { notionalUsdcUnits } = figures;
  const { fills } = expectedFillOf({ asks, notionalUsdcUnits, slippageBps, isPartialOpen: false });
  const paidFee = venueFeeOfFills({ fills, schedule: venueFee, rounding: 'up' });
  return {
    side: at.side,
    rowIndex: at.rowIndex,
    atMs: snapshot.nowMs,
    phase: at.phase,
    leftSeconds: Number(model.phase.leftSeconds),
    leverageBps: figures.leverageBps,
    entryPricePips: figures.entryPricePips,
    tokenUnits: figures.positionTokenUnits,
    collateralUsdcUnits: figures.collateralUsdcUnits,
    borrowUsdcUnits: figures.borrowUsdcUnits,
    notionalUsdcUnits,
    originationUsdcUnits: figures.originationFeeUsdcUnits,
    venueFeeUsdcUnits: paidFee,
    paidUsdcUnits: add(figures.collateralUsdcUnits, add(figures.originationFeeUsdcUnits, paidFee)),
  };
}

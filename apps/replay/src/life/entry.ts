import {
  decideQuote,
  leverageLimitOf,
  type PolicyConfig,
  partnerTermsOf,
  riskPhaseOf,
  type ServiceSnapshot,
  sideModelOf,
} from '@core/policy';
import type { Side } from '@core/position';
import {
  constants,
  type LeverageBps,
  type PricePips,
  type QuoteFigures,
  rateBps,
  raw,
  type TokenUnits,
  type UsdcUnits,
  type UsdPips,
} from '@core/pricing';
import type { ObservedMarket, ObservedRow } from '../market/observedMarket.ts';

export type Phase = 'crypto' | 'pregame' | 'in_play';

/** One side of one row with the requested maximum leverage. */
export interface Candidate {
  readonly side: Side;
  readonly rowIndex: number;
  readonly phase: Phase;
  /** Null when nothing is quoted. */
  readonly quote: MaximumQuote | null;
}

/** Quote at the maximum leverage. */
export interface MaximumQuote {
  readonly side: Side;
  readonly rowIndex: number;
  readonly phase: Phase;
  readonly leftSeconds: number;
  readonly figures: QuoteFigures;
}

/** A position opened as quoted. */
export interface Entry {
  readonly side: Side;
  readonly rowIndex: number;
  readonly atMs: number;
  /** Grants that its opening took; 0 by order. */
  readonly grantCount: number;
  readonly phase: Phase;
  readonly leftSeconds: number;
  readonly leverageBps: LeverageBps;
  readonly entryPricePips: PricePips;
  readonly tokenUnits: TokenUnits;
  readonly collateralUsdcUnits: UsdcUnits;
  readonly borrowUsdcUnits: UsdcUnits;
  readonly notionalUsdcUnits: UsdcUnits;
  readonly originationUsdcUnits: UsdcUnits;
  /** Fee paid to the venue; the unused reserve was refunded. */
  readonly venueFeeUsdcUnits: UsdcUnits;
  /** Total payment of the user. */
  readonly paidUsdcUnits: UsdcUnits;
}

/** Tolerance of the client: it bounds the tokens of the user and thereby the viability of a liquidation. */
const { defaultSlippageBps: slippageBps } = constants;
const contract = { maxOriginationFeeBps: rateBps(500n) };
/** A service without delays: the measured delay of the keeper is the exit time of the scenario. */
const service: ServiceSnapshot = {
  isQuoteCreationEnabled: true,
  isPartialOpenEnabled: true,
  keeperHeartbeatAgeMs: 0,
  isVenueTakingOrders: true,
  isPriceSignerAnswering: true,
  isExitQuick: true,
  areGrantsFilled: true,
  debtWatchAgeMs: 0,
};
const wallet = '0x0000000000000000000000000000000000000001';

export const sides: readonly Side[] = ['yes', 'no'];

/** Return the phase of a row in which positions may still be opened; null past the latest entry. */
export function entryPhaseOf({ snapshot }: ObservedRow, config: PolicyConfig): Phase | null {
  const phase = riskPhaseOf(snapshot, config);
  if (phase === null || !phase.isEntryAllowed || snapshot.nowMs >= phase.latestEntryAtMs) return null;
  return phase.kind;
}

/** Return the quote of the shipped policy at its maximum leverage for a size; null when it refuses. */
export function maximumQuoteOf(
  observed: ObservedMarket,
  at: { readonly rowIndex: number; readonly side: Side; readonly phase: Phase },
  { notionalUsdPips, config }: { readonly notionalUsdPips: UsdPips; readonly config: PolicyConfig },
): MaximumQuote | null {
  const row = observed.rows[at.rowIndex];
  if (row === undefined) return null;
  const { snapshot } = row;
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
  // A revised size is another position: this size counts as refused.
  if (quote.kind !== 'priced' || raw(quote.figures.notionalUsdPips) !== raw(notionalUsdPips)) return null;
  const leftSeconds = Number(model.phase.leftSeconds);
  return { ...at, leftSeconds, figures: quote.figures };
}

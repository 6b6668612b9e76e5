import { type MarketSnapshot, type SideSnapshot, sideOf } from '@core/market';
import { type AcceptedSize, clearableNotionalOf, min, reviseSize, type SizeRefusal, type UsdPips } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { type SideModel, sideModelOf } from '../leverage/sideModel.ts';
import { type RiskPhase, riskPhaseOf } from '../market/riskPhase.ts';
import type { PartnerTerms } from '../partner/partnerTerms.ts';
import type { UsageSnapshot } from '../partner/usageSnapshot.ts';
import { partialOpenOf } from './partialOpen.ts';
import type { QuoteKind, QuoteRequest, ServiceSnapshot } from './quoteRequest.ts';
import { sizeMarketOf } from './sizeMarket.ts';

/** Question to `decideQuote`, and everything it may know. */
export interface QuoteInputs {
  readonly kind: QuoteKind;
  readonly request: QuoteRequest;
  readonly snapshot: MarketSnapshot;
  readonly terms: PartnerTerms;
  /** Null for drafts, which reserve nothing. */
  readonly usage: UsageSnapshot | null;
  readonly service: ServiceSnapshot;
  readonly config: PolicyConfig;
}

/** The inputs with what every gate reads from them, each computed once. */
export interface QuoteContext extends QuoteInputs {
  readonly token: SideSnapshot;
  readonly phase: RiskPhase | null;
  /** Null while book, mark, phase or fee schedule are missing: gates before it refuse then. */
  readonly model: SideModel | null;
  /** clear(s) at the requested slippage. */
  readonly clearableNotionalUsdPips: UsdPips;
  /** The ladder's answer. @throws RangeError without a model. */
  readonly sizing: () => AcceptedSize | SizeRefusal;
  /**
   * The ladder's answer to another size on the same market, as read at the same moment.
   * @throws RangeError without a model.
   */
  readonly sizingOf: (change: SizeChange) => AcceptedSize | SizeRefusal;
}

/** Fields of the request that another size may change. */
export type SizeChange = Partial<Pick<QuoteRequest, 'leverageBps' | 'notionalUsdPips' | 'allowRevision'>>;

export function quoteContextOf(inputs: QuoteInputs): QuoteContext {
  const { request, snapshot, terms, config } = inputs;
  const token = sideOf(snapshot, request.side);
  const model = sideModelOf(snapshot, request.side, { terms, config });
  const asks = token.book?.asks ?? [];
  const clearable = clearableNotionalOf({ asks, slippageBps: request.slippageBps });
  // Several gates ask for the size and the ladder walks the book many times: it is found once, and only if asked for.
  let sized: AcceptedSize | SizeRefusal | null = null;
  const sizingOf = (change: SizeChange) => sizeOf({ ...inputs, request: { ...request, ...change } }, model, clearable);
  const sizing = (): AcceptedSize | SizeRefusal => {
    sized ??= sizingOf({});
    return sized;
  };
  const phase = riskPhaseOf(snapshot, config);
  return { ...inputs, token, phase, model, clearableNotionalUsdPips: clearable, sizing, sizingOf };
}

function sizeOf(inputs: QuoteInputs, model: SideModel | null, clearable: UsdPips): AcceptedSize | SizeRefusal {
  if (model === null) throw new RangeError('a size needs a live book and a mark');
  const { request, terms } = inputs;
  const minFillBps = request.allowPartialFill ? partialOpenOf(request, terms).minFillBps : null;
  const market = sizeMarketOf(model, terms);
  if (minFillBps === null) return reviseSize({ ...request, minFillBps }, market);
  // A partial opening is judged at what clears now: the rest may never fill.
  const leverageLimit = (notional: UsdPips) => market.leverageLimitOf(min(notional, clearable));
  return reviseSize({ ...request, minFillBps }, { ...market, leverageLimitOf: leverageLimit });
}

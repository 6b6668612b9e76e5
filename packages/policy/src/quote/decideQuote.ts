import type { Rejection } from '@core/errors';
import { quoteFiguresOf, rateBps } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import { exitSecondsOf } from '../exit/exitTime.ts';
import { type ContractTerms, chargedFeesOf } from '../partner/contractTerms.ts';
import { planUnwinds } from '../unwind/planUnwinds.ts';
import { quoteGates } from './gates.ts';
import { grantedSizeOf } from './limitGates.ts';
import { partialOpenOf } from './partialOpen.ts';
import type { PricedQuote } from './pricedQuote.ts';
import { type QuoteContext, type QuoteInputs, quoteContextOf } from './quoteContext.ts';

/** Inputs of `decideQuote`; the table of numbers is the default one unless overridden. */
export type QuoteDecisionInputs = Omit<QuoteInputs, 'config'> & {
  readonly contract: ContractTerms;
  readonly config?: PolicyConfig;
};

const wholeBps = rateBps(10_000n);

/**
 * Prices a request on an observed market, or refuses it with the first code of `quoteGates` that applies. Pure: the
 * same inputs give the same answer. Drafts skip what reserves something: position limits, capital and capacity.
 * @throws RangeError when a quote comes without usage, or the leverage is off the step.
 */
export function decideQuote(inputs: QuoteDecisionInputs): PricedQuote | Rejection {
  if (inputs.kind === 'quote' && inputs.usage === null) throw new RangeError('a quote needs the usage behind its caps');
  const context = quoteContextOf({ ...inputs, config: inputs.config ?? policyDefaults });
  // Drafts reserve nothing, so the caps that protect a reservation do not apply to them.
  for (const gate of quoteGates) {
    if (gate.needs === 'usage' && inputs.kind === 'draft') continue;
    const rejection = gate.check(context);
    if (rejection !== null) return rejection;
  }
  return pricedQuoteOf(context, inputs.contract);
}

function pricedQuoteOf(context: QuoteContext, contract: ContractTerms): PricedQuote {
  const { request, snapshot, terms, config, model } = context;
  const { venueFee, yesTokenId, noTokenId, tickPricePips } = snapshot.facts;
  const tokenId = request.side === 'yes' ? yesTokenId : noTokenId;
  // The gates before made these impossible: what is missing here is a fault of the gates, not of the request.
  if (model === null || venueFee === null || tokenId === null) throw new Error('a gate let an unusable market pass');
  const granted = grantedSizeOf(context);
  const figures = quoteFiguresOf({
    ...granted,
    asks: model.book.asks,
    slippageBps: request.slippageBps,
    isPartialOpen: request.allowPartialFill,
    tickPricePips,
    exitBufferBps: config.model.exitBufferBps,
    markPricePips: model.markPricePips,
    fees: { ...chargedFeesOf(terms.fees, contract), venue: venueFee },
  });
  return {
    kind: 'priced',
    side: request.side,
    tokenId,
    revision: granted.revision,
    slippageBps: request.slippageBps,
    allowPartialFill: request.allowPartialFill,
    minFillBps: request.allowPartialFill
      ? partialOpenOf({ ...granted, minFillBps: request.minFillBps }, terms).minFillBps
      : wholeBps,
    figures,
    markPricePips: model.markPricePips,
    exitBufferBps: config.model.exitBufferBps,
    riskMode: terms.riskMode,
    exitSeconds: exitSecondsOf(config),
    plannedUnwinds: terms.riskMode === 'committed' ? planUnwinds(model, figures) : [],
  };
}

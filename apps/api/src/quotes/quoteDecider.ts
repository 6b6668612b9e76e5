import type { Rejection } from '@core/errors';
import type { MarketSnapshot } from '@core/market';
import {
  type ContractTerms,
  decideQuote,
  decideUnknownMarket,
  type PricedQuote,
  type QuoteRequest,
  type ServiceSnapshot,
  type UsageSnapshot,
} from '@core/policy';
import type { UserCaller } from '../auth/authenticate.ts';
import type { Wallet } from '../auth/walletAddress.ts';
import type { Call } from '../http/call.ts';
import { type KeeperView, type KeptMarket, keptMarketOf } from '../markets/keeperView.ts';
import type { ObservedMarket } from '../markets/marketDirectory.ts';
import type { VaultView } from '../terms/vaultWatch.ts';

/** A listed market as observed now: without both there is nothing to quote. */
export interface QuotedMarket extends ObservedMarket {
  readonly snapshot: MarketSnapshot;
}

/** Caller, market and request of a quote, with the one reading of the clock. */
export interface QuoteQuestion {
  readonly caller: UserCaller;
  readonly market: QuotedMarket;
  readonly request: QuoteRequest;
  readonly nowMs: number;
}

/** A quote with the usage behind its caps; without usage a draft, which reserves nothing. */
export type QuoteDecision = (usage: UsageSnapshot | null) => PricedQuote | Rejection;

/** The policy's decisions under the rules of this process. */
export interface QuoteDecider {
  /** The decision of a question under the rules of this moment, whatever they become until its last use. */
  decisionOf(question: QuoteQuestion): QuoteDecision;
  /** The refusal of a quote on a ticker that is not listed or not observed yet. */
  refuseUnknown(question: Omit<QuoteQuestion, 'market'>, ticker: string): Rejection;
}

export function quoteDecider(rules: {
  readonly contract: ContractTerms;
  readonly switches: Pick<ServiceSnapshot, 'isQuoteCreationEnabled' | 'isPartialOpenEnabled'>;
  readonly keeper: Pick<KeeperView, 'serviceOf' | 'policyOf'>;
  /** A quote that the vault would not accept is as good as switched off. */
  readonly vault: Pick<VaultView, 'problems'>;
}): QuoteDecider {
  const { contract, switches, keeper, vault } = rules;
  const switchesNow = () => ({
    ...switches,
    isQuoteCreationEnabled: switches.isQuoteCreationEnabled && vault.problems().length === 0,
  });
  const sharedOf = ({ caller, request, nowMs }: Omit<QuoteQuestion, 'market'>, kept: KeptMarket) => ({
    request,
    terms: caller.partner.terms,
    service: { ...switchesNow(), ...keeper.serviceOf(kept, nowMs) },
    contract,
    config: keeper.policyOf(kept),
  });
  return {
    decisionOf: (question) => {
      const { record, snapshot } = question.market;
      const shared = sharedOf(question, keptMarketOf(record, snapshot));
      return (usage) => decideQuote({ ...shared, kind: usage === null ? 'draft' : 'quote', snapshot, usage });
    },
    refuseUnknown: (question, ticker) => {
      const { nowMs } = question;
      return decideUnknownMarket(sharedOf(question, { id: null, ticker, category: 'unsupported' }), { ticker, nowMs });
    },
  };
}

/** The market of a ticker or an ID while it can be quoted; null before the feed knows it. */
export function quotedMarketOf(market: ObservedMarket | null): QuotedMarket | null {
  return market === null || market.snapshot === null ? null : { record: market.record, snapshot: market.snapshot };
}

/** The parsed body in the words of the policy. */
export function quoteRequestOf(body: Call<'createQuote'>['body'], wallet: Wallet): QuoteRequest {
  return {
    walletAddress: wallet.address,
    side: body.effective_side,
    leverageBps: body.leverage_bps,
    notionalUsdPips: body.notional_amount_usd_pips,
    slippageBps: body.slippage_bps,
    allowRevision: body.allow_revision,
    allowPartialFill: body.allow_partial_fill,
    minFillBps: body.min_fill_bps ?? null,
    draftEntryPricePips: null,
  };
}

import { isRejection, reject } from '@core/errors';
import type { Store, UsageStore } from '@core/store';
import { positionSeedOf, randomDraftSeed } from '@core/vault';
import { storedIdOf } from '@core/wire';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import { answer, type Handler, type ReservingHandler } from '../http/call.ts';
import type { MarketDirectory } from '../markets/marketDirectory.ts';
import { type Deployment, positionKeyFor, type QuoteIssuer } from './issueQuote.ts';
import type { QuotePresenter } from './presentQuote.ts';
import { type QuoteDecider, quotedMarketOf, quoteRequestOf } from './quoteDecider.ts';

/** POST /draft-quotes: the same decision without usage, reservation and signature. */
export function createDraftQuote(dependencies: {
  readonly markets: Pick<MarketDirectory, 'find'>;
  readonly decider: QuoteDecider;
  readonly drafts: Pick<Store['drafts'], 'create'>;
  readonly present: QuotePresenter;
}): Handler<'createDraftQuote'> {
  const { markets, decider, drafts, present } = dependencies;
  return async ({ caller, body, query, nowMs }) => {
    const request = quoteRequestOf(body, caller.wallet);
    const market = quotedMarketOf(await markets.find(body.market_ticker));
    if (market === null) return decider.refuseUnknown({ caller, request, nowMs }, body.market_ticker);
    const priced = decider.decisionOf({ caller, market, request, nowMs })(null);
    if (isRejection(priced)) return priced;
    const draft = await drafts.create({
      partnerId: caller.partner.id,
      walletAddress: storedWalletAddressOf(caller.wallet),
      marketId: market.record.id,
      side: request.side,
      seedPrefix: randomDraftSeed(),
      request,
      figures: priced,
      createdAtMs: nowMs,
    });
    return answer(present.draft(draft, { caller, market: market.record, expand: query.expand }));
  };
}

/**
 * POST /promoted-quotes/{draft_quote_id}: the draft's request, decided again on the present market. A draft that is
 * unknown, another's, expired or used up is not found, and the four cannot be distinguished.
 */
export function promoteDraftQuote(dependencies: {
  readonly markets: Pick<MarketDirectory, 'findById'>;
  readonly drafts: Pick<Store['drafts'], 'findOwn' | 'takePromotion'>;
  readonly usage: Pick<UsageStore, 'reservation'>;
  readonly issuer: QuoteIssuer;
  readonly present: QuotePresenter;
  readonly deployment: Deployment;
  readonly idNamespace: string;
}): ReservingHandler<'promoteDraftQuote'> {
  const { markets, drafts, usage, issuer, present, deployment, idNamespace } = dependencies;
  return async ({ caller, params, query, nowMs }, reserving) => {
    const id = storedIdOf(params.draft_quote_id, idNamespace);
    if (id === null) return reject('not_found');
    const end = await reserving.enter();
    if (end !== null) return end;
    const owner = { id, partnerId: caller.partner.id, walletAddress: storedWalletAddressOf(caller.wallet), nowMs };
    const draft = await drafts.findOwn(owner);
    if (draft === null) return reject('not_found');
    const { seedPrefix } = draft;
    // A promotion of this draft may have opened its one position already.
    const positionKey = positionKeyFor(deployment, caller.wallet, positionSeedOf(seedPrefix, 0));
    if ((await usage.reservation(positionKey))?.state === 'used') return reject('not_found');
    const market = quotedMarketOf(await markets.findById(draft.marketId));
    if (market === null) return reject('quote_market_not_ready');
    const promotion = await drafts.takePromotion(owner);
    if (promotion === null) return reject('not_found');
    // It may not cost more than the draft showed by more than its own slippage.
    const request = { ...draft.request, draftEntryPricePips: draft.figures.figures.entryPricePips };
    const subject = { caller, market: market.record, expand: query.expand };
    const positionSeed = positionSeedOf(seedPrefix, promotion);
    const issued = await issuer.issue(
      { caller, market, request, nowMs, positionSeed, draftId: id },
      reserving,
      (quote) => present.quote(quote, subject),
    );
    return issued.kind === 'used' ? reject('not_found') : issued;
  };
}

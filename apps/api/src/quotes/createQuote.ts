import { randomHex } from '@core/runtime';
import { positionSeedOf } from '@core/vault';
import type { ReservingHandler } from '../http/call.ts';
import type { MarketDirectory } from '../markets/marketDirectory.ts';
import type { QuoteIssuer } from './issueQuote.ts';
import type { QuotePresenter } from './presentQuote.ts';
import { type QuoteDecider, quotedMarketOf, quoteRequestOf } from './quoteDecider.ts';

/** POST /quotes: a signed quote with its reservation, or the first refusal of the documented gates. */
export function createQuote(dependencies: {
  readonly markets: Pick<MarketDirectory, 'byTicker' | 'find'>;
  readonly decider: QuoteDecider;
  readonly issuer: QuoteIssuer;
  readonly present: QuotePresenter;
}): ReservingHandler<'createQuote'> {
  const { markets, decider, issuer, present } = dependencies;
  return async ({ caller, body, query, nowMs }, reserving) => {
    const request = quoteRequestOf(body, caller.wallet);
    let market = quotedMarketOf(markets.byTicker(body.market_ticker));
    if (market === null) {
      // Only the database knows whether the market is final or unknown: the call is charged before it is asked.
      const end = await reserving.enter();
      if (end !== null) return end;
      market = quotedMarketOf(await markets.find(body.market_ticker));
      if (market === null) return decider.refuseUnknown({ caller, request, nowMs }, body.market_ticker);
    }
    const subject = { caller, market: market.record, expand: query.expand };
    const positionSeed = positionSeedOf(`0x${randomHex(12)}`, 0);
    const issued = await issuer.issue(
      { caller, market, request, nowMs, positionSeed, draftId: null },
      reserving,
      (quote) => present.quote(quote, subject),
    );
    if (issued.kind === 'used') throw new Error('position seed collision');
    return issued;
  };
}

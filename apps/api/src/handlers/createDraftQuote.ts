import { isRejection } from '@core/errors';
import { decideQuote } from '@core/policy';
import { randomDraftSeed } from '@core/vault';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import { answer, type Handler } from '../http/call.ts';
import { serviceSnapshotOf } from '../observe/serviceSnapshot.ts';
import { presentDraft } from '../present/presentQuote.ts';
import { wireIdOf } from '../present/wireId.ts';
import type { Service } from '../service.ts';
import { refuseUnknownMarket } from './decideUnknown.ts';
import { quoteRequestOf } from './quoteRequest.ts';

/** POST /draft-quotes: the same decision without usage, reservation and signature. */
export function createDraftQuote(service: Service): Handler<'createDraftQuote'> {
  return async ({ caller, body, query, nowMs }) => {
    const { partner, wallet } = caller;
    const request = quoteRequestOf(body, wallet);
    const switches = serviceSnapshotOf(service, nowMs);
    const market = service.markets.byTicker(body.market_ticker);
    if (market === null || market.snapshot === null) {
      const { terms } = partner;
      return refuseUnknownMarket(service, { ticker: body.market_ticker, request, terms, nowMs });
    }
    const { record, snapshot } = market;
    const priced = decideQuote({
      kind: 'draft',
      request,
      snapshot,
      terms: partner.terms,
      usage: null,
      service: switches,
      contract: service.contract,
      config: service.policy,
    });
    if (isRejection(priced)) return priced;
    const draft = await service.store.drafts.create({
      partnerId: partner.id,
      walletAddress: storedWalletAddressOf(wallet),
      marketId: record.id,
      side: request.side,
      seedPrefix: randomDraftSeed(),
      request,
      figures: priced,
      createdAtMs: nowMs,
    });
    const subject = {
      walletAddress: wallet.address,
      marketTicker: record.ticker,
      venueMarketId: record.venueMarketId,
      vault: service.config.contracts.vault,
      withMaxGain: query.expand?.includes('max_gain') === true,
    };
    const id = wireIdOf(draft.id, service.config.idNamespace);
    return answer(presentDraft(priced, subject, { id, createdAtMs: nowMs }));
  };
}

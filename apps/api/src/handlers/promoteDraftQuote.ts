import { reject } from '@core/errors';
import type { QuoteRequest } from '@core/policy';
import type { DraftRecord } from '@core/store';
import { positionSeedOf } from '@core/vault';
import type { Hex } from 'viem';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import { issueQuote, keyOf } from '../effects/issueQuote.ts';
import { answer, type Handler } from '../http/call.ts';
import { storedIdOf } from '../present/wireId.ts';
import type { Service } from '../service.ts';
import { presentIssued } from './presentIssued.ts';

/**
 * POST /promoted-quotes/{draft_quote_id}: the draft's request, decided again on what is true now. A draft that is
 * unknown, another's, expired or used up is not found, and the four cannot be told apart.
 */
export function promoteDraftQuote(service: Service): Handler<'promoteDraftQuote'> {
  return async ({ caller, params, query, nowMs }) => {
    const { store, config } = service;
    const id = storedIdOf(params.draft_quote_id, config.idNamespace);
    if (id === null) return reject('not_found');
    const walletAddress = storedWalletAddressOf(caller.wallet);
    const owner = { id, partnerId: caller.partner.id, walletAddress, nowMs };
    const draft = await store.drafts.findOwn(owner);
    if (draft === null || (await isUsed(service, draft, caller))) return reject('not_found');
    const market = service.markets.byId(draft.marketId);
    if (market === null || market.snapshot === null) return reject('quote_market_not_ready');
    const promotion = await store.drafts.takePromotion(owner);
    if (promotion === null) return reject('not_found');
    const { record, snapshot } = market;
    const issued = await issueQuote(service, {
      caller,
      market: { record, snapshot },
      request: promotedRequestOf(draft),
      positionSeed: positionSeedOf(draft.seedPrefix as Hex, promotion),
      draftId: draft.id,
      nowMs,
    });
    if (issued.kind === 'seed_used') return reject('not_found');
    if (issued.kind === 'rejection') return issued;
    const withMaxGain = query.expand?.includes('max_gain') === true;
    return answer(
      presentIssued(service, issued, { market: record, walletAddress: caller.wallet.address, withMaxGain }),
    );
  };
}

/** The draft's request, which may not cost more than the draft showed by more than its own slippage. */
function promotedRequestOf(draft: DraftRecord): QuoteRequest {
  return { ...draft.request, draftEntryPricePips: draft.figures.figures.entryPricePips };
}

/** True when a promotion of this draft has opened its one position already. */
async function isUsed(
  service: Service,
  draft: DraftRecord,
  caller: Parameters<typeof keyOf>[1]['caller'],
): Promise<boolean> {
  const positionKey = keyOf(service, { caller, positionSeed: positionSeedOf(draft.seedPrefix as Hex, 0) });
  const reservation = await service.store.usage.reservation(positionKey);
  return reservation?.state === 'used';
}

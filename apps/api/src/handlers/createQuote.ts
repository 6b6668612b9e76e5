import { createHash } from 'node:crypto';
import { positionSeedOf, randomDraftSeed } from '@core/vault';
import type { Hex } from 'viem';
import { issueQuote, keyOf, type QuoteOffer, signStored } from '../effects/issueQuote.ts';
import { answer, type Handler } from '../http/call.ts';
import type { BoundKey } from '../http/idempotency.ts';
import type { Service } from '../service.ts';
import { refuseUnknownMarket } from './decideUnknown.ts';
import { presentIssued } from './presentIssued.ts';
import { quoteRequestOf } from './quoteRequest.ts';

/** POST /quotes: a signed quote whose room is reserved, or the first refusal of the documented gates. */
export function createQuote(service: Service): Handler<'createQuote'> {
  return async ({ caller, body, query, nowMs, idempotency }) => {
    const request = quoteRequestOf(body, caller.wallet);
    const market = service.markets.byTicker(body.market_ticker);
    if (market === null || market.snapshot === null) {
      const { terms } = caller.partner;
      return refuseUnknownMarket(service, { ticker: body.market_ticker, request, terms, nowMs });
    }
    const { record, snapshot } = market;
    const offer = { caller, market: { record, snapshot }, request, draftId: null, nowMs };
    const issued = await issueOnce(service, offer, idempotency);
    if (issued.kind === 'rejection') return issued;
    const withMaxGain = query.expand?.includes('max_gain') === true;
    return answer(
      presentIssued(service, issued, { market: record, walletAddress: caller.wallet.address, withMaxGain }),
    );
  };
}

/**
 * A request with an Idempotency-Key always means the same position: its seed follows from the key. If the process died
 * after storing a quote, the repeat signs that quote again, or reserves under the same key once it has expired; it
 * never holds room twice.
 */
async function issueOnce(service: Service, offer: Omit<QuoteOffer, 'positionSeed'>, bound: BoundKey | null) {
  if (bound !== null && offer.caller.wallet.kind === 'evm') {
    const draftSeed = seedOf(bound);
    const positionKey = keyOf(service, { caller: offer.caller, positionSeed: positionSeedOf(draftSeed, 0) });
    const stored = await service.store.quotes.byPositionKey(positionKey);
    const live = stored.find(({ signatureExpirySeconds }) => Number(signatureExpirySeconds) * 1_000 > offer.nowMs);
    if (live !== undefined) return signStored(service, live);
    const issued = await issueQuote(service, { ...offer, positionSeed: positionSeedOf(draftSeed, stored.length) });
    // The key's lifetime is over and its position exists: a new request starts a new position.
    if (issued.kind !== 'seed_used') return issued;
  }
  return issueFresh(service, offer);
}

async function issueFresh(service: Service, offer: Omit<QuoteOffer, 'positionSeed'>) {
  const issued = await issueQuote(service, { ...offer, positionSeed: positionSeedOf(randomDraftSeed(), 0) });
  if (issued.kind === 'seed_used') throw new Error('twelve random bytes were drawn twice');
  return issued;
}

/** Twelve bytes that follow from a caller's key and request, and from nothing else. */
function seedOf({ scope, key, requestHash }: BoundKey): Hex {
  const hash = createHash('sha256').update(`${scope}\n${key}\n${requestHash}`).digest('hex');
  return `0x${hash.slice(0, 24)}`;
}

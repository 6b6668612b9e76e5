import { type OpeningFailureReason, type UnfilledOrder, unfilledReasonOf } from '@core/position';
import { type PricePips, pricePips } from '@core/pricing';
import { vaultConstants } from '@core/vault';
import { type Intent, ofOperation, unfinishedStates } from '../transactions/intents.ts';

/** Opening failures by the code of an attempt without an order: a size, price signer or vault code. */
const reasons: Readonly<Record<string, OpeningFailureReason>> = {
  price_moved: 'price_moved',
  minimum_tokens_unreachable: 'minimum_tokens_unreachable',
  venue_fee_too_small: 'venue_fee_too_small',
  VenueFeeTooSmall: 'venue_fee_too_small',
  UnhealthyAtOpening: 'liquidation_price_too_high',
  book_empty: 'liquidity_insufficient',
  book_one_sided: 'liquidity_insufficient',
  book_too_thin: 'liquidity_insufficient',
  breaker_tripped: 'price_unavailable',
  fee_schedule_missing: 'price_unavailable',
  market_not_tradable: 'market_closed',
  trading_window_over: 'market_closed',
  market_resolved: 'market_resolved',
  LiquidityExceeded: 'pool_limit_reached',
  OutcomeCapExceeded: 'pool_limit_reached',
  OpeningIsPaused: 'opening_paused',
  signer_gone: 'transaction_not_mined',
};

const pipsPerUsd = 10_000n;

/** Age from which the vault refuses an attestation: a transaction that a block has later reverts for that alone. */
const attestationAgeMs = vaultConstants.attestationAgeSeconds * 1_000;

/**
 * Return true for an authorisation that was sent and came into no block in time: it still waits, its nonce went to
 * another transaction, or it reverted in a block after its attestation had become too old.
 */
function isMinedTooLate({ state, createdAtMs, updatedAtMs }: Intent): boolean {
  if (state === 'reverted') return updatedAtMs - createdAtMs >= attestationAgeMs;
  return state === 'replaced' || unfinishedStates.includes(state);
}

/**
 * Return the reason why an opening without a fill failed, from its attempts. A failed match is a ghost fill; otherwise
 * the last attempt decides: a refusal of the venue, an order without a counterparty, or the code for which no order was
 * made. An attempt whose transaction was not mined in time names that.
 * Without an attempt there was no price.
 */
export function failureReasonOf(
  intents: readonly Intent[],
  opening: Omit<UnfilledOrder, 'orderPricePips'>,
): OpeningFailureReason {
  const posts = ofOperation(intents, 'post_open');
  if (posts.some(({ outcome }) => outcome?.trades.some(({ status }) => status === 'FAILED') === true)) {
    return 'ghost_fill';
  }
  const attempt = ofOperation(intents, 'authorize_open').at(-1);
  if (attempt === undefined) return 'price_unavailable';
  if (attempt.state !== 'included' && attempt.state !== 'final') {
    const reason = isMinedTooLate(attempt) ? 'transaction_not_mined' : reasons[attempt.outcome?.revert ?? ''];
    return reason ?? 'order_not_allowed';
  }
  const post = posts.at(-1);
  const refusal = post?.outcome?.refusal ?? null;
  if (refusal !== null && refusal !== 'order_not_filled') return 'venue_rejected';
  return post === undefined || refusal === null
    ? 'order_not_filled'
    : unfilledReasonOf({ ...opening, orderPricePips: priceOf(post.plan.order) });
}

/** Price of a purchase, rounded down. */
function priceOf({ makerAmount, takerAmount }: Intent<'post_open'>['plan']['order']): PricePips {
  return pricePips((makerAmount * pipsPerUsd) / takerAmount);
}

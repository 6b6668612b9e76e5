import type { AttestationRefusalReason, OpeningFailureReason } from '@core/policy';
import type { IntentRecord } from '@core/store';
import { orderOutcomeOf } from '../effects/venueOrders.ts';

/** Refusals that pass by themselves: the signer's feed is filling or catching up. */
const passing: readonly AttestationRefusalReason[] = [
  'book_missing',
  'book_stale',
  'twap_unavailable',
  'twap_stale',
  'unconfirmed',
];

/** The signer's own words for a market it has not read yet. */
const passingCodes: ReadonlySet<string> = new Set([...passing, 'market_unknown', 'unavailable']);

export function isPassingRefusal(code: string): boolean {
  return passingCodes.has(code);
}

/**
 * What `failure.reason` says of an opening that was given up: the policy's word, made precise by what became of the last
 * attempt. A match that failed is a ghost fill; a refusal before an order existed means that the price had moved. An order
 * that existed and never reached the venue was not filled.
 */
export function failureReasonOf(
  decided: OpeningFailureReason | null,
  intents: readonly IntentRecord[],
): OpeningFailureReason | null {
  if (decided !== 'order_not_filled') {
    return decided;
  }
  const posts = intents.filter(({ operation }) => operation === 'post_open');
  const outcomes = posts.map(orderOutcomeOf);
  if (outcomes.some((outcome) => outcome?.trades.some(({ status }) => status === 'FAILED') === true)) {
    return 'ghost_fill';
  }
  const last = outcomes.at(-1);
  if (last === undefined) {
    return intents.some(isAuthorised) ? 'order_not_filled' : 'price_moved';
  }
  const refusal = last?.refusal ?? null;
  return refusal === null || refusal === 'order_not_filled' ? 'order_not_filled' : 'venue_rejected';
}

function isAuthorised({ operation, state }: IntentRecord): boolean {
  return operation === 'authorize_open' && (state === 'included' || state === 'final');
}

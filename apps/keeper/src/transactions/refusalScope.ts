import { isVenueFault, type VenueFault } from '@core/venue';

/**
 * Subject that a refusal of an order concerns. `venue`: the venue or our account as a whole. `openings`: every purchase
 * of our account, and no sale. `unexplained`: the order, as far as is known; several in a row concern the venue.
 * `order`: certainly this order. `moment`: nothing but the time at which it was sent.
 */
export type RefusalScope = 'venue' | 'openings' | 'unexplained' | 'order' | 'moment';

/**
 * Codes that say that the venue takes no order of ours in the form, of the maker or for the exchange in which all are
 * made. A market of another exchange costs one pause: the acceptance of the next order proves the refusal its own.
 */
const ownFaults: ReadonlySet<VenueFault['code']> = new Set([
  'maker_refused',
  'order_signature_invalid',
  'order_version_mismatch',
  'order_amounts_invalid',
]);

/** Codes of a refusal of everything that we send. */
const venueWide: ReadonlySet<VenueFault['code']> = new Set([
  'credentials_refused',
  'account_restricted',
  'venue_restarting',
  'venue_paused',
  ...ownFaults,
]);

/** Codes without an explanation, or of a form that the venue rejects: the fault of one order, or of all. */
const unexplained: ReadonlySet<VenueFault['code']> = new Set([
  'venue_fault_unknown',
  'request_invalid',
  'not_found',
  'order_invalid',
]);

/** Return true for a refusal that waiting does not end: makers, keys or programs have to change. */
export const isOwnFault = ({ code }: Pick<VenueFault, 'code'>): boolean => ownFaults.has(code);

/** Return the scope of a failed POST of an order. */
export function refusalScopeOf(error: unknown): RefusalScope {
  if (!isVenueFault(error)) return 'moment';
  // A throttle with a time applies to every client of our address.
  if (venueWide.has(error.code) || (error.code === 'venue_throttled' && (error.retryAfterMs ?? 0) > 0)) return 'venue';
  if (error.code === 'openings_refused') return 'openings';
  if (unexplained.has(error.code)) return 'unexplained';
  return error.kind === 'terminal' ? 'order' : 'moment';
}

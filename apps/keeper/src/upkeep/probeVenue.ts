import { locks, type Task } from '../runner/task.ts';
import type { VenueBreaker } from '../transactions/venueBreaker.ts';

/** Asks a venue that refused us whether it still does; nothing is asked of one that does not. */
export function probeVenueTask({ breaker }: { readonly breaker: Pick<VenueBreaker, 'probe'> }): Task {
  return { name: 'probeVenue', lock: locks.signer, intervalMs: 1_000, run: () => breaker.probe() };
}

import type { UsageStore } from '../src/quote/createUsage.ts';

/** Release every reservation whose grace has passed. Return the position keys of those that this call released. */
export async function releaseDue(
  usage: Pick<UsageStore, 'dueReservations' | 'releaseReservation'>,
  nowMs: number,
): Promise<readonly string[]> {
  const released: string[] = [];
  for (const positionKey of await usage.dueReservations({ nowMs, except: [], limit: 1_000 })) {
    if (await usage.releaseReservation(positionKey, nowMs)) released.push(positionKey);
  }
  return released;
}

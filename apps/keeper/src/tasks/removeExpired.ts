import type { KeeperPorts } from '../ports.ts';

/** Customer events are replayable for this long. */
const outboxLifetimeMs = 7 * 24 * 60 * 60 * 1_000;
/** Headers kept below the finalised block: more than any reorganisation that is undone. */
const keptBlocks = 1_000n;

/** Forgets what has run out: drafts, idempotency keys, rate windows, old events, old headers. */
export async function removeExpired(ports: KeeperPorts): Promise<void> {
  const { store, clock, chainKey } = ports;
  const nowMs = clock.nowMs();
  await store.drafts.removeExpired(nowMs);
  await store.idempotency.removeExpired(nowMs);
  await store.limits.removeExpired(Date.now());
  await store.outbox.removeOlderThan(nowMs - outboxLifetimeMs);
  const cursor = await store.chain.cursor(chainKey);
  if (cursor !== null && cursor.finalizedNumber > keptBlocks) {
    await store.chain.pruneBlocks(chainKey, cursor.finalizedNumber - keptBlocks);
  }
}

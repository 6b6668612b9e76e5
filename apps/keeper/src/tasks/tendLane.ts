import type { IntentRecord, Lease } from '@core/store';
import type { Hex } from 'viem';
import type { KeeperPorts } from '../ports.ts';

/**
 * Looks after transactions nobody waits for: drives what a crash left, fills gaps of nonces, and follows included
 * ones until no reorganisation can take them out again.
 */
export async function tendLane(ports: KeeperPorts, lease: Lease): Promise<void> {
  await ports.lane.resume(lease);
  const included = await ports.store.intents.inStates(['included']);
  if (included.length === 0) {
    return;
  }
  const head = await ports.client.getBlockNumber();
  const finalizedNumber = head - ports.finalityDepth;
  for (const intent of included) {
    await follow(ports, intent, finalizedNumber);
  }
}

async function follow(ports: KeeperPorts, intent: IntentRecord, finalizedNumber: bigint): Promise<void> {
  const { store, client, clock } = ports;
  const receipt = await client.getTransactionReceipt({ hash: intent.transactionHash as Hex }).catch(() => null);
  const change = { id: intent.id, from: ['included'], nowMs: clock.nowMs() } as const;
  if (receipt === null) {
    // Gone with its block: the same bytes are sent again, on the same nonce.
    await store.intents.change({ ...change, to: 'reorged' });
  } else if (receipt.blockNumber <= finalizedNumber) {
    await store.intents.change({ ...change, to: 'final', blockNumber: receipt.blockNumber });
  }
}

import { Role, vaultAbi } from '@core/vault';
import type { Address, PublicClient } from 'viem';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';
import type { PriceSigners } from './priceSigners.ts';

/**
 * Asks every second which price signers can attest, and the vault how many signatures it wants now and whose it takes:
 * a threshold that the owner moves, an alarm and its end, and a key that the guardian removes are known by the next
 * order. One batch for all of it; no order reads any of it again.
 */
export function probePriceSignersTask(options: {
  readonly signers: PriceSigners;
  readonly client: PublicClient;
  readonly vault: Address;
  readonly metrics: Pick<KeeperMetrics, 'priceSignerAnswering' | 'requiredSignatures'>;
}): Task {
  const { signers, client, vault, metrics } = options;
  const at = { address: vault, abi: vaultAbi } as const;
  return {
    name: 'probePriceSigners',
    lock: locks.signer,
    intervalMs: 1_000,
    async run() {
      await Promise.all(
        signers.all.map(async (signer) => {
          const address = await signer.source.readyAddress();
          signer.isAnswering = address !== null;
          if (address !== signer.address && address !== null) Object.assign(signer, { address, isAppointed: false });
          metrics.priceSignerAnswering.set({ signer: signer.name }, signer.isAnswering ? 1 : 0);
        }),
      );
      const [required] = await Promise.all([
        client.readContract({ ...at, functionName: 'requiredSignatures' }),
        ...signers.all.map(async (signer) => {
          if (signer.address === null) return;
          const args = [Role.PriceSigner, signer.address] as const;
          signer.isAppointed = await client.readContract({ ...at, functionName: 'hasRole', args });
        }),
      ]);
      signers.requiredCount = Number(required);
      metrics.requiredSignatures.set(signers.requiredCount);
    },
  };
}

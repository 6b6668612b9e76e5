import { Role, vaultAbi } from '@core/vault';
import type { Logger } from 'pino';
import type { Address, PublicClient } from 'viem';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';
import type { PriceSigner, PriceSigners } from './priceSigners.ts';

/** Time limit of a signer's readiness. */
const answerMs = 1_500;
/** Every request to a signer has ended by then. */
const deadlineMs = 10_000;
/** Interval between readings of the vault. */
const appointmentsMs = 15_000;
/** Pauses by which a failed signer is probed again in the next round. */
const pauses = { firstMs: 500, longestMs: 500 };

const nameOf = ({ name }: PriceSigner): string => name;

/** Role of a keeper's own account. */
export interface OwnRole {
  readonly keeper: Address;
  /** True until the vault shows otherwise: the keeper had it at its start. */
  isHeld: boolean;
}

/**
 * Probe the price signers every second. The required number of signatures and the appointments, also the keeper's own,
 * are read from the vault every fifteen seconds, and at once while a signer has none. Until then the vault itself
 * refuses orders that a changed threshold, an alarm or a removed key forbids. All reads are one batch; no order repeats
 * them.
 */
export function probePriceSignersTask(options: {
  readonly signers: PriceSigners;
  readonly client: PublicClient;
  readonly vault: Address;
  readonly role: OwnRole;
  readonly logger: Logger;
  readonly metrics: Pick<
    KeeperMetrics,
    'priceSignerAnswering' | 'requiredSignatures' | 'hasRole' | 'itemFailures' | 'failingItems'
  >;
}): Task {
  const { signers, client, vault, role, logger, metrics } = options;
  const at = { address: vault, abi: vaultAbi } as const;
  const isolation = { pauses, atOnce: signers.all.length, slotMs: answerMs, deadlineMs, logger, metrics };
  const probing = new IsolatedItems({ name: 'probePriceSigners', ...isolation });
  const appointing = new IsolatedItems({ name: 'readPriceSigners', ...isolation });
  const show = (signer: PriceSigner, isAnswering: boolean): void => {
    signer.isAnswering = isAnswering;
    metrics.priceSignerAnswering.set({ signer: signer.name }, isAnswering ? 1 : 0);
  };
  const probe = async (signer: PriceSigner): Promise<boolean> => {
    // A signer without an answer by then counts as away, even if the probe ends later.
    const silence = setTimeout(() => show(signer, false), answerMs);
    try {
      const address = await signer.source.readyAddress();
      if (address !== signer.address && address !== null) Object.assign(signer, { address, isAppointed: false });
      show(signer, address !== null);
    } catch (error) {
      show(signer, false);
      throw error;
    } finally {
      clearTimeout(silence);
    }
    return true;
  };
  const readAppointment = async (signer: PriceSigner): Promise<boolean> => {
    if (signer.address === null) return true;
    const args = [Role.PriceSigner, signer.address] as const;
    signer.isAppointed = await client.readContract({ ...at, functionName: 'hasRole', args });
    return true;
  };
  let readAtMs = Number.NEGATIVE_INFINITY;
  const isReadDue = (): boolean =>
    performance.now() - readAtMs >= appointmentsMs ||
    signers.requiredCount === null ||
    signers.all.some(({ address, isAppointed }) => address !== null && !isAppointed);
  return {
    name: 'probePriceSigners',
    lock: locks.signer,
    intervalMs: 1_000,
    async run() {
      await probing.serve(signers.all, nameOf, probe);
      if (!isReadDue()) return;
      const [required, isHeld] = await Promise.all([
        client.readContract({ ...at, functionName: 'requiredSignatures' }),
        client.readContract({ ...at, functionName: 'hasRole', args: [Role.Keeper, role.keeper] }),
        appointing.serve(signers.all, nameOf, readAppointment),
      ]);
      if (isHeld !== role.isHeld) logger.error({ keeper: role.keeper, isHeld }, 'role of this keeper in the vault');
      role.isHeld = isHeld;
      metrics.hasRole.set(isHeld ? 1 : 0);
      signers.requiredCount = Number(required);
      metrics.requiredSignatures.set(signers.requiredCount);
      readAtMs = performance.now();
    },
  };
}

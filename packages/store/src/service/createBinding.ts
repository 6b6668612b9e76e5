import { FriendlyError } from '@core/runtime';
import { requireMigrated } from '../database/requireMigrated.ts';
import { requireSession } from '../database/requireSession.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';

/** The one vault on one chain that a database describes. */
export interface ServiceBinding {
  readonly chainId: number;
  readonly vaultAddress: string;
}

/** Key of the one row. */
const id = 1;

export function createBinding(prisma: PrismaClient, databaseUrl: string) {
  const current = async (): Promise<ServiceBinding | null> => {
    const row = await prisma.serviceBinding.findUnique({ where: { id } });
    return row && { chainId: Number(row.chainId), vaultAddress: row.vaultAddress };
  };
  return {
    /** Return the binding of the database; null before its first start. */
    current,
    /**
     * Bind a database that is not bound yet, for good.
     * @throws FriendlyError when its sessions are not as the service needs them, when it lacks migrations, or when it
     * describes another vault.
     */
    async bind({ chainId, vaultAddress, nowMs }: ServiceBinding & { readonly nowMs: number }): Promise<void> {
      await requireSession(databaseUrl);
      await requireMigrated(databaseUrl);
      const row = { chainId, vaultAddress: vaultAddress.toLowerCase(), boundAt: new Date(nowMs) };
      // The first of several processes writes the row; the others compare theirs with it.
      await prisma.serviceBinding.createMany({ data: { id, ...row }, skipDuplicates: true });
      const bound = await current();
      if (bound?.chainId === chainId && bound.vaultAddress === row.vaultAddress) return;
      throw new FriendlyError(
        `The database belongs to the vault ${bound?.vaultAddress} on chain ${bound?.chainId}, not to ${vaultAddress} ` +
          `on chain ${chainId}: correct VAULT_ADDRESS and CHAIN_ID, or set DATABASE_URL to a database of its own.`,
      );
    },
  };
}

export type BindingStore = ReturnType<typeof createBinding>;

import type { NetworkManager } from 'hardhat/types/network';
import { contractsRoot } from './contractsRoot.ts';
import { localAccounts } from './localAccounts.ts';

export const localChainId = 31_337;

/** Native currency of each account, 10,000 coins. */
const accountWei = 10_000n * 10n ** 18n;

/** Settings of an EVM in this process. */
export interface LocalEvm {
  readonly chainId: number;
  /** Time of the first block; the real time when absent. */
  readonly initialDate?: Date | undefined;
  readonly mining: {
    /** True mines each transaction at once; otherwise it waits for the next block. */
    readonly isInstant: boolean;
    /** Pause between regular blocks; 0 makes none. */
    readonly intervalMs: number;
  };
}

/** Describe an EVM with the accounts of the public mnemonic. The network `local` of the result creates it. */
export async function openNetwork({ chainId, initialDate, mining }: LocalEvm): Promise<NetworkManager> {
  // Hardhat is a development dependency: a stack that is started for use does without.
  const { createHardhatRuntimeEnvironment } = await import('hardhat/hre');
  const { network } = await createHardhatRuntimeEnvironment(
    {
      networks: {
        local: {
          type: 'edr-simulated',
          chainId,
          accounts: localAccounts().map(({ privateKey }) => ({ privateKey, balance: accountWei })),
          mining: { auto: mining.isInstant, interval: mining.intervalMs },
          // Otherwise every transaction would push the chain's clock a second ahead of every other clock.
          allowBlocksWithSameTimestamp: true,
          ...(initialDate === undefined ? {} : { initialDate }),
        },
      },
    },
    {},
    contractsRoot,
  );
  return network;
}

import { Fault } from '@core/errors';
import type { ContractTerms } from '@core/policy';
import { rateBps } from '@core/pricing';
import { vaultAbi } from '@core/vault';
import type { Address, PublicClient } from 'viem';

/**
 * What the vault allows in a quote: constants of the contract, so one reading lasts as long as the process.
 * @throws Fault when the chain does not answer, is another one, or has no such vault.
 */
export async function readContractTerms(deployment: {
  readonly client: PublicClient;
  readonly chainId: number;
  readonly vault: Address;
}): Promise<ContractTerms> {
  const { client, chainId, vault } = deployment;
  let seen: readonly [number, bigint];
  try {
    seen = await Promise.all([
      client.getChainId(),
      client.readContract({ address: vault, abi: vaultAbi, functionName: 'maxOriginationFeeBps' }),
    ]);
  } catch (cause) {
    throw new Fault({ origin: 'chain', kind: 'retryable', message: "the vault's terms cannot be read", cause });
  }
  const [seenChainId, maxOriginationFeeBps] = seen;
  if (seenChainId !== chainId) {
    const message = `the chain is ${seenChainId}, not ${chainId}`;
    throw new Fault({ origin: 'configuration', kind: 'terminal', message });
  }
  return { maxOriginationFeeBps: rateBps(maxOriginationFeeBps) };
}

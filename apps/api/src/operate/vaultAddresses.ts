import { vaultAbi } from '@core/vault';
import type { Operated, Operations } from './command.ts';

/** Return the contracts of the vault under the names of the settings; as text, one line per setting. */
export async function vaultAddresses({ vault }: Operations): Promise<Operated> {
  const { client, vault: address } = await vault();
  const at = { address, abi: vaultAbi } as const;
  const value = {
    VAULT_ADDRESS: address,
    POOL_ADDRESS: await client.readContract({ ...at, functionName: 'pool' }),
    USDC_ADDRESS: await client.readContract({ ...at, functionName: 'usdc' }),
    EXCHANGE_ADDRESS: await client.readContract({ ...at, functionName: 'exchange' }),
    CONDITIONAL_TOKENS_ADDRESS: await client.readContract({ ...at, functionName: 'conditionalTokens' }),
  };
  const lines = Object.entries(value).map(([name, text]) => `${name}=${text}`);
  return { value, text: lines.join('\n') };
}

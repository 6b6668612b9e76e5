import { FriendlyError } from '@core/runtime';
import { liquidityPoolAbi, type Role, vaultAbi } from '@core/vault';
import { type Address, ContractFunctionExecutionError, type Hex, type PublicClient } from 'viem';
import type { OperatedVault } from './sendCall.ts';

/** Check that there is a vault at the address. @throws FriendlyError otherwise. */
export async function requireVault(client: PublicClient, vault: Address): Promise<void> {
  const code = await client.getCode({ address: vault });
  if (code === undefined) throw new FriendlyError(`no contract at ${vault}: correct VAULT_ADDRESS`);
  await client.readContract({ address: vault, abi: vaultAbi, functionName: 'pool' }).catch((cause: unknown) => {
    if (!(cause instanceof ContractFunctionExecutionError)) throw cause;
    throw new FriendlyError(`the contract at ${vault} is no vault: correct VAULT_ADDRESS`, { cause });
  });
}

/** Read the number of price signers and the signatures that an order needs. */
export async function signersOf({ client, vault }: OperatedVault) {
  const at = { address: vault, abi: vaultAbi } as const;
  const [threshold, count, required, alarmEndsAt] = await Promise.all([
    client.readContract({ ...at, functionName: 'priceThreshold' }),
    client.readContract({ ...at, functionName: 'priceSignerCount' }),
    client.readContract({ ...at, functionName: 'requiredSignatures' }),
    client.readContract({ ...at, functionName: 'alarmEndsAt' }),
  ]);
  return {
    price_threshold: Number(threshold),
    price_signer_count: Number(count),
    required_signatures: Number(required),
    alarm_ends_at: alarmEndsAt === 0n ? null : new Date(Number(alarmEndsAt) * 1_000).toISOString(),
  };
}

/** Read the debt of a position and the part of it that the pool has impaired. */
export async function loanOf({ client, vault }: OperatedVault, positionKey: Hex) {
  const args = [positionKey] as const;
  const [pool, debt] = await Promise.all([
    client.readContract({ address: vault, abi: vaultAbi, functionName: 'pool' }),
    client.readContract({ address: vault, abi: vaultAbi, functionName: 'debtOf', args }),
  ]);
  const abi = liquidityPoolAbi;
  const impaired = await client.readContract({ address: pool, abi, functionName: 'impairedOf', args });
  const [principal, lifetimeFee] = debt;
  return {
    principal_usdc_units: String(principal),
    lifetime_fee_usdc_units: String(lifetimeFee),
    impaired_usdc_units: String(impaired),
  };
}

/** Read the one key whose quotes the vault accepts. */
export const quoteSignerOf = ({ client, vault }: OperatedVault): Promise<Address> =>
  client.readContract({ address: vault, abi: vaultAbi, functionName: 'quoteSigner' });

/** Read whether an address has a role. */
export const hasRole = ({ client, vault }: OperatedVault, role: Role, account: Address): Promise<boolean> =>
  client.readContract({ address: vault, abi: vaultAbi, functionName: 'hasRole', args: [role, account] });

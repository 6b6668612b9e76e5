import { FriendlyError } from '@core/runtime';
import { errorNameOf, liquidityPoolAbi, vaultAbi } from '@core/vault';
import { type Address, BaseError, type Hex, isHex, type PublicClient, type WalletClient } from 'viem';
import { positionKeyIn, vaultCallOf } from './vaultCalls.ts';

/** The vault, and the key that speaks to it where one is given. */
export interface OperatedVault {
  readonly client: PublicClient;
  readonly vault: Address;
  /** Signs with the role's key; null where a wallet of its own sends what is printed. */
  readonly wallet: WalletClient | null;
}

/**
 * `operate vault …`: how many signatures an order needs, what a position owes, and the calls of guardian and owner that
 * change either. With a key the call is sent and waited for; without one it is printed, for the timelock or wallet
 * whose role it is.
 *
 * @throws FriendlyError for words that are no operation, and with the vault's own error when it refuses.
 */
export async function operateVault(verb: string, words: readonly string[], open: () => Promise<OperatedVault>) {
  if (verb === 'signers' && words.length === 0) return signersOf(await open());
  if (verb === 'loan') return loanOf(await open(), positionKeyIn(words));
  const call = vaultCallOf(verb, words);
  if (call === null) return null;
  const { client, vault, wallet } = await open();
  const account = wallet?.account;
  if (wallet === null || account === undefined) return { by: call.by, to: vault, data: call.data };
  const transaction = { account, to: vault, data: call.data, chain: null };
  await client.call(transaction).catch((error: unknown) => {
    throw refusalOf(error, call.by);
  });
  const hash = await wallet.sendTransaction(transaction);
  const { status } = await client.waitForTransactionReceipt({ hash });
  return { by: account.address, to: vault, transaction: hash, status };
}

async function signersOf({ client, vault }: OperatedVault) {
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

/** What a position owes the pool, and how much of it the pool's price of leaving does not count. */
async function loanOf({ client, vault }: OperatedVault, positionKey: Hex) {
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

/** The vault's refusal by its name; any other failure as it is. */
function refusalOf(error: unknown, by: string): unknown {
  const data = revertDataOf(error);
  if (data === null) return error;
  return new FriendlyError(`the vault refuses: ${errorNameOf(data) ?? data} (this is for ${by} to call)`);
}

function revertDataOf(error: unknown): Hex | null {
  if (!(error instanceof BaseError)) return null;
  const cause = error.walk((each) => each instanceof Error && 'data' in each && isHex(each.data));
  return cause !== null && 'data' in cause && isHex(cause.data) ? cause.data : null;
}

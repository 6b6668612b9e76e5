import { FriendlyError } from '@core/runtime';
import { errorNameOf, liquidityPoolAbi, vaultAbi } from '@core/vault';
import { type Address, BaseError, type Hex, isHex, type PublicClient, type WalletClient } from 'viem';
import { positionKeyIn, vaultCallOf } from './vaultCalls.ts';

/** Vault with an optional key that signs its transactions. */
export interface OperatedVault {
  readonly client: PublicClient;
  readonly vault: Address;
  /** Wallet with the key of a role; null prints the calls for another wallet instead. */
  readonly wallet: WalletClient | null;
}

/** Call of a contract, with the role that may send it. */
export interface OperatedCall {
  readonly by: string;
  readonly to: Address;
  readonly data: Hex;
}

/**
 * Run a verb of `operate vault`: read the signature threshold or the debt of a position, or send a call of guardian or
 * owner.
 * @throws FriendlyError for an unknown verb, and with the vault's error when it reverts.
 */
export async function operateVault(
  verb: string,
  words: readonly string[],
  open: () => Promise<OperatedVault>,
): Promise<object> {
  if (verb === 'signers') return signersOf(await open());
  if (verb === 'loan') return loanOf(await open(), positionKeyIn(words));
  const call = vaultCallOf(verb, words);
  const context = await open();
  return sendCall(context, { ...call, to: context.vault });
}

/**
 * Simulate a call, send it with the key and await its block. Without a key the call is returned for
 * the timelock or wallet with the role.
 * @throws FriendlyError with the contract's error when it reverts.
 */
export async function sendCall({ client, wallet }: OperatedVault, call: OperatedCall): Promise<object> {
  const { by, to, data } = call;
  const account = wallet?.account;
  if (wallet === null || account === undefined) return { by, to, data };
  const transaction = { account, to, data, chain: null };
  await client.call(transaction).catch((error: unknown) => {
    throw refusalOf(error, by);
  });
  const hash = await wallet.sendTransaction(transaction);
  const { status } = await client.waitForTransactionReceipt({ hash });
  return { by: account.address, to, transaction: hash, status };
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

/** Read the debt of a position and the part of it that the pool has impaired. */
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

/** Return the named revert of a contract as FriendlyError; any other error unchanged. */
function refusalOf(error: unknown, by: string): unknown {
  const data = revertDataOf(error);
  if (data === null) return error;
  return new FriendlyError(`the contract reverted: ${errorNameOf(data) ?? data} (a call of ${by})`);
}

function revertDataOf(error: unknown): Hex | null {
  if (!(error instanceof BaseError)) return null;
  const cause = error.walk((each) => each instanceof Error && 'data' in each && isHex(each.data));
  return cause !== null && 'data' in cause && isHex(cause.data) ? cause.data : null;
}

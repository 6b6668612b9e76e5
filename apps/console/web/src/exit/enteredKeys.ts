import { PositionState, vaultAbi } from '@core/vault';
import { parseEventLogs, TransactionReceiptNotFoundError } from 'viem';
import { chainReaderOf } from '../chain/chain.ts';
import { isBytes32 } from '../chain/rememberedKeys.ts';
import type { Hex } from '../chain/wallet.ts';
import type { ExitSource } from './readHoldings.ts';

/**
 * Find the positions that an owner names by a position key or by the hash of the transaction that created them.
 *
 * @throws Error that says what is wrong with the text, or that the node does not answer.
 */
export async function readEnteredKeys(source: ExitSource, owner: Hex, text: string): Promise<readonly Hex[]> {
  const entry = text.trim();
  if (!isBytes32(entry)) throw new Error('Enter 0x and 64 hexadecimal digits.');
  const reader = chainReaderOf(source.rpcUrl);
  const call = { address: source.vault, abi: vaultAbi, functionName: 'positionOf', args: [entry] } as const;
  const { user, state } = await reader.readContract(call);
  if (state !== PositionState.None) return ownedKeys([{ key: entry, user }], owner);
  const receipt = await reader.getTransactionReceipt({ hash: entry }).catch((cause: unknown) => {
    if (cause instanceof TransactionReceiptNotFoundError) return null;
    throw cause;
  });
  if (receipt === null) throw new Error('The vault has no position with this key, and the node no such transaction.');
  if (receipt.status !== 'success') throw new Error('This transaction failed: it created no position.');
  const logs = receipt.logs.filter(({ address }) => address.toLowerCase() === source.vault.toLowerCase());
  const created = parseEventLogs({ abi: vaultAbi, eventName: 'PositionCreated', logs });
  if (created.length === 0) throw new Error('This transaction created no position at this vault.');
  return ownedKeys(
    created.map(({ args }) => ({ key: args.positionKey, user: args.user })),
    owner,
  );
}

/** Return the keys of an owner's positions. @throws when they belong to other addresses only. */
function ownedKeys(positions: readonly { readonly key: Hex; readonly user: Hex }[], owner: Hex): readonly Hex[] {
  const own = positions.filter(({ user }) => user.toLowerCase() === owner.toLowerCase());
  if (own.length > 0) return own.map(({ key }) => key);
  throw new Error(`This position belongs to ${positions[0]?.user}: choose that account in your wallet.`);
}

import { FriendlyError } from '@core/runtime';
import { vaultAbi } from '@core/vault';
import { isAddressEqual } from 'viem';
import { loanOf, signersOf } from './readVault.ts';
import { type OperatedVault, sendCall } from './sendCall.ts';
import { executeCall, ownerOf, scheduleCall } from './timelock.ts';
import { positionKeyIn, type VaultCall, vaultCallOf } from './vaultCalls.ts';

/**
 * Run a verb of `operate vault`: read the signature threshold or the debt of a position, or send a call of guardian or
 * owner, schedule it in the timelock or execute it there. A call is followed by what is true on the chain, as `now`.
 * @throws FriendlyError for an unknown verb, a call that changes nothing, a key that may not, and with the vault's
 * error when it reverts.
 */
export async function operateVault(
  verb: string,
  words: readonly string[],
  open: () => Promise<OperatedVault>,
): Promise<object> {
  if (verb === 'signers') return signersOf(await open());
  if (verb === 'loan') return loanOf(await open(), positionKeyIn(words));
  const isQueued = verb === 'schedule' || verb === 'execute';
  const [name = '', ...args] = isQueued ? words : [verb, ...words];
  const call = vaultCallOf(name, args);
  const context = await open();
  await call.check?.(context);
  if (verb === 'schedule') return scheduleCall(context, call);
  if (verb === 'execute') return executeCall(context, call);
  const owner = await requireSender(context, call, [verb, ...words]);
  const result = await sendCall(context, { by: call.by, to: context.vault, data: call.data });
  return { ...result, ...owner, now: await call.observe(context) };
}

/**
 * Return the owner of the vault, for a call that is printed.
 * @throws FriendlyError for the key of neither owner nor, where it may send the call, guardian.
 */
async function requireSender(context: OperatedVault, { by }: VaultCall, words: readonly string[]): Promise<object> {
  const { client, vault, wallet } = context;
  const owner = await ownerOf(context);
  const account = wallet?.account?.address;
  const isTimelock = owner.delaySeconds !== null;
  if (account === undefined) return { owner: owner.address, is_timelock: isTimelock };
  const guardian = await client.readContract({ address: vault, abi: vaultAbi, functionName: 'guardian' });
  const senders = by === 'owner' ? [owner.address] : [guardian, owner.address];
  if (senders.some((sender) => isAddressEqual(sender, account))) return {};
  const guardianText = by === 'owner' ? '' : `, and the guardian ${guardian}`;
  const remedy = isTimelock
    ? `run operate vault schedule ${words.join(' ')} with the key of a proposer`
    : 'set OPERATOR_KEY_FILE to its key';
  throw new FriendlyError(`${account} may not: a call of ${by}, which is ${owner.address}${guardianText}; ${remedy}`);
}

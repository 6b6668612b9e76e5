import { FriendlyError } from '@core/runtime';
import { vaultAbi } from '@core/vault';
import {
  type Address,
  ContractFunctionExecutionError,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem';
import { type OperatedVault, revertTextOf, sendCall } from './sendCall.ts';
import type { VaultCall } from './vaultCalls.ts';

/** Part of OpenZeppelin's TimelockController that proposes and executes one call. */
const timelockAbi = parseAbi([
  'function getMinDelay() view returns (uint256)',
  'function getTimestamp(bytes32 id) view returns (uint256)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
  'function hashOperation(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt) view returns (bytes32)',
  'function schedule(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt, uint256 delay)',
  'function execute(address target, uint256 value, bytes payload, bytes32 predecessor, bytes32 salt) payable',
]);
const proposerRole = keccak256(toHex('PROPOSER_ROLE'));
const executorRole = keccak256(toHex('EXECUTOR_ROLE'));
/** Timestamp of an operation that was executed. */
const executed = 1n;

/** Owner of the vault; its delay is null where it is no timelock. */
interface Owner {
  readonly address: Address;
  readonly delaySeconds: bigint | null;
}

/** Call of the vault in its timelock. */
interface Operation {
  readonly id: Hex;
  /** Arguments that schedule and execution share. */
  readonly args: readonly [Address, bigint, Hex, Hex, Hex];
  /** Time from which it may be executed, in seconds; 0 before it is scheduled. */
  readonly readyAt: bigint;
}

/** Read the owner of the vault. An owner with code that has no delay is a wallet of a contract. */
export async function ownerOf({ client, vault }: OperatedVault): Promise<Owner> {
  const address = await client.readContract({ address: vault, abi: vaultAbi, functionName: 'owner' });
  const code = await client.getCode({ address });
  if (code === undefined) return { address, delaySeconds: null };
  const reading = client.readContract({ address, abi: timelockAbi, functionName: 'getMinDelay' });
  const delaySeconds = await reading.catch((cause: unknown) => {
    if (cause instanceof ContractFunctionExecutionError) return null;
    throw cause;
  });
  return { address, delaySeconds };
}

/**
 * Schedule a call in the timelock that owns the vault, for its shortest delay.
 * @throws FriendlyError without a timelock, for a call that waits already, and for the key of no proposer.
 */
export async function scheduleCall(context: OperatedVault, call: VaultCall): Promise<object> {
  const { client, vault } = context;
  const { timelock, delaySeconds } = await requireTimelock(context);
  const { id, args, readyAt } = await operationOf(context, timelock, call.data);
  if (readyAt !== 0n) {
    throw new FriendlyError(`the call is scheduled already, as ${id}, for ${timeText(readyAt)}: execute it then`);
  }
  await requireRole(context, { timelock, role: proposerRole, name: 'proposer' });
  const revert = await client.call({ account: timelock, to: vault, data: call.data }).then(() => null, revertTextOf);
  const data = encodeFunctionData({ abi: timelockAbi, functionName: 'schedule', args: [...args, delaySeconds] });
  const result = await sendCall(context, { by: 'a proposer of the timelock', to: timelock, data });
  const { readyAt: scheduledFor } = await operationOf(context, timelock, call.data);
  return {
    ...result,
    id,
    delay_seconds: Number(delaySeconds),
    ready_at: scheduledFor === 0n ? null : timeText(scheduledFor),
    reverts_now: revert,
    now: await call.observe(context),
  };
}

/**
 * Execute a scheduled call.
 * @throws FriendlyError without a timelock, for a call that is not scheduled or not ready, and for a key that may not.
 */
export async function executeCall(context: OperatedVault, call: VaultCall): Promise<object> {
  const { timelock } = await requireTimelock(context);
  const { id, args, readyAt } = await operationOf(context, timelock, call.data);
  if (readyAt === 0n) throw new FriendlyError(`the call is not scheduled in ${timelock}: schedule it first`);
  const { timestamp } = await context.client.getBlock();
  const waitSeconds = readyAt - timestamp;
  if (waitSeconds > 0n) {
    throw new FriendlyError(`${id} is ready in ${waitSeconds} s, on ${timeText(readyAt)}: execute it then`);
  }
  const role = { timelock, role: executorRole, name: 'executor' };
  if (!(await hasTimelockRole(context, role, zeroAddress))) await requireRole(context, role);
  const data = encodeFunctionData({ abi: timelockAbi, functionName: 'execute', args });
  const result = await sendCall(context, { by: 'an executor of the timelock', to: timelock, data });
  return { ...result, id, now: await call.observe(context) };
}

async function requireTimelock(context: OperatedVault) {
  const { address: timelock, delaySeconds } = await ownerOf(context);
  if (delaySeconds !== null) return { timelock, delaySeconds };
  throw new FriendlyError(`the owner ${timelock} is no timelock: run the call itself with the key of the owner`);
}

/**
 * Return the first operation of a call that was not executed yet. The number of earlier executions is its salt, so that
 * the same words find what they have scheduled.
 */
async function operationOf({ client, vault }: OperatedVault, timelock: Address, data: Hex): Promise<Operation> {
  const at = { address: timelock, abi: timelockAbi } as const;
  for (let executions = 0; ; executions += 1) {
    const args = [vault, 0n, data, zeroHash, numberToHex(executions, { size: 32 })] as const;
    const id = await client.readContract({ ...at, functionName: 'hashOperation', args });
    const readyAt = await client.readContract({ ...at, functionName: 'getTimestamp', args: [id] });
    if (readyAt !== executed) return { id, args, readyAt };
  }
}

interface TimelockRole {
  readonly timelock: Address;
  readonly role: Hex;
  readonly name: string;
}

const hasTimelockRole = (
  { client }: OperatedVault,
  { timelock, role }: TimelockRole,
  account: Address,
): Promise<boolean> =>
  client.readContract({ address: timelock, abi: timelockAbi, functionName: 'hasRole', args: [role, account] });

/** Check that the key may do it; a printed call is for another wallet. @throws FriendlyError otherwise. */
async function requireRole(context: OperatedVault, role: TimelockRole): Promise<void> {
  const account = context.wallet?.account?.address;
  if (account === undefined || (await hasTimelockRole(context, role, account))) return;
  const { name, timelock } = role;
  throw new FriendlyError(`${account} is no ${name} of the timelock ${timelock}: set OPERATOR_KEY_FILE to one's key`);
}

const timeText = (seconds: bigint): string => new Date(Number(seconds) * 1_000).toISOString();

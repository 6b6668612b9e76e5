import { type Address, type Hex, keccak256, type PublicClient, parseAbi, toHex, zeroHash } from 'viem';
import type { TimelockParameters } from '../deploymentParameters.ts';
import { timelockRuntimeCode } from '../runtimeCode.ts';
import { codeRowOf, type DeploymentRow, rowOf } from './deploymentRow.ts';
import { type EventSource, foldMembers } from './foldMembers.ts';
import { tried } from './readVenue.ts';

const timelockAbi = parseAbi([
  'function getMinDelay() view returns (uint256)',
  'event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)',
  'event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)',
]);
const roleEvents = timelockAbi.filter((entry) => entry.type === 'event');
const operationEvents = parseAbi([
  'event CallScheduled(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data, bytes32 predecessor, uint256 delay)',
  'event CallExecuted(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data)',
  'event Cancelled(bytes32 indexed id)',
]);
const roleOf = (name: string) => keccak256(toHex(name));

/** Lowest delay that docs/audit/trust.md relies on: a provider sees an appointment queued, and leaves before it. */
const lowestDelaySeconds = 172_800n;

/** The timelock's parameters as expected now, and as its constructor received them. */
export interface TimelockExpectation {
  readonly now: TimelockParameters;
  readonly atFirst: TimelockParameters | null;
  /** Ids of the operations that are queued and neither executed nor cancelled. */
  readonly pendingOperations: readonly Hex[];
}

/** Code, delay, every member of every role and everything queued of the timelock that owns the vault. */
export async function readTimelock(
  client: PublicClient,
  { now: timelock, atFirst, pendingOperations }: TimelockExpectation,
  source: EventSource,
): Promise<readonly DeploymentRow[]> {
  const { address } = source;
  const membersOf = (role: string) =>
    tried(
      foldMembers(source, roleEvents, (eventName, args) =>
        args['role'] === role ? { member: String(args['account']), isMember: eventName === 'RoleGranted' } : null,
      ),
    );
  const pending = await tried(
    foldMembers(source, operationEvents, (eventName, args) => ({
      member: String(args['id']),
      isMember: eventName === 'CallScheduled',
    })),
  );
  const admins: readonly Address[] = [address];
  const delay = await tried(client.readContract({ address, abi: timelockAbi, functionName: 'getMinDelay' }));
  const firstDelay = atFirst?.minDelaySeconds ?? 'unreadable';
  return [
    codeRowOf('timelock', timelockRuntimeCode(), await client.getCode({ address })),
    rowOf('timelock delay in seconds', timelock.minDelaySeconds, delay),
    rowOf(`timelock delay of at least ${lowestDelaySeconds} s`, 'kept', kept(delay)),
    // What was queued under a shorter delay could still run at any time.
    rowOf(`timelock delay of at least ${lowestDelaySeconds} s when created`, 'kept', kept(firstDelay)),
    rowOf('timelock admins', admins, await membersOf(zeroHash)),
    rowOf('timelock proposers', timelock.proposers, await membersOf(roleOf('PROPOSER_ROLE'))),
    rowOf('timelock cancellers', timelock.proposers, await membersOf(roleOf('CANCELLER_ROLE'))),
    rowOf('timelock executors', timelock.executors, await membersOf(roleOf('EXECUTOR_ROLE'))),
    rowOf('timelock operations pending', pendingOperations, pending),
  ];
}

function kept(delaySeconds: bigint | 'unreadable'): string {
  return typeof delaySeconds === 'bigint' && delaySeconds >= lowestDelaySeconds ? 'kept' : String(delaySeconds);
}

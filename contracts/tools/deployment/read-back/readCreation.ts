import type { Address, Hex, PublicClient } from 'viem';
import type { CreationCode } from '../creationCode.ts';
import { bytesRowOf, codeRowOf, type DeploymentRow, rowOf } from './deploymentRow.ts';
import { tried } from './readVenue.ts';

/** A contract and the transaction that is said to have created it. */
export interface Creation {
  /** Name of the contract in the rows. */
  readonly name: string;
  readonly address: Address;
  /** Hash of the transaction; without it every fact of the creation is a difference. */
  readonly hash: Hex | undefined;
  readonly wanted: CreationCode;
  /** First block whose events are read. */
  readonly fromBlock: bigint;
}

/**
 * Compares the transaction that created a contract. Creation code may write any storage without an event and leave
 * the genuine runtime code behind, so only the genuine creation code makes the storage one that events account for.
 */
export async function readCreation(client: PublicClient, creation: Creation): Promise<readonly DeploymentRow[]> {
  const { name, address, hash, wanted, fromBlock } = creation;
  const receipt = hash === undefined ? 'unreadable' : await tried(client.getTransactionReceipt({ hash }));
  const transaction = hash === undefined ? 'unreadable' : await tried(client.getTransaction({ hash }));
  const created = receipt === 'unreadable' ? receipt : (receipt.contractAddress ?? 'nothing');
  const recipient = transaction === 'unreadable' ? transaction : (transaction.to ?? 'no address');
  const input = transaction === 'unreadable' ? '0x' : transaction.input.toLowerCase();
  const since = receipt === 'unreadable' ? receipt : sinceText(fromBlock, receipt.blockNumber);
  return [
    rowOf(`${name} created by the transaction`, address, created),
    rowOf(`${name} creation status`, 'success', receipt === 'unreadable' ? receipt : receipt.status),
    rowOf(`${name} creation sent to`, 'no address', recipient),
    // Decision: contracts/DECISIONS.md#the-read-back-trusts-only-known-code
    codeRowOf(`${name} creation`, wanted.code, `0x${input.slice(2, wanted.code.length)}`),
    bytesRowOf(`${name} constructor arguments`, wanted.constructorArguments, `0x${input.slice(wanted.code.length)}`),
    rowOf(`${name} events read from block`, fromBlock, since),
  ];
}

/** An account that joined a set before the first block that is read would be in no event. */
function sinceText(fromBlock: bigint, createdInBlock: bigint): string {
  return fromBlock <= createdInBlock ? `${fromBlock}` : `${fromBlock}, after its creation in ${createdInBlock}`;
}

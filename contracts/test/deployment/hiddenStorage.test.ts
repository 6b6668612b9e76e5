import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { vaultAbi } from '@core/vault';
import { type Address, concat, type Hex, keccak256, numberToHex, parseAbi, size, slice, toHex } from 'viem';
import { localVaultDeployment } from '../../local/deployLocal.ts';
import { deployLocal, type LocalChain, type LocalDeployment, LocalRpc, startLocalChain } from '../../local/index.ts';
import { type CreationCode, timelockCreationCode, vaultCreationCode } from '../../tools/deployment/creationCode.ts';
import type { ExpectedDeployment } from '../../tools/deployment/deploymentParameters.ts';
import { type ReadBack, readDeployment } from '../../tools/deployment/read-back/readDeployment.ts';

const opcodes = { jump: 0x56, jumpDestination: 0x5b, push1: 0x60, push32: 0x7f } as const;
const yes = numberToHex(1, { size: 32 });

/**
 * The input of a transaction that writes storage of its own and then continues as the genuine creation code does. The
 * first instructions are moved behind the arguments, after the writes; a jump there takes their place, and all else
 * stays where it was. Code that is created so is genuine to the byte.
 */
function plantingInput({ code, constructorArguments }: CreationCode, slots: readonly Hex[]): Hex {
  const bytes = Buffer.from(code.slice(2), 'hex');
  const isEndOfBlock = (at: number) => bytes[at] === opcodes.jumpDestination || bytes[at - 1] === opcodes.jump;
  const jumpSize = 4;
  let [at, moved] = [0, 0];
  while (!isEndOfBlock(at)) {
    const opcode = bytes.readUInt8(at);
    at += opcode >= opcodes.push1 && opcode <= opcodes.push32 ? opcode - opcodes.push1 + 2 : 1;
    if (moved === 0 && at >= jumpSize) moved = at;
  }
  const trailer = size(code) + size(constructorArguments);
  const jumpTo = (target: number) => concat(['0x61', numberToHex(target, { size: 2 }), '0x56']);
  return concat([
    jumpTo(trailer),
    `0x${'5b'.repeat(moved - jumpSize)}`,
    slice(code, moved),
    constructorArguments,
    '0x5b',
    ...slots.map((slot) => concat(['0x7f', yes, '0x7f', slot, '0x55'])),
    slice(code, 0, at),
    ...(bytes[at] === opcodes.jumpDestination ? [jumpTo(at)] : []),
  ]);
}

/** Slot of a mapping's value. */
function slotOf(key: Hex | number, slot: Hex | number): Hex {
  const word = (value: Hex | number) => numberToHex(BigInt(value), { size: 32 });
  return keccak256(concat([word(key), word(slot)]));
}

describe('storage that creation code plants', () => {
  let chain: LocalChain;
  let rpc: LocalRpc;
  let local: LocalDeployment;
  let expected: ExpectedDeployment;
  let hidden: Address;

  before(async () => {
    chain = await startLocalChain({ blockIntervalMs: 0 });
    local = await deployLocal({ rpcUrl: chain.rpcUrl });
    rpc = new LocalRpc(chain.rpcUrl, vaultAbi);
    hidden = local.roles.bob.address;
    const deployment = localVaultDeployment(local.roles, local.contracts);
    expected = { deployment, timelock: null, facts: { fromBlock: local.deploymentBlock } };
  });

  after(() => chain.close());

  async function create(input: Hex): Promise<{ readonly address: Address; readonly hash: Hex }> {
    const { contractAddress, transactionHash } = await rpc.send(local.roles.dave, {
      data: input,
      gasLimit: 16_000_000n,
    });
    assert.ok(contractAddress);
    return { address: contractAddress, hash: transactionHash };
  }

  async function differences(asked: Omit<ReadBack, 'client'>): Promise<readonly string[]> {
    const rows = await readDeployment({ client: rpc.client, ...asked });
    return rows.filter(({ isSame }) => !isSame).map(({ name }) => name);
  }

  it('shows in the creation of a vault with a price signer whom no event and no code shows', async () => {
    const deployment = localVaultDeployment(local.roles, local.contracts);
    const genuine = vaultCreationCode(deployment, local.contracts.libraries);
    const priceSigner = 2;
    const rolesSlot = 4;
    const slot = slotOf(hidden, slotOf(priceSigner, rolesSlot));
    const vault = await create(plantingInput(genuine, [slot]));
    const isSigner = { abi: vaultAbi, functionName: 'hasRole', args: [priceSigner, hidden] } as const;
    assert.equal(await rpc.client.readContract({ address: vault.address, ...isSigner }), true);
    const found = await differences({ addresses: { vault: vault.address }, creation: { vault: vault.hash }, expected });
    assert.deepEqual(found, ['vault creation code', 'vault constructor arguments']);
  });

  it('shows in the creation of a timelock with a proposer whom no event and no code shows', async () => {
    const parameters = { minDelaySeconds: 172_800n, proposers: [local.roles.owner.address], executors: [] };
    const proposer = keccak256(toHex('PROPOSER_ROLE'));
    const rolesSlot = 0;
    const slot = slotOf(hidden, slotOf(proposer, rolesSlot));
    const timelock = await create(plantingInput(timelockCreationCode(parameters), [slot]));
    const isProposer = {
      abi: parseAbi(['function hasRole(bytes32 role, address account) view returns (bool)']),
      functionName: 'hasRole',
      args: [proposer, hidden],
    } as const;
    assert.equal(await rpc.client.readContract({ address: timelock.address, ...isProposer }), true);
    const deployment = { ...localVaultDeployment(local.roles, local.contracts), owner: timelock.address };
    const genuine = vaultCreationCode(deployment, local.contracts.libraries);
    const vault = await create(concat([genuine.code, genuine.constructorArguments]));
    const found = await differences({
      addresses: { vault: vault.address, timelock: timelock.address },
      creation: { vault: vault.hash, timelock: timelock.hash },
      expected: { ...expected, deployment: { ...deployment, owner: null }, timelock: parameters },
    });
    assert.deepEqual(found, ['timelock creation code', 'timelock constructor arguments']);
  });
});

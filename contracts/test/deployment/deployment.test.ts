import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { liquidityPoolAbi, vaultAbi } from '@core/vault';
import { network } from 'hardhat';
import {
  type Address,
  createPublicClient,
  createWalletClient,
  custom,
  encodeFunctionData,
  erc20Abi,
  http,
  isAddress,
  type PublicClient,
  parseAbi,
  zeroAddress,
  zeroHash,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import governedVaultModule from '../../ignition/modules/governedVault.ts';
import localVaultModule from '../../ignition/modules/localVault.ts';
import vaultModule from '../../ignition/modules/vault.ts';
import { creationHashOf } from '../../local/creationHashOf.ts';
import { deployLocal, localVaultDeployment } from '../../local/deployLocal.ts';
import { localRoles } from '../../local/localAccounts.ts';
import type { LocalLedger } from '../../local/localDeployment.ts';
import { localMoney } from '../../local/localMoney.ts';
import { recordOf } from '../../local/recordOf.ts';
import { startLocalChain } from '../../local/startLocalChain.ts';
import { parseDeploymentParameters } from '../../tools/deployment/deploymentParameters.ts';
import { readDeployment } from '../../tools/deployment/read-back/readDeployment.ts';

/** Everything a deployment fixed or started with, read back from the chain. */
async function readBack(client: PublicClient, vault: Address) {
  const at = { address: vault, abi: vaultAbi } as const;
  const roles = localRoles();
  const hasRole = (role: number, account: Address) =>
    client.readContract({ ...at, functionName: 'hasRole', args: [role, account] });
  const pool = await client.readContract({ ...at, functionName: 'pool' });
  return {
    guardian: await client.readContract({ ...at, functionName: 'guardian' }),
    quoteSigner: await client.readContract({ ...at, functionName: 'quoteSigner' }),
    keepers: await Promise.all([roles.keeper, roles.keeperStandby].map((one) => hasRole(1, one.address))),
    priceSigners: await Promise.all([roles.priceSigner, roles.secondPriceSigner].map((one) => hasRole(2, one.address))),
    priceThreshold: await client.readContract({ ...at, functionName: 'priceThreshold' }),
    oracle: await hasRole(3, roles.oracle.address),
    strangers: await Promise.all([1, 2, 3].map((role) => hasRole(role, roles.owner.address))),
    paused: await client.readContract({ ...at, functionName: 'openingPaused' }),
    poolVault: await client.readContract({ address: pool, abi: liquidityPoolAbi, functionName: 'vault' }),
    treasury: await client.readContract({ address: pool, abi: liquidityPoolAbi, functionName: 'treasury' }),
    parameters: await client.readContract({ address: pool, abi: liquidityPoolAbi, functionName: 'parametersOf' }),
    venue: await Promise.all(
      (['usdc', 'conditionalTokens', 'ctfCollateral', 'redeemer', 'exchange'] as const).map((functionName) =>
        client.readContract({ ...at, functionName }),
      ),
    ),
    managed: await client.readContract({ ...at, functionName: 'managedContracts' }),
  };
}

describe('deployment', () => {
  it('deployLocal leaves every role, parameter and unit of money where it belongs', async () => {
    const chain = await startLocalChain({ blockIntervalMs: 0 });
    const { contracts, roles } = await deployLocal({ rpcUrl: chain.rpcUrl });
    const client = createPublicClient({ transport: http(chain.rpcUrl) });
    const found = await readBack(client, contracts.vault);
    const wanted = localVaultDeployment(roles, contracts);
    const { usdc, conditionalTokens, exchange, positionManager, positionRouter, oracleAggregator } = contracts;
    assert.deepEqual(found, {
      guardian: wanted.guardian,
      quoteSigner: wanted.quoteSigner,
      keepers: [true, true],
      priceSigners: [true, true],
      priceThreshold: 2n,
      oracle: true,
      strangers: [false, false, false],
      paused: false,
      poolVault: contracts.vault,
      treasury: wanted.treasury,
      parameters: wanted.poolParameters,
      venue: [usdc, conditionalTokens, usdc, conditionalTokens, exchange],
      managed: [positionManager, positionRouter, oracleAggregator],
    });
    const usdcOf = (owner: Address) =>
      client.readContract({ address: contracts.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [owner] });
    assert.equal(await usdcOf(contracts.pool), localMoney.liquidityUsdcUnits + localMoney.reserveUsdcUnits);
    assert.equal(await usdcOf(contracts.vault), 0n);
    assert.equal(await usdcOf(roles.alice.address), localMoney.userUsdcUnits);
    for (const one of [...roles.makers, ...roles.takers]) {
      assert.equal(await usdcOf(one.address), localMoney.venueAccountUsdcUnits);
    }
    const book = await client.readContract({ address: contracts.pool, abi: liquidityPoolAbi, functionName: 'bookOf' });
    assert.deepEqual(book, {
      idleUsdcUnits: localMoney.liquidityUsdcUnits,
      lentUsdcUnits: 0n,
      impairedUsdcUnits: 0n,
      unreleasedUsdcUnits: 0n,
      reserveUsdcUnits: localMoney.reserveUsdcUnits,
      treasuryOwedUsdcUnits: 0n,
    });
    await chain.close();
  });

  it('the Ignition modules deploy the same vault, on an empty chain and beside an existing venue', async () => {
    const connection = await network.create();
    const client = (await connection.viem.getPublicClient()) as PublicClient;
    const local = await connection.ignition.deploy(localVaultModule);
    const roles = localRoles();
    const deployment = localVaultDeployment(roles, venueOf(local));
    const configured = await connection.ignition.deploy(vaultModule, {
      parameters: { Vault: { deployment: { ...deployment } as never } },
    });
    const first = await readBack(client, addressOf(local, 'vault'));
    const second = await readBack(client, addressOf(configured, 'vault'));
    assert.deepEqual({ ...first, poolVault: null }, { ...second, poolVault: null });
    assert.equal(first.poolVault, addressOf(local, 'vault'));
    assert.equal(second.poolVault, addressOf(configured, 'vault'));
    assert.deepEqual(second.parameters, deployment.poolParameters);
    await connection.close();
  });

  /** A governed deployment on a chain of its own, and what differs when it is read back. */
  async function deployGoverned() {
    const connection = await network.create();
    const client = (await connection.viem.getPublicClient()) as PublicClient;
    const local = await connection.ignition.deploy(localVaultModule);
    const roles = localRoles();
    const { owner: _owner, ...deployment } = localVaultDeployment(roles, venueOf(local));
    const timelock = { minDelaySeconds: 172_800n, proposers: [roles.owner.address], executors: [zeroAddress] };
    const parameters = { GovernedVault: { ...timelock, ...deployment }, ReadBack: { chainId: 31_337 } };
    const governed = await connection.ignition.deploy(governedVaultModule, { parameters: parameters as never });
    const addresses = { vault: addressOf(governed, 'vault'), timelock: addressOf(governed, 'timelock') };
    const expected = parseDeploymentParameters(parameters);
    const creation = {
      vault: await creationHashOf(client, addresses.vault),
      timelock: await creationHashOf(client, addresses.timelock),
    };
    const different = async (wanted: typeof expected) =>
      (await readDeployment({ client, addresses, creation, expected: wanted })).flatMap(({ name, isSame }) =>
        isSame ? [] : name,
      );
    return { connection, client, addresses, expected, timelock, roles, different };
  }

  it('the governed module gives the vault to its own timelock, and all of it reads back', async () => {
    const { connection, addresses, expected, timelock, roles, different } = await deployGoverned();
    assert.deepEqual(await different(expected), []);
    for (const [change, names] of [
      [{ minDelaySeconds: 172_801n }, ['timelock delay in seconds']],
      [{ minDelaySeconds: 1n }, ['timelock delay in seconds', 'timelock delay of at least 172800 s when created']],
      [{ proposers: [roles.bob.address] }, ['timelock proposers', 'timelock cancellers']],
      [{ executors: [roles.bob.address] }, ['timelock executors']],
    ] as const) {
      const found = await different({ ...expected, timelock: { ...timelock, ...change } });
      assert.deepEqual(found, ['timelock constructor arguments', ...names]);
    }
    await connection.networkHelpers.setCode(addresses.timelock, '0x00');
    assert.deepEqual(await different(expected), [
      'timelock code',
      'timelock delay in seconds',
      'timelock delay of at least 172800 s',
    ]);
    await connection.close();
  });

  it('an operation that waits in the timelock shows until it is known, cancelled or executed', async () => {
    const { connection, client, addresses, expected, roles, different } = await deployGoverned();
    const owner = createWalletClient({
      account: privateKeyToAccount(roles.owner.privateKey),
      transport: custom(connection.provider),
    });
    const abi = parseAbi([
      'function schedule(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt, uint256 delay)',
      'function execute(address target, uint256 value, bytes payload, bytes32 predecessor, bytes32 salt) payable',
      'function hashOperation(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt) pure returns (bytes32)',
      'function cancel(bytes32 id)',
    ]);
    const data = encodeFunctionData({ abi: vaultAbi, functionName: 'setRole', args: [1, roles.bob.address, true] });
    const call = [addresses.vault, 0n, data, zeroHash, zeroHash] as const;
    const timelock = { address: addresses.timelock, abi, chain: null } as const;
    const schedule = () => owner.writeContract({ ...timelock, functionName: 'schedule', args: [...call, 172_800n] });

    await schedule();
    const id = await client.readContract({ ...timelock, functionName: 'hashOperation', args: call });
    assert.deepEqual(await different(expected), ['timelock operations pending']);
    const known = { ...expected, facts: { ...expected.facts, pendingOperations: [id] } };
    assert.deepEqual(await different(known), []);

    await owner.writeContract({ ...timelock, functionName: 'cancel', args: [id] });
    assert.deepEqual(await different(expected), []);

    await schedule();
    await connection.networkHelpers.time.increase(172_800);
    await owner.writeContract({ ...timelock, functionName: 'execute', args: call });
    assert.deepEqual(await different(expected), ['keepers']);
    await connection.close();
  });
});

/** Contracts of a venue that a vault is deployed with, from a module's results. */
function venueOf(contracts: object): LocalLedger & { readonly exchange: Address } {
  return recordOf(['exchange', 'positionManager', 'positionRouter', 'oracleAggregator'], (name) =>
    addressOf(contracts, name),
  );
}

/** Address of a contract by its name in a module's results. */
function addressOf(contracts: object, name: string): Address {
  const entries: readonly [string, { readonly address: unknown }][] = Object.entries(contracts);
  const address = entries.find(([key]) => key === name)?.[1].address;
  if (typeof address !== 'string' || !isAddress(address)) throw new Error(`the module deploys no ${name}`);
  return address;
}

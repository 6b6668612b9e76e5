import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
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
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { parseDeploymentParameters } from '../deployment/deploymentParameters.ts';
import { readDeployment } from '../deployment/readDeployment.ts';
import governedVaultModule from '../ignition/modules/governedVault.ts';
import localVaultModule from '../ignition/modules/localVault.ts';
import vaultModule from '../ignition/modules/vault.ts';
import { creationHashOf } from '../local/creationHashOf.ts';
import { deployLocal, localVaultDeployment } from '../local/deployLocal.ts';
import { localRoles } from '../local/localAccounts.ts';
import { localMoney } from '../local/localMoney.ts';
import { LocalRpc } from '../local/localRpc.ts';
import { type LocalChain, startLocalChain } from '../local/startLocalChain.ts';

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
    priceSigners: await Promise.all(
      [roles.priceSigner, roles.priceSignerStandby].map((one) => hasRole(2, one.address)),
    ),
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
  };
}

describe('deployment', () => {
  it('deployLocal leaves every role, parameter and unit of money where it belongs', async () => {
    const chain = await startLocalChain({ blockIntervalMs: 0 });
    const { contracts, roles } = await deployLocal({ rpcUrl: chain.rpcUrl });
    const client = createPublicClient({ transport: http(chain.rpcUrl) });
    const found = await readBack(client, contracts.vault);
    const wanted = localVaultDeployment(roles, contracts);
    assert.deepEqual(found, {
      guardian: wanted.guardian,
      quoteSigner: wanted.quoteSigner,
      keepers: [true, true],
      priceSigners: [true, true],
      oracle: true,
      strangers: [false, false, false],
      paused: false,
      poolVault: contracts.vault,
      treasury: wanted.treasury,
      parameters: wanted.poolParameters,
      venue: [wanted.usdc, wanted.conditionalTokens, wanted.ctfCollateral, wanted.redeemer, wanted.exchange],
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
    const venue = {
      usdc: addressOf(local, 'usdc'),
      conditionalTokens: addressOf(local, 'conditionalTokens'),
      exchange: addressOf(local, 'exchange'),
    };
    const deployment = localVaultDeployment(roles, venue);
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
    const { owner: _owner, ...deployment } = localVaultDeployment(roles, {
      usdc: addressOf(local, 'usdc'),
      conditionalTokens: addressOf(local, 'conditionalTokens'),
      exchange: addressOf(local, 'exchange'),
    });
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

describe('the deploy command', () => {
  const contractsRoot = fileURLToPath(new URL('..', import.meta.url));
  const cli = join(dirname(fileURLToPath(import.meta.resolve('hardhat'))), 'cli.js');
  const folder = mkdtempSync(join(tmpdir(), 'deploy-command-'));
  /** Not Hardhat's own number, for which Ignition drops what it remembers and asks nothing. */
  const chainId = 31_338;
  const roles = localRoles();
  const deploymentIds: string[] = [];
  let chain: LocalChain;
  let rpc: LocalRpc;
  let venue: Record<'usdc' | 'conditionalTokens' | 'exchange', Address>;

  before(async () => {
    chain = await startLocalChain({ chainId, blockIntervalMs: 0 });
    rpc = new LocalRpc(chain.rpcUrl, vaultAbi);
  });

  after(async () => {
    await chain.close();
    for (const id of deploymentIds) rmSync(folderOf(id), { recursive: true, force: true });
    rmSync(folder, { recursive: true });
  });

  const folderOf = (id: string) => join(contractsRoot, 'ignition', 'deployments', id);
  const newDeploymentId = () => {
    const id = `test-${randomUUID()}`;
    deploymentIds.push(id);
    return id;
  };

  function startProcess(args: readonly string[]): { readonly child: ChildProcess; ended(): Promise<string> } {
    const child = spawn(process.execPath, args, {
      cwd: contractsRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        DEPLOY_RPC_URL: chain.rpcUrl,
        DEPLOY_PRIVATE_KEY: roles.dave.privateKey,
        HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: 'true',
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
    const closed = once(child, 'close');
    return { child, ended: async () => `exit ${(await closed)[0]}\n${output}` };
  }

  function startDeploying(module: string, id: string, parameters?: string) {
    const file = parameters === undefined ? [] : ['--parameters', parameters];
    const path = `ignition/modules/${module}.ts`;
    const task = ['ignition', 'deploy', path, '--network', 'configured', '--deployment-id', id, ...file];
    return startProcess([cli, '--build-profile', 'default', ...task]);
  }

  async function deploy(...asked: Parameters<typeof startDeploying>): Promise<void> {
    const output = await startDeploying(...asked).ended();
    assert.match(output, /^exit 0\n[^]*successfully deployed/, output);
  }

  /** What the read-back says, and the names of the facts that differ. */
  async function readBackOf(id: string, parameters: string) {
    const task = ['--rpc', chain.rpcUrl, '--parameters', parameters, '--deployment', folderOf(id)];
    const output = await startProcess(['scripts/readDeployment.ts', ...task]).ended();
    const differences = [...output.matchAll(/^DIFFERENT {2}([^:]+):/gm)].map(([, name]) => name);
    return { output, differences };
  }

  async function assertNothingDiffers(id: string, parameters: string): Promise<void> {
    const { output } = await readBackOf(id, parameters);
    assert.match(output, /^exit 0\n[^]* facts, 0 different\n$/, output);
  }

  /** An example file as an operator fills it in: the venue of this chain, and keys of which some sign here. */
  function writeParameters(example: string, module: 'Vault' | 'GovernedVault'): string {
    const text = readFileSync(join(contractsRoot, 'ignition', 'parameters', example), 'utf8');
    const values = JSON.parse(text) as { Vault: { deployment: object }; GovernedVault: object; ReadBack: object };
    const { usdc, conditionalTokens, exchange } = venue;
    const here = { usdc, conditionalTokens, exchange, ctfCollateral: usdc, redeemer: conditionalTokens };
    const keys = { guardian: roles.guardian.address };
    if (module === 'Vault') Object.assign(values.Vault.deployment, here, keys, { owner: roles.owner.address });
    else Object.assign(values.GovernedVault, here, keys);
    Object.assign(values.ReadBack, { chainId });
    const file = join(folder, example);
    writeFileSync(file, JSON.stringify(values));
    return file;
  }

  it('deploys everything on an empty chain', async () => {
    const id = newDeploymentId();
    await deploy('localVault', id);
    const addresses = JSON.parse(readFileSync(join(folderOf(id), 'deployed_addresses.json'), 'utf8'));
    venue = {
      usdc: addresses['LocalVault#TestUsdc'],
      conditionalTokens: addresses['LocalVault#ConditionalTokens'],
      exchange: addresses['LocalVault#VenueExchange'],
    };
    const vault = addresses['LocalVault#Vault'];
    const { deployment, ...rest } = { deployment: localVaultDeployment(roles, venue), ReadBack: { chainId } };
    const file = join(folder, 'localVault.json');
    const numbered = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);
    writeFileSync(file, JSON.stringify({ Vault: { deployment }, ...rest }, numbered));
    assert.ok(isAddress(vault));
    await assertNothingDiffers(id, file);
  });

  it('deploys the vault from its example file, and the read-back names a role that changed since', async () => {
    const id = newDeploymentId();
    const parameters = writeParameters('example.json', 'Vault');
    await deploy('vault', id, parameters);
    await assertNothingDiffers(id, parameters);
    const addresses = JSON.parse(readFileSync(join(folderOf(id), 'deployed_addresses.json'), 'utf8'));
    const setRole = { abi: vaultAbi, functionName: 'setRole', args: [1, roles.bob.address, true] } as const;
    await rpc.send(roles.owner, { to: addresses['Vault#Vault'], data: encodeFunctionData(setRole) });
    const changed = await readBackOf(id, parameters);
    assert.match(changed.output, /^exit 1\n/);
    assert.deepEqual(changed.differences, ['keepers']);
  });

  it('resumes a governed deployment that was killed with its transactions sent and not yet in a block', async () => {
    const id = newDeploymentId();
    const parameters = writeParameters('governed.example.json', 'GovernedVault');
    const mine = (isAutomatic: boolean) =>
      rpc.client.request({ method: 'evm_setAutomine' as never, params: [isAutomatic] as never });
    // Without blocks on demand Ignition wants five confirmations of whatever the key sent before.
    await rpc.client.request({ method: 'hardhat_mine' as never, params: [toHex(5)] as never });
    await mine(false);
    const { child, ended } = startDeploying('governedVault', id, parameters);
    const journal = join(folderOf(id), 'journal.jsonl');
    // The timelock and the library go out together; a hash is written down after its transaction was sent.
    const isSent = () => existsSync(journal) && readFileSync(journal, 'utf8').split('"TRANSACTION_SEND"').length > 2;
    while (child.exitCode === null && !isSent()) await sleep(50);
    child.kill('SIGKILL');
    assert.match(await ended(), /^exit null\n/);
    assert.ok(!readFileSync(journal, 'utf8').includes('TRANSACTION_CONFIRM'));
    await mine(true);
    await rpc.client.request({ method: 'evm_mine' as never });
    await deploy('governedVault', id, parameters);
    await assertNothingDiffers(id, parameters);
    const addresses = JSON.parse(readFileSync(join(folderOf(id), 'deployed_addresses.json'), 'utf8'));
    const [vault, timelock] = [addresses['GovernedVault#Vault'], addresses['GovernedVault#TimelockController']];
    const plainly = ['--vault', vault, '--tx', await creationHashOf(rpc.client, vault), '--timelock', timelock];
    const asked = ['scripts/readDeployment.ts', '--rpc', chain.rpcUrl, '--parameters', parameters, ...plainly];
    assert.match(await startProcess(asked).ended(), /^exit 2\n[^]* Pass its hash with --timelock-tx\n/);
    const timelockTx = ['--timelock-tx', await creationHashOf(rpc.client, timelock)];
    const output = await startProcess([...asked, ...timelockTx]).ended();
    assert.match(output, new RegExp(`^exit 0\nvault {6}${vault}\ntimelock {3}${timelock}\n[^]* 0 different\n$`));
  });
});

/** Address of a contract by its name in a module's results. */
function addressOf(contracts: object, name: string): Address {
  const entries: readonly [string, { readonly address: unknown }][] = Object.entries(contracts);
  const address = entries.find(([key]) => key === name)?.[1].address;
  if (typeof address !== 'string' || !isAddress(address)) throw new Error(`the module deploys no ${name}`);
  return address;
}

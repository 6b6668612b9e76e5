import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { vaultAbi } from '@core/vault';
import { type Address, encodeFunctionData, isAddress, toHex } from 'viem';
import { hardhatCli } from '../../local/compilation/hardhatCli.ts';
import { contractsRoot } from '../../local/contractsRoot.ts';
import { creationHashOf } from '../../local/creationHashOf.ts';
import { localVaultDeployment } from '../../local/deployLocal.ts';
import { localRoles } from '../../local/localAccounts.ts';
import { LocalRpc } from '../../local/localRpc.ts';
import { type LocalChain, startLocalChain } from '../../local/startLocalChain.ts';
import { vaultLibraryNames } from '../../local/vaultLibraries.ts';

/** Of a test, which starts up to four processes of some five seconds: none may hold up the rest. */
const timeout = 240_000;

describe('the deploy command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-command-'));
  /** Not Hardhat's own number, for which Ignition drops what it remembers and asks nothing. */
  const chainId = 31_338;
  const roles = localRoles();
  const deploymentIds: string[] = [];
  const children: ChildProcess[] = [];
  let chain: LocalChain;
  let rpc: LocalRpc;
  let exchange: Address;

  const keyFile = join(folder, 'deployer.key');

  before(async () => {
    writeFileSync(keyFile, `${roles.dave.privateKey}\n`, { mode: 0o600 });
    chain = await startLocalChain({ chainId, blockIntervalMs: 0 });
    rpc = new LocalRpc(chain.rpcUrl, vaultAbi);
  });

  after(async () => {
    for (const child of children) child.kill('SIGKILL');
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
        DEPLOY_KEY_FILE: keyFile,
        HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: 'true',
      },
    });
    children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
    const closed = once(child, 'close');
    return { child, ended: async () => `exit ${(await closed)[0]}\n${output}` };
  }

  function startDeploying(module: string, id: string, parameters?: string) {
    const file = parameters === undefined ? [] : ['--parameters', parameters];
    const path = `ignition/modules/${module}.ts`;
    const task = ['ignition', 'deploy', path, '--network', 'configured', '--deployment-id', id, ...file];
    return startProcess([hardhatCli() ?? 'hardhat', '--build-profile', 'default', ...task]);
  }

  async function deploy(...asked: Parameters<typeof startDeploying>): Promise<void> {
    const output = await startDeploying(...asked).ended();
    assert.match(output, /^exit 0\n[^]*successfully deployed/, output);
  }

  /** Read the deployment back; return its output and the names of the facts that differ. */
  async function readBackOf(id: string, parameters: string) {
    const task = ['--rpc', chain.rpcUrl, '--parameters', parameters, '--deployment', folderOf(id)];
    const output = await startProcess(['tools/deployment/read-back/main.ts', ...task]).ended();
    const differences = [...output.matchAll(/^DIFFERENT {2}([^:]+):/gm)].map(([, name]) => name);
    return { output, differences };
  }

  async function assertNothingDiffers(id: string, parameters: string): Promise<void> {
    const { output } = await readBackOf(id, parameters);
    assert.match(output, /^exit 0\n[^]*same {7}pair filler code: [^]* facts, 0 different\n$/, output);
  }

  /** An example file as an operator fills it in: the venue of this chain, and keys of which some sign here. */
  function writeParameters(example: string, module: 'Vault' | 'GovernedVault'): string {
    const text = readFileSync(join(contractsRoot, 'ignition', 'parameters', example), 'utf8');
    const values = JSON.parse(text) as { Vault: { deployment: object }; GovernedVault: object; ReadBack: object };
    const here = { exchange, guardian: roles.guardian.address };
    if (module === 'Vault') Object.assign(values.Vault.deployment, here, { owner: roles.owner.address });
    else Object.assign(values.GovernedVault, here);
    Object.assign(values.ReadBack, { chainId });
    const file = join(folder, example);
    writeFileSync(file, JSON.stringify(values));
    return file;
  }

  it('deploys everything on an empty chain', { timeout }, async () => {
    const id = newDeploymentId();
    await deploy('localVault', id);
    const addresses = JSON.parse(readFileSync(join(folderOf(id), 'deployed_addresses.json'), 'utf8'));
    exchange = addresses['LocalVault#VenueExchange'];
    const vault = addresses['LocalVault#Vault'];
    const deployment = localVaultDeployment(roles, {
      exchange,
      positionManager: addresses['LocalVault#TwinPositionManager'],
      positionRouter: addresses['LocalVault#TwinPositionRouter'],
      oracleAggregator: addresses['LocalVault#TwinOracleAggregator'],
    });
    const file = join(folder, 'localVault.json');
    const numbered = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);
    writeFileSync(file, JSON.stringify({ Vault: { deployment }, ReadBack: { chainId } }, numbered));
    assert.ok(isAddress(vault));
    await assertNothingDiffers(id, file);
  });

  it('deploys the vault from its example file, and the read-back names a role that changed since', {
    timeout,
  }, async () => {
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

  it('resumes a governed deployment that was killed with its transactions sent and not yet in a block', {
    timeout,
  }, async () => {
    const id = newDeploymentId();
    const parameters = writeParameters('governed.example.json', 'GovernedVault');
    const mine = (isAutomatic: boolean) =>
      rpc.client.request({ method: 'evm_setAutomine' as never, params: [isAutomatic] as never });
    // Without blocks on demand Ignition wants five confirmations of whatever the key sent before.
    await rpc.client.request({ method: 'hardhat_mine' as never, params: [toHex(5)] as never });
    await mine(false);
    const { child, ended } = startDeploying('governedVault', id, parameters);
    const journal = join(folderOf(id), 'journal.jsonl');
    // The timelock and the libraries go out one after another before the first block; a hash is written down after its
    // transaction was sent. Between two of them Ignition leaves a record it cannot resume from (contracts/README.md).
    const sent = () => readFileSync(journal, 'utf8').split('"TRANSACTION_SEND"').length - 1;
    const isSent = () => existsSync(journal) && sent() >= vaultLibraryNames.length + 1;
    const isRunning = () => child.exitCode === null && child.signalCode === null;
    while (isRunning() && !isSent()) await sleep(50);
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
    const asked = ['tools/deployment/read-back/main.ts', '--rpc', chain.rpcUrl, '--parameters', parameters, ...plainly];
    assert.match(await startProcess(asked).ended(), /^exit 2\n[^]* Pass its hash with --timelock-tx\n/);
    const timelockTx = ['--timelock-tx', await creationHashOf(rpc.client, timelock)];
    const output = await startProcess([...asked, ...timelockTx]).ended();
    assert.match(output, new RegExp(`^exit 0\nvault {6}${vault}\ntimelock {3}${timelock}\n[^]* 0 different\n$`));
  });
});

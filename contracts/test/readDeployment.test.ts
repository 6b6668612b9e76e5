import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { liquidityPoolAbi, vaultAbi, venueExchangeAbi } from '@core/vault';
import { type Address, encodeFunctionData, type Hex, keccak256 } from 'viem';
import { type ExpectedDeployment, parseDeploymentParameters } from '../deployment/deploymentParameters.ts';
import { type DeploymentCreation, type ReadBack, readDeployment } from '../deployment/readDeployment.ts';
import { localVaultDeployment } from '../local/deployLocal.ts';
import {
  creationHashOf,
  deployLocal,
  type LocalChain,
  type LocalDeployment,
  LocalRpc,
  startLocalChain,
} from '../local/index.ts';

let chain: LocalChain;
let rpc: LocalRpc;
let local: LocalDeployment;
let expected: ExpectedDeployment;
let creation: DeploymentCreation;
let snapshot: Hex;

before(async () => {
  chain = await startLocalChain({ blockIntervalMs: 0 });
  local = await deployLocal({ rpcUrl: chain.rpcUrl });
  rpc = new LocalRpc(chain.rpcUrl, [...vaultAbi, ...liquidityPoolAbi, ...venueExchangeAbi]);
  expected = {
    deployment: localVaultDeployment(local.roles, local.contracts),
    timelock: null,
    facts: {
      chainId: BigInt(local.chainId),
      fromBlock: local.deploymentBlock,
      venueDomain: local.venueDomain,
      usdcCodeHash: await codeHashOf(local.contracts.usdc),
      exchangeCodeHash: await codeHashOf(local.contracts.exchange),
      conditionalTokensCodeHash: await codeHashOf(local.contracts.conditionalTokens),
    },
  };
  creation = { vault: await creationHashOf(rpc.client, local.contracts.vault) };
  snapshot = await rpc.snapshot();
});

beforeEach(async () => {
  await rpc.revertTo(snapshot);
  snapshot = await rpc.snapshot();
});

after(() => chain.close());

async function codeHashOf(address: Address): Promise<Hex> {
  const code = await rpc.client.getCode({ address });
  assert.ok(code);
  return keccak256(code);
}

/** Names of the facts that differ. */
async function differences(
  wanted: ExpectedDeployment = expected,
  others: Partial<ReadBack> = {},
): Promise<readonly string[]> {
  const addresses = { vault: local.contracts.vault };
  const asked = { client: rpc.client, addresses, creation, expected: wanted, blockRange: 3n };
  const rows = await readDeployment({ ...asked, ...others });
  return rows.filter(({ isSame }) => !isSame).map(({ name }) => name);
}

function asOwner(to: Address, data: Hex) {
  return rpc.send(local.roles.owner, { to, data });
}

/** Both steps: another account is the owner afterwards. */
async function handOver(to: Address): Promise<void> {
  const { address } = local.roles.bob;
  const call = (functionName: 'transferOwnership' | 'acceptOwnership', args: readonly Address[]) =>
    encodeFunctionData({ abi: vaultAbi, functionName, args } as never);
  await asOwner(to, call('transferOwnership', [address]));
  await rpc.send(local.roles.bob, { to, data: call('acceptOwnership', []) });
}

/** Puts other code in a contract's place: the last byte before the metadata's length is changed. */
async function changeCode(address: Address): Promise<void> {
  const code = await rpc.client.getCode({ address });
  assert.ok(code);
  const changed = `${code.slice(0, -6)}${code.slice(-6, -4) === '00' ? '01' : '00'}${code.slice(-4)}`;
  await rpc.client.request({ method: 'hardhat_setCode' as never, params: [address, changed] as never });
}

describe('reading a deployment back', () => {
  it('finds every fact the same in a fresh deployment', async () => {
    const rows = await readDeployment({
      client: rpc.client,
      addresses: { vault: local.contracts.vault },
      creation,
      expected,
    });
    assert.deepEqual(
      rows.filter(({ isSame }) => !isSame),
      [],
    );
    assert.ok(rows.length >= 44, `${rows.length} facts`);
  });

  const other: Address = '0x00000000000000000000000000000000000000aa';
  const vaultCall = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: vaultAbi, functionName, args } as never);
  const poolCall = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: liquidityPoolAbi, functionName, args } as never);

  const changesOnChain: Readonly<Record<string, () => Promise<unknown>>> = {
    'vault code': () => changeCode(local.contracts.vault),
    'order rules code': () => changeCode(local.contracts.orderRules),
    'pool code': () => changeCode(local.contracts.pool),
    'account code': () => changeCode(local.contracts.accountImplementation),
    'usdc code hash': () => changeCode(local.contracts.usdc),
    'exchange code hash': () => changeCode(local.contracts.exchange),
    'conditionalTokens code hash': () => changeCode(local.contracts.conditionalTokens),
    'pending owner': () => asOwner(local.contracts.vault, vaultCall('transferOwnership', [other])),
    'pool pending owner': () => asOwner(local.contracts.pool, poolCall('transferOwnership', [other])),
    owner: () => handOver(local.contracts.vault),
    'pool owner': () => handOver(local.contracts.pool),
    'opening paused': () => asOwner(local.contracts.vault, vaultCall('pauseOpening', [])),
    guardian: () => asOwner(local.contracts.vault, vaultCall('setGuardian', [other])),
    quoteSigner: () => asOwner(local.contracts.vault, vaultCall('setQuoteSigner', [other])),
    keepers: () => asOwner(local.contracts.vault, vaultCall('setRole', [1, other, true])),
    priceSigners: () => asOwner(local.contracts.vault, vaultCall('setRole', [2, other, true])),
    oracles: () => asOwner(local.contracts.vault, vaultCall('setRole', [3, other, true])),
    builders: () => asOwner(local.contracts.vault, vaultCall('setBuilder', [`0x${'01'.repeat(32)}`, true])),
    'pool treasury': () => asOwner(local.contracts.pool, poolCall('setTreasury', [other])),
    'pool outcomes with a cap of their own': () =>
      asOwner(local.contracts.pool, poolCall('setOutcomeCap', [1, true, 5n])),
    'exchange maximum fee of 1000 bps': () =>
      asOwner(
        local.contracts.exchange,
        encodeFunctionData({ abi: venueExchangeAbi, functionName: 'setMaxFeeRateBps', args: [1_001n] }),
      ),
  };
  for (const [name, change] of Object.entries(changesOnChain)) {
    it(`catches on chain: ${name}`, async () => {
      await change();
      assert.deepEqual(await differences(), [name]);
    });
  }

  it('catches a member that was removed, and forgets one that came and went', async () => {
    const { vault } = local.contracts;
    await asOwner(vault, vaultCall('setRole', [1, other, true]));
    await asOwner(vault, vaultCall('setRole', [1, other, false]));
    assert.deepEqual(await differences(), []);
    await asOwner(vault, vaultCall('setRole', [1, local.roles.keeperStandby.address, false]));
    assert.deepEqual(await differences(), ['keepers']);
  });

  for (const name of [
    'totalCapUsdcUnits',
    'defaultOutcomeCapUsdcUnits',
    'utilisationBps',
    'protocolCutBps',
    'originationReserveBps',
    'reserveTargetBps',
  ] as const) {
    it(`catches on chain: pool ${name}`, async () => {
      const now = expected.deployment.poolParameters;
      const changed = { ...now, [name]: typeof now[name] === 'bigint' ? now[name] - 1n : Number(now[name]) + 1 };
      await asOwner(local.contracts.pool, poolCall('setParameters', [changed]));
      assert.deepEqual(await differences(), [`pool ${name}`]);
    });
  }

  it('catches other immutables, in the getter and in the code of all that carry them', async () => {
    for (const name of ['ctfCollateral', 'redeemer'] as const) {
      const found = await differences({ ...expected, deployment: { ...expected.deployment, [name]: other } });
      assert.deepEqual(found, ['vault code', 'account code', 'vault constructor arguments', name]);
    }
    const exchange = await differences({ ...expected, deployment: { ...expected.deployment, exchange: other } });
    assert.ok(exchange.includes('vault code') && exchange.includes('exchange') && exchange.includes('exchange tokens'));
    const usdc = await differences({ ...expected, deployment: { ...expected.deployment, usdc: other } });
    for (const name of ['vault code', 'pool code', 'account code', 'usdc', 'usdc decimals', 'exchange collateral']) {
      assert.ok(usdc.includes(name), name);
    }
  });

  it('catches other code behind the redeemer or the collateral of token ids, where its hash is given', async () => {
    const facts = {
      ...expected.facts,
      ctfCollateralCodeHash: await codeHashOf(local.contracts.usdc),
      redeemerCodeHash: await codeHashOf(local.contracts.conditionalTokens),
    };
    assert.deepEqual(await differences({ ...expected, facts }), []);
    const swapped = {
      ...facts,
      ctfCollateralCodeHash: facts.redeemerCodeHash,
      redeemerCodeHash: facts.ctfCollateralCodeHash,
    };
    assert.deepEqual(await differences({ ...expected, facts: swapped }), [
      'ctfCollateral code hash',
      'redeemer code hash',
    ]);
  });

  it('catches another chain and another name of the exchange', async () => {
    const facts = { ...expected.facts, chainId: 1n, venueDomain: { name: 'Other', version: '2' } };
    assert.deepEqual(await differences({ ...expected, facts }), ['chain id', 'exchange hash of an order']);
  });

  const creationFacts = [
    'vault created by the transaction',
    'vault creation status',
    'vault creation sent to',
    'vault creation code',
    'vault constructor arguments',
    'vault events read from block',
  ];

  it('catches a creation that is not given or not on the chain', async () => {
    assert.deepEqual(await differences(expected, { creation: {} }), creationFacts);
    assert.deepEqual(await differences(expected, { creation: { vault: `0x${'ab'.repeat(32)}` } }), creationFacts);
  });

  it('catches a transaction that created something else, or nothing', async () => {
    const [at, , to, code, told] = creationFacts;
    const another = { vault: await creationHashOf(rpc.client, local.contracts.exchange) };
    assert.deepEqual(await differences(expected, { creation: another }), [at, code, told]);
    const receipt = await asOwner(
      local.contracts.vault,
      vaultCall('setQuoteSigner', [local.roles.quoteSigner.address]),
    );
    const call = { vault: receipt.transactionHash };
    assert.deepEqual(await differences(expected, { creation: call }), [at, to, code, told]);
  });

  it('compares the constructor with what it was told, where the owner has changed something since', async () => {
    await asOwner(local.contracts.vault, vaultCall('setRole', [1, other, true]));
    const keepers = [...expected.deployment.keepers, other];
    const changed = { ...expected, deployment: { ...expected.deployment, keepers } };
    assert.deepEqual(await differences(changed), ['vault constructor arguments']);
    assert.deepEqual(await differences(changed, { createdWith: expected }), []);
  });

  it('catches events that are read from after the creation only', async () => {
    const latest = await rpc.client.getBlockNumber();
    const facts = { ...expected.facts, fromBlock: latest };
    const found = await differences({ ...expected, facts });
    assert.deepEqual(found, ['vault events read from block', 'keepers', 'priceSigners', 'oracles']);
  });

  it('reads an address without a vault as differences, not as an error', async () => {
    const rows = await readDeployment({ client: rpc.client, addresses: { vault: other }, creation, expected });
    const byName = new Map(rows.map((row) => [row.name, row]));
    assert.equal(byName.get('vault code')?.found, 'no code');
    assert.equal(byName.get('owner')?.found, 'unreadable');
    assert.equal(byName.get('keepers')?.isSame, false);
  });
});

describe('the command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'read-deployment-'));
  after(() => rmSync(folder, { recursive: true }));
  const script = fileURLToPath(new URL('../scripts/readDeployment.ts', import.meta.url));
  /** In a process of its own while this one serves the chain. */
  const run = (...args: readonly string[]) =>
    new Promise<{ readonly status: number; readonly stdout: string }>((done) => {
      const child = execFile(process.execPath, [script, ...args], (_, stdout, stderr) =>
        done({ status: child.exitCode ?? -1, stdout: stdout + stderr }),
      );
    });

  function writeParameters(deployment: object): string {
    const file = join(folder, 'parameters.json');
    const facts = { chainId: local.chainId, venueDomain: local.venueDomain };
    const text = JSON.stringify({ Vault: { deployment }, ReadBack: facts }, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
    writeFileSync(file, text);
    return file;
  }

  const writeAddresses = (addresses: Readonly<Record<string, Address>>) =>
    writeFileSync(join(folder, 'deployed_addresses.json'), JSON.stringify(addresses));

  it('exits 0 when all is the same and 1 with the differing row, and says whom it read', async () => {
    const { vault } = local.contracts;
    const where = ['--rpc', chain.rpcUrl, '--vault', vault, '--tx', String(creation.vault)];
    const good = await run(...where, '--parameters', writeParameters(expected.deployment));
    assert.equal(good.status, 0, good.stdout);
    assert.match(good.stdout, new RegExp(`^vault {6}${vault}\nsame [^]* facts, 0 different\n$`));

    const guardian = local.roles.bob.address;
    const bad = await run(...where, '--parameters', writeParameters({ ...expected.deployment, guardian }));
    assert.equal(bad.status, 1);
    assert.match(bad.stdout, new RegExp(`DIFFERENT {2}guardian: .*, expected ${guardian}`));
    assert.match(bad.stdout, /DIFFERENT {2}vault constructor arguments: /);
  });

  it('exits 2 and says what is wrong when asked wrongly', async () => {
    const { vault, orderRules } = local.contracts;
    const { vault: hash } = creation;
    const parameters = writeParameters(expected.deployment);
    const asked = ['--rpc', chain.rpcUrl, '--parameters', parameters];
    const plain = [...asked, '--vault', vault, '--tx', String(hash)];
    const wrong = async (args: readonly string[], said: RegExp) => {
      const { status, stdout } = await run(...args);
      assert.equal(status, 2, stdout);
      assert.match(stdout, said);
    };
    writeAddresses({ 'Vault#OrderRules': orderRules, 'Vault#Vault': vault });
    await wrong(['--rpc', chain.rpcUrl], /--parameters is missing/);
    await wrong(asked, /--vault is missing/);
    await wrong([...asked, '--vault', vault], /Pass its hash with --tx/);
    await wrong([...asked, '--deployment', folder], /Pass its hash with --tx/);
    await wrong([...asked, '--vault', vault, '--tx', vault], /is no hash of a transaction/);
    await wrong([...plain, '--deployment', folder], /either --deployment or --vault/);
    await wrong([...plain, '--timelock', vault], /describe no timelock/);
    await wrong([...plain, '--block-range', '0'], /--block-range is 0/);
    writeAddresses({ 'Vault#Vault': vault, 'LocalVault#Vault': orderRules });
    await wrong([...asked, '--deployment', folder], /more than one Vault: Vault#Vault .*, LocalVault#Vault /);
  });
});

describe('parameters files', () => {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(new URL(`../ignition/parameters/${name}`, import.meta.url), 'utf8'));

  it('both examples can be read', () => {
    const plain = parseDeploymentParameters(read('example.json'));
    const governed = parseDeploymentParameters(read('governed.example.json'));
    assert.equal(plain.timelock, null);
    assert.equal(governed.deployment.owner, null);
    assert.equal(governed.timelock?.minDelaySeconds, 172_800n);
    assert.deepEqual({ ...plain.deployment, owner: null }, governed.deployment);
  });

  it('a misspelt fact is named, with the known ones', () => {
    const file = read('example.json') as { ReadBack: { venueDomain: object } };
    const withFacts = (facts: object) => () => parseDeploymentParameters({ ...file, ReadBack: facts });
    assert.throws(
      withFacts({ ...file.ReadBack, exchangeCodehash: '0x' }),
      /exchangeCodehash; known: .*exchangeCodeHash/,
    );
    assert.throws(
      withFacts({ venueDomain: { ...file.ReadBack.venueDomain, chain: 1 } }),
      /chain; known: name, version/,
    );
    assert.throws(() => parseDeploymentParameters({ ...file, Readback: file.ReadBack }), /Readback; known: .*ReadBack/);
  });

  it('a missing or malformed value is named', () => {
    const file = read('example.json') as { Vault: { deployment: Record<string, unknown> } };
    for (const name of Object.keys(file.Vault.deployment)) {
      for (const value of [undefined, 'nonsense', { wrong: 1 }]) {
        const deployment = { ...file.Vault.deployment, [name]: value };
        assert.throws(() => parseDeploymentParameters({ Vault: { deployment } }), new RegExp('is no'), name);
      }
    }
  });
});

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { liquidityPoolAbi, vaultAbi, venueExchangeAbi } from '@core/vault';
import { type Address, encodeFunctionData, type Hex } from 'viem';
import {
  creationHashOf,
  deployLocal,
  type LocalChain,
  type LocalDeployment,
  type LocalRpc,
} from '../../local/index.ts';
import { codeHashOf, startLocalReadBack } from '../../testing/localReadBack.ts';
import { type ExpectedDeployment } from '../../tools/deployment/deploymentParameters.ts';
import {
  type DeploymentCreation,
  type ReadBack,
  readDeployment,
} from '../../tools/deployment/read-back/readDeployment.ts';

let chain: LocalChain;
let rpc: LocalRpc;
let local: LocalDeployment;
let expected: ExpectedDeployment;
let creation: DeploymentCreation;
let snapshot: Hex;

before(async () => {
  ({ chain, rpc, local, expected, creation } = await startLocalReadBack());
  snapshot = await rpc.snapshot();
});

beforeEach(async () => {
  await rpc.revertTo(snapshot);
  snapshot = await rpc.snapshot();
});

after(() => chain.close());

/** Names of the facts that differ. */
async function differences(
  wanted: ExpectedDeployment = expected,
  others: Partial<ReadBack> = {},
): Promise<readonly string[]> {
  const { vault, pairFiller } = local.contracts;
  const addresses = { vault, pairFiller };
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
    'OrderRules code': () => changeCode(local.contracts.libraries.OrderRules),
    'OutcomeRules code': () => changeCode(local.contracts.libraries.OutcomeRules),
    'Settlement code': () => changeCode(local.contracts.libraries.Settlement),
    'VaultParts code': () => changeCode(local.contracts.libraries.VaultParts),
    'pool code': () => changeCode(local.contracts.pool),
    'account code': () => changeCode(local.contracts.accountImplementation),
    'pair filler code': () => changeCode(local.contracts.pairFiller),
    'usdc code hash': () => changeCode(local.contracts.usdc),
    'exchange code hash': () => changeCode(local.contracts.exchange),
    'conditionalTokens code hash': () => changeCode(local.contracts.conditionalTokens),
    'positionManager code hash': () => changeCode(local.contracts.positionManager),
    'positionRouter code hash': () => changeCode(local.contracts.positionRouter),
    'oracleAggregator code hash': () => changeCode(local.contracts.oracleAggregator),
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
    'exchange maximum fee of 1 to 1000 bps': () =>
      asOwner(
        local.contracts.exchange,
        encodeFunctionData({ abi: venueExchangeAbi, functionName: 'setMaxFeeRate', args: [1_001n] }),
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

  it('catches another threshold of the price signers', async () => {
    const { vault } = local.contracts;
    await asOwner(vault, vaultCall('setRole', [2, other, true]));
    await asOwner(vault, vaultCall('setPriceThreshold', [3n]));
    assert.deepEqual(await differences(), ['price threshold', 'priceSigners']);
  });

  it('catches contracts of the second ledger other than those that are meant', async () => {
    for (const [name, code] of [
      ['positionManager', ['vault code', 'account code']],
      ['positionRouter', ['vault code', 'account code']],
      ['oracleAggregator', ['vault code']],
    ] as const) {
      const deployment = { ...expected.deployment, [name]: other };
      const wrong = await differences({ ...expected, deployment });
      for (const fact of [...code, 'managed contracts', 'vault constructor arguments', `${name} code hash`]) {
        assert.ok(wrong.includes(fact), `${name}: ${fact}`);
      }
    }
  });

  it('catches an exchange other than the one that is meant, and one that now names another collateral', async () => {
    const wrong = await differences({ ...expected, deployment: { ...expected.deployment, exchange: other } });
    for (const name of ['vault code', 'account code', 'exchange', 'usdc', 'vault constructor arguments']) {
      assert.ok(wrong.includes(name), name);
    }
    const second = await deployLocal({ rpcUrl: chain.rpcUrl });
    const elsewhere = { ...expected.deployment, exchange: second.contracts.exchange };
    const named = await differences({ ...expected, deployment: elsewhere });
    for (const name of ['vault code', 'pool code', 'account code', 'usdc', 'conditionalTokens', 'exchange']) {
      assert.ok(named.includes(name), name);
    }
  });

  it('catches other code behind the redeemer or the collateral of token ids, where its hash is given', async () => {
    const facts = {
      ...expected.facts,
      ctfCollateralCodeHash: await codeHashOf(rpc, local.contracts.usdc),
      redeemerCodeHash: await codeHashOf(rpc, local.contracts.conditionalTokens),
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

  /** Also the library that only creating code links. */
  const creationFacts = [
    'VaultParts code',
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
    const [parts, at, , to, code, constructorArguments] = creationFacts;
    const another = { vault: await creationHashOf(rpc.client, local.contracts.exchange) };
    assert.deepEqual(await differences(expected, { creation: another }), [parts, at, code, constructorArguments]);
    const receipt = await asOwner(
      local.contracts.vault,
      vaultCall('setQuoteSigner', [local.roles.quoteSigner.address]),
    );
    const call = { vault: receipt.transactionHash };
    assert.deepEqual(await differences(expected, { creation: call }), [parts, at, to, code, constructorArguments]);
  });

  it('compares the constructor with its arguments, where the owner has changed something since', async () => {
    await asOwner(local.contracts.vault, vaultCall('setRole', [1, other, true]));
    const keepers = [...expected.deployment.keepers, other];
    const changed = { ...expected, deployment: { ...expected.deployment, keepers } };
    assert.deepEqual(await differences(changed), ['vault constructor arguments']);
    assert.deepEqual(await differences(changed, { createdWith: expected }), []);
  });

  it('catches events that are read from after the creation only', async () => {
    const latest = await rpc.client.getBlockNumber();
    const facts = { ...expected.facts, fromBlock: latest };
    const wrong = await differences({ ...expected, facts });
    assert.deepEqual(wrong, ['vault events read from block', 'keepers', 'priceSigners', 'oracles']);
  });

  it('reads an address without a vault as differences, not as an error', async () => {
    const rows = await readDeployment({ client: rpc.client, addresses: { vault: other }, creation, expected });
    const byName = new Map(rows.map((row) => [row.name, row]));
    assert.equal(byName.get('vault code')?.found, 'no code');
    assert.equal(byName.get('owner')?.found, 'unreadable');
    assert.equal(byName.get('keepers')?.isSame, false);
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { zeroAddress } from 'viem';
import { localVaultDeployment } from '../../local/deployLocal.ts';
import { localRoles } from '../../local/localAccounts.ts';
import { parseDeploymentParameters } from '../../tools/deployment/deploymentParameters.ts';

describe('parameters files', () => {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(new URL(`../../ignition/parameters/${name}`, import.meta.url), 'utf8'));

  it('both examples can be read', () => {
    const plain = parseDeploymentParameters(read('example.json'));
    const governed = parseDeploymentParameters(read('governed.example.json'));
    assert.equal(plain.timelock, null);
    assert.equal(governed.deployment.owner, null);
    assert.equal(governed.timelock?.minDelaySeconds, 172_800n);
    assert.deepEqual({ ...plain.deployment, owner: null }, governed.deployment);
  });

  it('the pool is that of the local chain in the examples and in the page of deployments, and every role has a spare', () => {
    const page = readFileSync(new URL('../../../docs/operate/deploy.md', import.meta.url), 'utf8');
    const [, template = ''] = /<<JSON\n([\s\S]*?)\nJSON/.exec(page) ?? [];
    const onPage: unknown = JSON.parse(template.replaceAll(/"\$\w+"/g, `"${zeroAddress}"`).replaceAll(/\$\w+/g, '1'));
    const none = { exchange: zeroAddress, positionManager: zeroAddress, positionRouter: zeroAddress };
    const local = localVaultDeployment(localRoles(), { ...none, oracleAggregator: zeroAddress });
    for (const file of [read('example.json'), read('governed.example.json'), onPage]) {
      const { poolParameters, priceThreshold, priceSigners, keepers, builders } =
        parseDeploymentParameters(file).deployment;
      assert.deepEqual(poolParameters, local.poolParameters);
      assert.deepEqual(builders, local.builders);
      assert.deepEqual([priceThreshold, priceSigners.length, keepers.length], [local.priceThreshold, 3, 2]);
    }
    // Every executor can appoint the standby quote key at any moment.
    for (const file of [read('governed.example.json'), onPage]) {
      assert.equal(parseDeploymentParameters(file).timelock?.executors.length, 2);
    }
    assert.match(template, /"executors": \["\$PROPOSER", "\$GUARDIAN"\]/);
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

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
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

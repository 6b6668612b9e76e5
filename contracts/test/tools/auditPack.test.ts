import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { contractsRoot } from '../../local/contractsRoot.ts';
import { brokenGasBars, gasBars } from '../../tools/audit-pack/gasBars.ts';
import { freshnessOf } from '../../tools/audit-pack/longRuns.ts';
import { storageLayouts, storagePage } from '../../tools/audit-pack/storageLayout.ts';
import { codeDigestOf } from '../../tools/project/codeDigest.ts';
import { stampLineOf, stampOfPage } from '../../tools/project/runStamp.ts';

const pageOf = (name: string) => readFileSync(new URL(`../../../docs/audit/${name}`, import.meta.url), 'utf8');

describe('audit pack', () => {
  it('says of storage, gas and sizes what the sources compile to, every contract under 24,576 bytes', () => {
    const run = spawnSync(process.execPath, ['tools/audit-pack/main.ts', '--check'], {
      cwd: contractsRoot,
      timeout: 120_000,
    });
    assert.equal(run.status, 0, run.stderr.toString());
  });

  it('keeps a position in four words and one for the hash of its order, and no state in its account', () => {
    const layouts = storageLayouts();
    assert.ok(layouts.Vault.some((line) => line === 'struct StoredPosition (160 bytes)'));
    assert.deepEqual(layouts.PositionAccount, []);
    assert.equal(pageOf('storage.md'), storagePage(layouts));
  });

  it('refuses gas above a bar, and a bar that was not measured', () => {
    const within = Object.fromEntries(Object.entries(gasBars).map(([name, { bar = 1 }]) => [name, String(bar)]));
    assert.deepEqual(brokenGasBars(within), []);
    assert.equal(brokenGasBars({ ...within, createPosition: '170001' }).length, 1);
    const { createPosition: _left, ...others } = within;
    assert.equal(brokenGasBars(others).length, 1);
  });

  it('says of a long run on which code it was made, and when that is not the code of now', () => {
    const now = codeDigestOf(contractsRoot);
    const stamp = { commit: '0123456789ab', codeDigest: now };
    assert.deepEqual(stampOfPage(`# Run\n\n${stampLineOf(stamp)}\n\ntext\n`), stamp);
    assert.throws(() => stampOfPage('# Run\n'));
    assert.equal(freshnessOf(stamp, now), 'these contracts');
    assert.match(freshnessOf(stamp, '0'.repeat(16)), /changed since/);
  });
});

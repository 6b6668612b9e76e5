import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readCompiled } from '../../local/compilation/compiledContract.ts';
import { contractsRoot } from '../../local/contractsRoot.ts';
import { brokenGasBars, gasBars } from '../../tools/audit-pack/gasBars.ts';
import { freshnessOf } from '../../tools/audit-pack/longRuns.ts';
import { storageLayouts, storagePage } from '../../tools/audit-pack/storageLayout.ts';
import { codeDigestOf, testsDigestOf } from '../../tools/project/codeDigest.ts';
import { stampLineOf, stampOfCheckout, stampOfPage } from '../../tools/project/runStamp.ts';

const pageOf = (name: string) => readFileSync(new URL(`../../../docs/audit/${name}`, import.meta.url), 'utf8');

describe('audit pack', () => {
  it('says of storage, gas and sizes what the sources compile to, every contract under 24,576 bytes', () => {
    const run = spawnSync(process.execPath, ['tools/audit-pack/main.ts', '--check'], {
      cwd: contractsRoot,
      timeout: 120_000,
    });
    assert.equal(run.status, 0, run.stderr.toString());
  });

  it('keeps a position in four words, one for the hash of its order and one for a grant, and no state in its account', () => {
    const layouts = storageLayouts();
    assert.ok(layouts.Vault.some((line) => line === 'struct StoredPosition (192 bytes)'));
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

  it('says of a long run on which contracts and tests it was made, and when those are not the ones of now', () => {
    const now = stampOfCheckout();
    assert.deepEqual(stampOfPage(`# Run\n\n${stampLineOf(now)}\n\ntext\n`), now);
    assert.throws(() => stampOfPage('# Run\n'));
    assert.equal(freshnessOf(now, now, true), 'these contracts and tests');
    const otherTests = { ...now, testsDigest: '0'.repeat(16) };
    assert.equal(freshnessOf(otherTests, now, true), 'these contracts, earlier tests');
    assert.equal(freshnessOf(otherTests, now, false), 'these contracts');
    assert.match(freshnessOf({ ...now, codeDigest: '0'.repeat(16) }, now, false), /changed since/);
  });

  it('knows a run by its code and by its tests, whatever is said in comments', (context) => {
    const root = mkdtempSync(join(tmpdir(), 'digests-'));
    context.after(() => rmSync(root, { recursive: true }));
    const write = (path: string, text: string) => writeFileSync(join(root, path), text);
    for (const folder of ['src', 'test']) mkdirSync(join(root, folder));
    write('src/A.sol', 'contract A {}\n');
    write('test/A.t.sol', 'contract ATest {}\n');
    const digests = () => [codeDigestOf(root), testsDigestOf(root)];
    const [code, tests] = digests();
    write('src/A.sol', '// The first letter.\ncontract  A {}\n');
    assert.deepEqual(digests(), [code, tests]);
    write('test/A.t.sol', 'contract ATest { uint256 a; }\n');
    assert.equal(digests()[0], code);
    assert.notEqual(digests()[1], tests);
    write('src/B.sol', '');
    assert.notEqual(digests()[0], code);
  });

  it('V9: leaves the vault 1,500 bytes and more to grow, with its parts in linked libraries', () => {
    const { deployedBytecode } = readCompiled('Vault');
    assert.ok((deployedBytecode.length - 2) / 2 <= 23_076);
  });
});

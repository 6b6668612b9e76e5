import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { currentTrees } from '../../local/compilation/buildTrees.ts';
import { checkFolder, isCompiled } from '../../local/compilation/compileContracts.ts';
import { compiledFolder } from '../../local/compilation/compiledContract.ts';
import { compiledFiles } from '../../local/compilation/compiledFiles.ts';
import { contractsHash } from '../../local/compilation/contractsHash.ts';
import { contractsRoot } from '../../local/contractsRoot.ts';

describe('shipped build of the contracts', () => {
  it('is byte for byte the output of the compiler for the sources of this checkout', () => {
    // Hardhat has compiled the sources before it runs this test.
    const files = compiledFiles();
    for (const [name, text] of files) assert.equal(readFileSync(join(compiledFolder, name), 'utf8'), text, name);
    assert.deepEqual(readdirSync(compiledFolder).sort(), [...files.keys(), 'stamp'].sort());
    assert.ok(isCompiled(contractsHash()));
  });

  it('reads no declaration from a run of the compiler over an older text of its source', () => {
    const name = 'project/src/interfaces/IPositionAccount.sol';
    const text = readFileSync(join(contractsRoot, 'src/interfaces/IPositionAccount.sol'), 'utf8');
    const tree = { nodeType: 'SourceUnit' };
    const runOver = (content: string) => ({
      texts: { [name]: content, 'project/src/Gone.sol': '', 'npm/library.sol': '' },
      trees: { [name]: tree, 'project/src/Gone.sol': tree, 'npm/library.sol': tree },
    });
    assert.deepEqual(Object.keys(currentTrees(runOver(text))), [name, 'npm/library.sol']);
    assert.deepEqual(Object.keys(currentTrees(runOver(`${text}\n`))), ['npm/library.sol']);
  });

  it('is not made in a folder whose name the compiler reads as parts of an address: the message names it', () => {
    for (const folder of ['/srv/a#b/contracts', '/srv/a%20b/contracts', '/srv/a?/contracts']) {
      assert.throws(() => checkFolder(folder), new RegExp(`in ${folder.replace('?', '\\?')}, .* move the checkout`));
    }
    checkFolder('/srv/a b (1)/contracts');
  });

  it('is stale: a source was changed, a file of the build was changed, is missing or was added', (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'compiled-'));
    context.after(() => rmSync(folder, { recursive: true }));
    for (const name of ['src', 'venue', 'compiled']) {
      cpSync(join(contractsRoot, name), join(folder, name), { recursive: true });
    }
    const build = join(folder, 'compiled');
    const isCurrent = () => isCompiled(contractsHash(folder), build);
    assert.ok(isCurrent());

    const source = join(folder, 'src/Vault.sol');
    const text = readFileSync(source, 'utf8');
    writeFileSync(source, `${text}\n`);
    assert.equal(isCurrent(), false);
    writeFileSync(source, text.replaceAll('\n', '\r\n'));
    assert.ok(isCurrent(), 'line ends of Windows are no change');
    writeFileSync(source, text);

    const vault = join(build, 'Vault.json');
    const code = readFileSync(vault, 'utf8');
    writeFileSync(vault, code.replace('0x61', '0x62'));
    assert.equal(isCurrent(), false);
    rmSync(vault);
    assert.equal(isCurrent(), false);
    writeFileSync(vault, code);
    assert.ok(isCurrent());

    writeFileSync(join(build, 'Other.json'), '{}');
    assert.equal(isCurrent(), false);
  });
});

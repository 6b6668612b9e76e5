import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const contractsRoot = fileURLToPath(new URL('..', import.meta.url));
const layoutFile = fileURLToPath(new URL('../../docs/audit/storageLayout.json', import.meta.url));

describe('audit pack', () => {
  it('says of storage, gas and sizes what the sources compile to, every contract under 24,576 bytes', () => {
    const run = spawnSync(process.execPath, ['scripts/auditPack.ts', '--check'], { cwd: contractsRoot });
    assert.equal(run.status, 0, run.stderr.toString());
  });

  it('keeps a position in four words, and no state in its account', () => {
    const layouts = JSON.parse(readFileSync(layoutFile, 'utf8')) as Record<string, readonly string[]>;
    assert.ok(layouts['Vault']?.some((line) => line === 'struct StoredPosition (128 bytes)'));
    assert.deepEqual(layouts['PositionAccount'], []);
  });
});

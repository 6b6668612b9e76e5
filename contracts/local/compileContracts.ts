import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const contractsRoot = fileURLToPath(new URL('..', import.meta.url));
const stampFile = join(contractsRoot, 'cache', 'localBuild.sha256');
const vaultArtifact = join(contractsRoot, 'artifacts', 'src', 'Vault.sol', 'Vault.json');
const lockFolder = join(contractsRoot, 'cache', 'localBuild.lock');
const lockPollMs = 200;
/** A build takes well under a minute; a lock older than this belongs to a process that died. */
const lockLifetimeMs = 180_000;

/**
 * Compiles the contracts when the last build was of other sources. Several programs may ask at once: one builds, the
 * others wait for it.
 */
export async function compileContracts(): Promise<void> {
  const wanted = sourcesHash();
  if (isBuilt(wanted)) return;
  await takeLock();
  try {
    if (!isBuilt(wanted)) await build(wanted);
  } finally {
    rmSync(lockFolder, { recursive: true, force: true });
  }
}

/** The compiler runs in a process of its own, so that its notices reach stderr and nobody's standard output. */
async function build(hash: string): Promise<void> {
  const cli = join(dirname(fileURLToPath(import.meta.resolve('hardhat'))), 'cli.js');
  const child = spawn(process.execPath, [cli, 'build', '--no-tests', '--quiet'], {
    cwd: contractsRoot,
    stdio: ['ignore', process.stderr, process.stderr],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the contracts do not compile (exit code ${code})`);
  writeFileSync(stampFile, stampOf(hash));
}

function isBuilt(hash: string): boolean {
  return existsSync(stampFile) && existsSync(vaultArtifact) && readFileSync(stampFile, 'utf8') === stampOf(hash);
}

/** Sources and result: a build for coverage writes the same folder with other, far larger code. */
function stampOf(sources: string): string {
  return `${sources} ${createHash('sha256').update(readFileSync(vaultArtifact)).digest('hex')}`;
}

function sourcesHash(): string {
  const hash = createHash('sha256').update(readFileSync(join(contractsRoot, 'hardhat.config.ts')));
  for (const folder of ['src', 'venue']) {
    const entries = readdirSync(join(contractsRoot, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    for (const file of files.sort()) hash.update(file).update(readFileSync(file));
  }
  return hash.digest('hex');
}

async function takeLock(): Promise<void> {
  mkdirSync(join(contractsRoot, 'cache'), { recursive: true });
  for (;;) {
    try {
      mkdirSync(lockFolder);
      return;
    } catch (cause) {
      if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
    }
    const takenAtMs = existsSync(lockFolder) ? statSync(lockFolder).mtimeMs : Date.now();
    if (Date.now() - takenAtMs > lockLifetimeMs) rmSync(lockFolder, { recursive: true, force: true });
    await sleep(lockPollMs);
  }
}

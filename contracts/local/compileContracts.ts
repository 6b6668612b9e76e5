import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { contractsRoot } from './contractsRoot.ts';
import { hardhatCli } from './hardhatCli.ts';

const stampFile = join(contractsRoot, 'cache', 'localBuild.sha256');
const vaultArtifact = join(contractsRoot, 'artifacts', 'src', 'Vault.sol', 'Vault.json');
const lockFolder = join(contractsRoot, 'cache', 'localBuild.lock');
const lockPollMs = 200;
/** Process of the compiler, which may outlive the program that started it. */
const compilerFile = join(lockFolder, 'compiler');
/** A lock that names no compiler for so long belongs to a process that died before it started one. */
const namelessLifetimeMs = 10_000;

/**
 * Compiles the contracts when the last build was of other sources. Several programs may ask at once: one builds, the
 * others wait for it.
 */
export async function compileContracts(): Promise<void> {
  const wanted = contractsHash();
  if (isBuilt(wanted)) return;
  await takeLock();
  try {
    if (!isBuilt(wanted)) await build(wanted);
  } finally {
    rmSync(lockFolder, { recursive: true, force: true });
  }
}

/** The compiler runs in a process of its own: its notices reach stderr and never the caller's standard output. */
async function build(hash: string): Promise<void> {
  const child = spawn(process.execPath, [hardhatCli, 'build', '--no-tests', '--quiet'], {
    cwd: contractsRoot,
    stdio: ['ignore', process.stderr, process.stderr],
  });
  writeFileSync(compilerFile, String(child.pid));
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

/** What the contracts are compiled from, in 64 hexadecimal digits: a chain with other contracts is another chain. */
export function contractsHash(): string {
  const hash = createHash('sha256').update(readFileSync(join(contractsRoot, 'hardhat.config.ts')));
  for (const folder of ['src', 'venue']) {
    const entries = readdirSync(join(contractsRoot, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    for (const file of files.sort()) hash.update(relative(contractsRoot, file)).update(readFileSync(file));
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
    if (isAbandoned()) rmSync(lockFolder, { recursive: true, force: true });
    await sleep(lockPollMs);
  }
}

/** True when nothing builds any more: the process that held the lock was killed. */
function isAbandoned(): boolean {
  if (existsSync(compilerFile)) return !isAlive(Number(readFileSync(compilerFile, 'utf8')));
  const takenAtMs = existsSync(lockFolder) ? statSync(lockFolder).mtimeMs : Date.now();
  return Date.now() - takenAtMs > namelessLifetimeMs;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}

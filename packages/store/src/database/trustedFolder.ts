import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';

const folderMode = 0o755;
const othersMayWrite = 0o022;
const rootUid = 0;

export interface Entry {
  readonly uid: number;
  readonly mode: number;
}

/** Folder that every user can enter, and that only root and this user can change. */
export interface TrustedFolder {
  readonly folder: string;
  /** Highest folder above it that is checked; that of the file system when absent. */
  readonly top?: string;
}

export const ownUidOf = (): number => process.getuid?.() ?? rootUid;

/** Return true for a folder whose entries only root and one user can replace. */
export function isPrivateFolder({ uid, mode }: Entry, ownUid: number): boolean {
  return (uid === rootUid || uid === ownUid) && (mode & othersMayWrite) === 0;
}

/**
 * Create a folder when it is missing, and check it.
 * @throws Error when another user can change it or a folder above it, or it is a link.
 */
export async function makeTrustedFolder({ folder, top }: TrustedFolder): Promise<void> {
  await mkdir(folder, { recursive: true, mode: folderMode });
  const isLink = (await lstat(folder)).isSymbolicLink();
  for (let current = await realpath(folder); ; current = path.dirname(current)) {
    if (isLink || !isPrivateFolder(await lstat(current), ownUidOf())) {
      throw new Error(`other users can change ${current}: make it a folder of root with mode 755, or set DATABASE_URL`);
    }
    if (current === top || current === path.dirname(current)) break;
  }
  // A umask may have closed it to other users.
  await chmod(folder, folderMode);
}

/** Return a name in a shared folder for something of another folder, always the same for the same one. */
export function nameFor(purpose: string, folder: string): string {
  const hash = createHash('sha256').update(path.resolve(folder)).digest('hex').slice(0, 16);
  return `${purpose}-${hash}`;
}

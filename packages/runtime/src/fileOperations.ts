import { closeSync, fsyncSync, ftruncateSync, openSync, renameSync, writeSync } from 'node:fs';

/** Operations on files that may fail, or stop half-way on a full disk. */
export interface FileOperations {
  /** Write bytes at the end. Returns the count that was taken, which may be lower. */
  write(handle: number, bytes: Uint8Array): number;
  truncate(handle: number, sizeBytes: number): void;
  sync(handle: number): void;
  rename(from: string, to: string): void;
}

export const systemFiles: FileOperations = {
  write: (handle, bytes) => writeSync(handle, bytes),
  truncate: ftruncateSync,
  sync: fsyncSync,
  rename: renameSync,
};

/** Write all bytes, in as many calls as they need. @throws Error of the system, with a part written */
export function writeWhole(handle: number, bytes: Uint8Array, files: FileOperations): void {
  for (let rest = bytes; rest.length > 0; ) {
    const count = files.write(handle, rest);
    if (count === 0) throw new Error('nothing more was taken');
    rest = rest.subarray(count);
  }
}

/** Codes of folders that cannot be listed, and of file systems that have no such operation for folders. */
const withoutSync: ReadonlySet<unknown> = new Set(['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOSYS', 'ENOTSUP']);

/** Bring the names of files in a folder to the disk, where the system can do that. */
export function syncFolder(folder: string, files: FileOperations): void {
  let handle: number | null = null;
  try {
    handle = openSync(folder, 'r');
    files.sync(handle);
  } catch (cause) {
    if (!withoutSync.has(codeOf(cause))) throw cause;
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

const codeOf = (cause: unknown): unknown => Reflect.get(Object(cause), 'code');

/** Return the words of the system for a failure. */
export const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** Return the sentence about a file that does not take what is written. */
export const unwrittenText = (file: string, cause: unknown): string => `${file} cannot be written: ${reasonOf(cause)}`;

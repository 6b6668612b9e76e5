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

/** Bring the names of files in a folder to the disk. */
export function syncFolder(folder: string, files: FileOperations): void {
  const handle = openSync(folder, 'r');
  try {
    files.sync(handle);
  } catch (cause) {
    // Some shared folders of virtual machines have no such operation.
    if (codeOf(cause) !== 'EINVAL') throw cause;
  } finally {
    closeSync(handle);
  }
}

const codeOf = (cause: unknown): unknown => Reflect.get(Object(cause), 'code');

/** Return the words of the system for a failure. */
export const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** Return the sentence about a file that does not take what is written. */
export const unwrittenText = (file: string, cause: unknown): string => `${file} cannot be written: ${reasonOf(cause)}`;

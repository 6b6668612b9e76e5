import { type FileOperations, systemFiles } from '../src/fileOperations.ts';

/** Files on a disk that may be full: it takes what fits, and then no more. */
export class FullDisk implements FileOperations {
  readonly truncate = systemFiles.truncate;
  readonly sync = systemFiles.sync;
  readonly rename = systemFiles.rename;
  /** Bytes that it still takes. */
  roomBytes = Number.POSITIVE_INFINITY;

  write(handle: number, bytes: Uint8Array): number {
    if (this.roomBytes <= 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const count = systemFiles.write(handle, bytes.subarray(0, this.roomBytes));
    this.roomBytes -= count;
    return count;
  }
}

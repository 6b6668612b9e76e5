import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** Log file read from its end at opening, like `tail -f`. */
export class LogFile {
  readonly #file: string;
  #offset: number;
  /** Bytes after the last line feed: an incomplete line. */
  #rest = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
    this.#offset = statSync(file).size;
  }

  /** Return the complete lines appended since the last read, each with its line feed. */
  read(): string {
    if (!existsSync(this.#file)) return '';
    const descriptor = openSync(this.#file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      // The file was truncated.
      if (size < this.#offset) [this.#offset, this.#rest] = [0, Buffer.alloc(0)];
      const added = Buffer.alloc(size - this.#offset);
      readSync(descriptor, added, 0, added.length, this.#offset);
      this.#offset = size;
      const bytes = Buffer.concat([this.#rest, added]);
      const end = bytes.lastIndexOf('\n') + 1;
      this.#rest = bytes.subarray(end);
      return bytes.subarray(0, end).toString('utf8');
    } finally {
      closeSync(descriptor);
    }
  }
}

import { closeSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type FileOperations, syncFolder, systemFiles, unwrittenText, writeWhole } from './fileOperations.ts';
import { FriendlyError } from './friendlyError.ts';
import { randomHex } from './randomHex.ts';

/** Next content of a file, readable by its owner only. The content before stays until this one is whole on the disk. */
export class FileDraft {
  readonly #file: string;
  readonly #draft: string;
  readonly #handle: number;
  readonly #files: FileOperations;
  #isPlaced = false;

  constructor(file: string, files: FileOperations = systemFiles) {
    this.#file = file;
    this.#draft = `${file}.${randomHex(4)}.draft`;
    this.#files = files;
    this.#handle = this.#do(() => openSync(this.#draft, 'wx', 0o600));
  }

  /** True when the draft is in the place of the file. */
  get isPlaced(): boolean {
    return this.#isPlaced;
  }

  /** Add content. @throws FriendlyError */
  write(content: string | Uint8Array): void {
    this.#do(() => writeWhole(this.#handle, Buffer.from(content), this.#files));
  }

  /** Put the draft in the place of the file. @throws FriendlyError */
  place(): void {
    this.#do(() => {
      this.#files.sync(this.#handle);
      this.#files.rename(this.#draft, this.#file);
      this.#isPlaced = true;
      syncFolder(path.dirname(this.#file), this.#files);
    });
  }

  /** Close the draft, and remove it unless it was placed. */
  end(): void {
    closeSync(this.#handle);
    if (!this.#isPlaced) rmSync(this.#draft, { force: true });
  }

  #do<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (cause) {
      throw new FriendlyError(unwrittenText(this.#file, cause), { cause });
    }
  }
}

/** Replace a file, or leave it as it is. Readers see the old content or the new one. @throws FriendlyError */
export function replaceFile(file: string, content: string | Uint8Array): void {
  const draft = new FileDraft(file);
  try {
    draft.write(content);
    draft.place();
  } finally {
    draft.end();
  }
}

import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '@core/errors';
import type { Logger } from './createLogger.ts';
import { FileDraft } from './fileDraft.ts';
import { type FileOperations, reasonOf, syncFolder, systemFiles, unwrittenText, writeWhole } from './fileOperations.ts';
import { FriendlyError } from './friendlyError.ts';
import { encodeLine, type LineFile, readLineFile } from './lineFile.ts';

export interface AppendedLinesOptions<Line> extends LineFile<Line> {
  readonly logger: Pick<Logger, 'warn'>;
  /** True when a line must outlive a power cut, and not the process alone. */
  readonly isSynced: boolean;
  /** Return lines that say the same: they replace those of the file when it is opened. */
  readonly compact?: (lines: readonly Line[]) => readonly Line[];
  readonly files?: FileOperations;
}

/**
 * Append-only file of JSON lines. A line is in the file as a whole when `append` returns, and not at all when it
 * throws: what cannot be cut off again at once is cut off before the next line. See
 * packages/runtime/DECISIONS.md#a-line-is-written-as-a-whole-or-cut-off-again.
 */
export class AppendedLines<Line> {
  /** Lines at the opening, compacted. */
  readonly lines: readonly Line[];
  readonly #options: AppendedLinesOptions<Line>;
  readonly #files: FileOperations;
  readonly #handle: number;
  #sizeBytes: number;
  /** False while the file may end with more than its lines, or its name is not on the disk. */
  #isClean = false;

  /** Open a file or begin one. @throws FriendlyError when it cannot be opened, or a line before the last is damaged. */
  constructor(options: AppendedLinesOptions<Line>) {
    const { file, logger, compact, files = systemFiles } = options;
    this.#options = options;
    this.#files = files;
    const { lines, sizeBytes, damage } = readLineFile(options);
    if (damage !== null) logger.warn({ file, ...damage }, 'the last line was not written whole and is cut off');
    this.lines = compact?.(lines) ?? lines;
    try {
      mkdirSync(path.dirname(file), { recursive: true });
      this.#sizeBytes = (compact === undefined ? null : this.#replaced()) ?? sizeBytes;
      this.#handle = openSync(file, 'a', 0o600);
    } catch (cause) {
      throw new FriendlyError(unwrittenText(file, cause), { cause });
    }
  }

  /** Append a line. @throws Fault retryable: nothing of the line counts then */
  append(line: Line): void {
    const bytes = encodeLine(line);
    this.#change(() => {
      this.#write(bytes);
      this.#sizeBytes += bytes.length;
    });
  }

  /** Check that the disk takes this many bytes. @throws Fault retryable */
  checkRoom(sizeBytes: number): void {
    this.#change(() => {
      this.#write(Buffer.alloc(sizeBytes, ' '));
      this.#clean();
    });
  }

  close(): void {
    closeSync(this.#handle);
  }

  /** Replace the file by the compacted lines and return their size; null when the file before had to stay. */
  #replaced(): number | null {
    const { file, logger } = this.#options;
    const bytes = Buffer.concat(this.lines.map(encodeLine));
    let draft: FileDraft | null = null;
    try {
      draft = new FileDraft(file, this.#files);
      draft.write(bytes);
      draft.place();
    } catch (error) {
      if (!(error instanceof FriendlyError)) throw error;
      logger.warn({ file, reason: error.message }, 'the file was not compacted: lines are appended to it as it is');
    } finally {
      draft?.end();
    }
    return draft?.isPlaced === true ? bytes.length : null;
  }

  /** Change the file. What a failure leaves of the change is cut off. */
  #change(work: () => void): void {
    try {
      if (!this.#isClean) this.#clean();
      this.#isClean = false;
      work();
      this.#isClean = true;
    } catch (cause) {
      const { file } = this.#options;
      const message = `${unwrittenText(file, cause)}${this.#cutOff()}`;
      throw new Fault({ origin: 'store', kind: 'retryable', message, cause });
    }
  }

  #write(bytes: Uint8Array): void {
    writeWhole(this.#handle, bytes, this.#files);
    if (this.#options.isSynced) this.#files.sync(this.#handle);
  }

  #clean(): void {
    this.#files.truncate(this.#handle, this.#sizeBytes);
    if (this.#options.isSynced) {
      this.#files.sync(this.#handle);
      syncFolder(path.dirname(this.#options.file), this.#files);
    }
    this.#isClean = true;
  }

  /** Cut off what is behind the lines. Returns the words that say why it is still there. */
  #cutOff(): string {
    try {
      if (!this.#isClean) this.#clean();
      return '';
    } catch (cause) {
      return `, and the part was not cut off: ${reasonOf(cause)}`;
    }
  }
}

import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';

/** Prefix of whole numbers beyond 53 bits, which are written as text. No text of a line begins with it. */
const bigintPrefix = 'bigint:';

const encode = (line: unknown): string =>
  JSON.stringify(line, (_key, value: unknown) => (typeof value === 'bigint' ? `${bigintPrefix}${value}` : value));

const decode = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(bigintPrefix) ? BigInt(value.slice(bigintPrefix.length)) : value,
  );

/** Read the lines of a file. A last line without its end was not written completely and is dropped. */
export function readLines(file: string): readonly unknown[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const end = text.lastIndexOf('\n');
  return end < 0 ? [] : text.slice(0, end).split('\n').map(decode);
}

/** Append-only file of JSON lines. A line is on the disk when `append` returns. */
export class AppendedLines {
  readonly #file: number;

  /** Replace the file by these lines and append to it from then on. */
  constructor(file: string, lines: readonly unknown[]) {
    mkdirSync(path.dirname(file), { recursive: true });
    const draft = openSync(`${file}.draft`, 'w', 0o600);
    writeSync(draft, lines.map((line) => `${encode(line)}\n`).join(''));
    fsyncSync(draft);
    closeSync(draft);
    renameSync(`${file}.draft`, file);
    this.#file = openSync(file, 'a');
  }

  append(line: unknown): void {
    writeSync(this.#file, `${encode(line)}\n`);
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

import { deepStrictEqual } from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Fault } from '@core/errors';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { FullDisk } from '../testing/fullDisk.ts';
import { AppendedLines, type AppendedLinesOptions } from './appendedLines.ts';
import { type FileOperations, systemFiles } from './fileOperations.ts';
import { FriendlyError } from './friendlyError.ts';
import { readLineFile } from './lineFile.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const newFile = (): string => path.join(folder, `${(count += 1)}`, 'lines.ndjson');

const schema = z.object({ text: z.string(), units: z.bigint() });
type Line = z.output<typeof schema>;
const remedy = 'Remove the damaged part.';
const silent = { warn: () => undefined };

/** Behaviour of one call: it succeeds, takes so many bytes, or fails. */
type Outcome = 'succeeds' | 'fails' | number;

/** File system whose calls behave as listed, over and over, and the calls that failed. */
function failingFiles(outcomes: readonly Outcome[]) {
  let index = 0;
  const failed = new Set<string>();
  const next = (name: string): Outcome => {
    const outcome = outcomes[(index += 1) % outcomes.length] ?? 'succeeds';
    if (outcome !== 'fails') return outcome;
    failed.add(name);
    throw new Error(`${name} failed`);
  };
  const files: FileOperations = {
    write: (handle, bytes) => {
      const outcome = next('write');
      return systemFiles.write(handle, typeof outcome === 'number' ? bytes.subarray(0, outcome) : bytes);
    },
    truncate: (handle, sizeBytes) => {
      next('truncate');
      systemFiles.truncate(handle, sizeBytes);
    },
    sync: () => {
      next('sync');
    },
    rename: (from, to) => {
      next('rename');
      systemFiles.rename(from, to);
    },
  };
  return { files, failed };
}

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  { weight: 4, arbitrary: fc.constant('succeeds' as const) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 2, arbitrary: fc.constant('fails' as const) },
);
const line = fc.record(
  { text: fc.string({ unit: 'binary', maxLength: 20 }), units: fc.bigInt({ min: 0n }) },
  { noNullPrototype: true },
);
const step = fc.oneof({ weight: 5, arbitrary: line }, fc.constantFrom('open' as const, 'check room' as const));

/** A journal, and the lines that it must have. */
class Run {
  readonly #file = newFile();
  readonly #options: AppendedLinesOptions<Line>;
  readonly #failed: Set<string>;
  readonly #lines: Line[] = [];
  /** Lines since the last whole one whose sync failed, and then the cut: one of them may be in the file. */
  #uncut: Line[] = [];
  #journal: AppendedLines<Line>;

  constructor(outcomes: readonly Outcome[], options: Pick<AppendedLinesOptions<Line>, 'isSynced' | 'compact'>) {
    const { files, failed } = failingFiles(outcomes);
    this.#failed = failed;
    this.#options = { ...options, file: this.#file, schema, remedy, logger: silent, files };
    this.#journal = new AppendedLines(this.#options);
  }

  openAgain(): void {
    this.#journal.close();
    this.#journal = new AppendedLines(this.#options);
    this.#compare(this.#journal.lines);
  }

  checkRoom(): void {
    faultOf(() => this.#journal.checkRoom(100));
  }

  append(line: Line): void {
    this.#failed.clear();
    if (faultOf(() => this.#journal.append(line)) === null) {
      this.#lines.push(line);
      this.#uncut = [];
    } else if (this.#failed.has('truncate') && this.#failed.has('sync')) this.#uncut.push(line);
  }

  /** Close the journal, read it, and return the files beside it with its own. */
  end(): readonly string[] {
    this.#journal.close();
    this.#compare(readLineFile(this.#options).lines);
    return readdirSync(path.dirname(this.#file));
  }

  #compare(lines: readonly Line[]): void {
    const extra = lines[this.#lines.length];
    if (extra !== undefined && this.#uncut.some((line) => isDeepStrictEqual(line, extra))) this.#lines.push(extra);
    deepStrictEqual(lines, this.#lines);
    this.#uncut = [];
  }
}

/** Return the fault of a call; null when it returned. */
function faultOf(call: () => void): Fault | null {
  try {
    call();
    return null;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

test('any lines, and any short writes and failures → what reads back are the lines whose call returned', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 30 }),
      fc.array(outcome, { minLength: 1, maxLength: 40 }),
      fc.record({ isSynced: fc.boolean(), isCompacted: fc.boolean() }),
      (steps, outcomes, { isSynced, isCompacted }) => {
        const compact = isCompacted ? { compact: (all: readonly Line[]) => all } : {};
        const run = new Run(outcomes, { isSynced, ...compact });
        for (const one of steps) {
          if (one === 'open') run.openAgain();
          else if (one === 'check room') run.checkRoom();
          else run.append(one);
        }
        expect(run.end()).toEqual(['lines.ndjson']);
      },
    ),
    { numRuns: 300 },
  );
});

/** Open a file with this content, and return its lines, the warnings, and the content after another line. */
function opened(content: string) {
  const file = newFile();
  const warnings: unknown[] = [];
  const logger = { warn: (...words: unknown[]) => void warnings.push(words) };
  new AppendedLines({ file, schema, remedy, logger: silent, isSynced: true }).close();
  writeFileSync(file, content);
  const journal = new AppendedLines({ file, schema, remedy, logger, isSynced: true });
  journal.append({ text: 'next', units: 2n });
  journal.close();
  return { lines: journal.lines, warnings, after: readFileSync(file, 'utf8') };
}

const whole = '{"text":"a","units":"bigint:1"}\n';
const next = '{"text":"next","units":"bigint:2"}\n';

test.each([
  ['has no end', `${whole}{"text":"b","uni`, 1],
  ['has the end of another write', `${whole}{"text":"b","uni\n`, 1],
  ['is the first', '{"te', 0],
  ['is the first and has an end', '{"te\n', 0],
  ['is the first, of zeros', '\0\0', 0],
  ['is the first, of blanks', '   ', 0],
  ['is filled with zeros by a power cut', `${whole}\0\0\0\0`, 1],
] as const)('the last line %s → it is cut off and named', (_name, content, lineCount) => {
  const { lines, warnings, after } = opened(content);
  expect(lines.length).toBe(lineCount);
  expect(after).toBe(`${whole.repeat(lineCount)}${next}`);
  expect(warnings).toEqual([[expect.objectContaining({ line: lineCount + 1 }), expect.any(String)]]);
});

test.each([
  ['a line before the last', `${whole}{"text\n${whole}`, 2],
  ['a half line with a whole one behind it, before the last', `${whole}{"text":"b${whole}${whole}`, 2],
  ['a half line with a whole one behind it, as the last', `${whole}{"text":"b${whole}`, 2],
  ['two lines at the end', `${whole}{"text\n{"text`, 2],
  ['a whole line of another form', `${whole}{"text":"b"}\n`, 2],
  ['the first line of another file', 'secret\n', 1],
  ['another file without the end of a line', '0xsecret', 1],
])('%s → refused with file and line, and left as it is', (_name, content, lineNumber) => {
  const file = newFile();
  const options = { file, schema, remedy, logger: silent, isSynced: true, compact: (all: readonly Line[]) => all };
  new AppendedLines(options).close();
  writeFileSync(file, content);
  const open = () => new AppendedLines(options);
  expect(open).toThrow(FriendlyError);
  expect(open).toThrow(new RegExp(`^Line ${lineNumber} of ${file} cannot be read: .*\\. ${remedy}$`));
  expect(readFileSync(file, 'utf8')).toBe(content);
});

test('a file that cannot be compacted is appended to as it is, and the draft is removed', () => {
  const file = newFile();
  const compact = (): readonly Line[] => [{ text: 'c', units: 3n }];
  const options = { file, schema, remedy, logger: silent, isSynced: true };
  const first = new AppendedLines(options);
  first.append({ text: 'a', units: 1n });
  first.close();
  appendFileSync(file, '{"text":');
  const disk = new FullDisk();
  disk.roomBytes = 8;
  const second = new AppendedLines({ ...options, compact, files: disk });
  disk.roomBytes = 1_000;
  second.append({ text: 'next', units: 2n });
  second.close();
  expect(readFileSync(file, 'utf8')).toBe(`${whole}${next}`);
  expect(readdirSync(path.dirname(file))).toEqual(['lines.ndjson']);
});

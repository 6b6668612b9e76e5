import { existsSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { reasonOf } from './fileOperations.ts';
import { FriendlyError } from './friendlyError.ts';

/** File of JSON lines, and the form of a line. */
export interface LineFile<Line> {
  readonly file: string;
  readonly schema: z.ZodType<Line>;
  /** Sentence for the operator of a file with a damaged line: the one thing to do. */
  readonly remedy: string;
}

/** Lines of a file, with the last one if that is damaged. */
export interface ReadLines<Line> {
  readonly lines: readonly Line[];
  /** Size of these lines in the file. */
  readonly sizeBytes: number;
  /** Last line, which was not written whole; null when every line is. */
  readonly damage: { readonly line: number; readonly reason: string } | null;
}

/** Prefix of whole numbers beyond 53 bits, which are written as text. No text of a line begins with it. */
const bigintPrefix = 'bigint:';

/** Return a line with its end. */
export function encodeLine(line: unknown): Buffer {
  const textOf = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${bigintPrefix}${value}` : value);
  return Buffer.from(`${JSON.stringify(line, textOf)}\n`);
}

const decode = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(bigintPrefix) ? BigInt(value.slice(bigintPrefix.length)) : value,
  );

/**
 * Read the lines of a file; a file that is absent has none. A last line that was not written whole is left out.
 * @throws FriendlyError naming file and line for any other line that is damaged or of another form.
 */
export function readLineFile<Line>(format: LineFile<Line>): ReadLines<Line> {
  const { file, remedy } = format;
  const bytes = bytesOf(file);
  const endBytes = bytes.lastIndexOf('\n') + 1;
  const texts = bytes.subarray(0, endBytes).toString().split('\n').slice(0, -1);
  const isEnded = endBytes === bytes.length;
  const lines: Line[] = [];
  for (const [index, text] of texts.entries()) {
    const parsed = parseLine(format, text);
    if ('value' in parsed) {
      lines.push(parsed.value);
      continue;
    }
    const { reason, isPart } = parsed;
    const line = index + 1;
    if (!isPart || !isEnded || line < texts.length || (line === 1 && !text.startsWith('{'))) {
      throw new FriendlyError(`Line ${line} of ${file} cannot be read: ${reason}. ${remedy}`);
    }
    const lastBytes = endBytes === 1 ? 0 : bytes.lastIndexOf('\n', endBytes - 2) + 1;
    return { lines, sizeBytes: lastBytes, damage: { line, reason } };
  }
  // Another file, such as one with a key: the first line begins with a brace, or is blank after a failure.
  if (texts.length === 0 && !isEnded && !/^[\s\0]*(\{|$)/.test(bytes.toString())) {
    throw new FriendlyError(`Line 1 of ${file} cannot be read: it is no line of this file. ${remedy}`);
  }
  const damage = isEnded ? null : { line: texts.length + 1, reason: 'it has no end' };
  return { lines, sizeBytes: endBytes, damage };
}

function bytesOf(file: string): Buffer {
  try {
    return existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  } catch (cause) {
    throw new FriendlyError(`${file} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

type Parsed<Line> =
  | { readonly value: Line }
  /** `isPart`: it may be part of one line, and holds no whole one. */
  | { readonly reason: string; readonly isPart: boolean };

function parseLine<Line>({ schema }: LineFile<Line>, text: string): Parsed<Line> {
  const value = jsonOf(text);
  if (value !== undefined) {
    const parsed = schema.safeParse(value);
    if (parsed.success) return { value: parsed.data };
    const [issue] = parsed.error.issues;
    return { reason: `it is no line of this file (${issue?.path.join('.')}: ${issue?.message})`, isPart: false };
  }
  // A write that stopped half-way, with the next line behind it.
  for (let start = text.indexOf('{', 1); start > 0; start = text.indexOf('{', start + 1)) {
    if (schema.safeParse(jsonOf(text.slice(start))).success) {
      return { reason: `a part of a line stands before the whole line in column ${start + 1}`, isPart: false };
    }
  }
  return { reason: 'it is not JSON', isPart: true };
}

/** Return the value of a text; undefined when it is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return decode(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

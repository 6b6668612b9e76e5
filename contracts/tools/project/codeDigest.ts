import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Solidity without its comments, every run of white space as one. */
export function codeOf(source: string): string {
  return source
    .replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The first 16 hexadecimal digits of SHA-256. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Path in a folder → digest of its code, of every Solidity file in it. */
export function fileDigestsOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.sol'));
  const digests = files
    .sort()
    .map((file) => [file, digestOf(codeOf(readFileSync(join(folder, file), 'utf8')))] as const);
  return Object.fromEntries(digests);
}

/**
 * Digest of the contracts that a record describes, over each file of `src` without comments and white space, so that it
 * changes with the code and not with what is said of it.
 *
 * @param root Of the contracts.
 */
export function codeDigestOf(root: string): string {
  return digestOfAll(join(root, 'src'));
}

/** By which Solidity tests a record was made: the same over every file of `test`. */
export function testsDigestOf(root: string): string {
  return digestOfAll(join(root, 'test'));
}

function digestOfAll(folder: string): string {
  return digestOf(JSON.stringify(fileDigestsOf(folder)));
}

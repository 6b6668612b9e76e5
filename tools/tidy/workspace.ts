import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A text file of the repository: path from the root with forward slashes, and content. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A rule broken in one place. `where` is `path` or `path:line`. */
export interface Offence {
  readonly where: string;
  readonly what: string;
}

export const repositoryRoot = join(dirname(fileURLToPath(import.meta.url)), '../..');

const textEndings = /\.(ts|tsx|js|mjs|sol|md|json|yaml|yml|sql|prisma|csv|html|css)$/;

/** Return every text file that is tracked or would be, so that new files are judged before they are committed. */
export function readRepository(): SourceFile[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return listed
    .split('\0')
    .filter((path) => textEndings.test(path) && path !== 'pnpm-lock.yaml' && existsSync(join(repositoryRoot, path)))
    .map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), 'utf8') }));
}

/** Return the lockfile, which no other rule reads. */
export function readLockfile(): SourceFile {
  const path = 'pnpm-lock.yaml';
  return { path, text: readFileSync(join(repositoryRoot, path), 'utf8') };
}

export const isTest = (path: string): boolean =>
  /\.(test|prop\.test|test-d|bench)\.ts$/.test(path) || path.endsWith('.t.sol') || /(^|\/)(test|testing)\//.test(path);

export const isGenerated = (path: string): boolean =>
  /(^|\/)generated\//.test(path) ||
  path.endsWith('.vectors.json') ||
  path.endsWith('openapi.json') ||
  path.startsWith('docs/errors/') ||
  path.startsWith('contracts/snapshots/');

export const isTypeScript = (path: string): boolean => /\.tsx?$/.test(path) && !path.endsWith('.d.ts');

/** Return the folder of the workspace package that holds the path, or `''` for root files. */
export function packageOf(path: string): string {
  const [first, second] = path.split('/');
  if (['packages', 'apps', 'lab', 'examples'].includes(first ?? '')) return `${first}/${second}`;
  return ['contracts', 'bench', 'tools'].includes(first ?? '') ? (first ?? '') : '';
}

/** Return the area of an offence: a package, `docs`, or `.` for files outside both. */
export function areaOf(where: string): string {
  return packageOf(where) || (where.startsWith('docs/') ? 'docs' : '.');
}

/** Return the line number (from 1) of a character offset. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

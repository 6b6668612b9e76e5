import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** File with its response headers. */
export interface BuiltFile {
  readonly contentType: string;
  readonly body: Buffer;
  readonly gzipped: Buffer;
  /** True when the name contains a hash of the content, so that browsers may cache it forever. */
  readonly isImmutable: boolean;
}

const room = fileURLToPath(new URL('../..', import.meta.url));
const dist = path.join(room, 'dist');
const sources = [
  'web',
  'src',
  'vite.config.ts',
  '../../packages/sdk/src',
  '../../packages/position/src',
  '../../packages/pricing/src',
];
const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Return the built pages by path, `/` included. Build them first when a source is newer. */
export async function builtFiles(): Promise<ReadonlyMap<string, BuiltFile>> {
  if (isStale()) {
    const { build } = await import('vite');
    const configFile = path.join(room, 'vite.config.ts');
    // The exit page first: the file whose age is checked is the last one written.
    for (const mode of ['exit', 'production']) await build({ configFile, mode, logLevel: 'error' });
    dropOldFiles(path.join(dist, 'assets'), Date.now());
  }
  const names = filesIn(dist).map((file) => path.relative(dist, file));
  const files = new Map(names.map((name) => [`/${name.split(path.sep).join('/')}`, readBuilt(name)]));
  const index = files.get('/index.html');
  return index === undefined ? files : files.set('/', index);
}

function readBuilt(name: string): BuiltFile {
  const body = readFileSync(path.join(dist, name));
  return {
    contentType: contentTypes[path.extname(name)] ?? 'application/octet-stream',
    body,
    gzipped: gzipSync(body, { level: 9 }),
    isImmutable: name.startsWith('assets'),
  };
}

function isStale(): boolean {
  const built = path.join(dist, 'index.html');
  return !existsSync(built) || sources.some((source) => newestMsOf(path.join(room, source)) > writtenMsOf(built));
}

const writtenMsOf = (file: string): number => statSync(file).mtimeMs;

function newestMsOf(place: string): number {
  return statSync(place).isDirectory() ? Math.max(0, ...filesIn(place).map(writtenMsOf)) : writtenMsOf(place);
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** A week, and about twelve builds where there are many in a week. A tab loads the files of its own build. */
const limits = { maxAgeMs: 7 * 86_400_000, maxFiles: 600 };

/** Delete the files of earlier builds that are too old or too many. A build writes all of its own files again. */
export function dropOldFiles(folder: string, nowMs: number, { maxAgeMs, maxFiles } = limits): void {
  if (!existsSync(folder)) return;
  const files = filesIn(folder).toSorted((left, right) => writtenMsOf(right) - writtenMsOf(left));
  const old = files.filter((file, index) => index >= maxFiles || nowMs - writtenMsOf(file) > maxAgeMs);
  for (const file of old) rmSync(file);
}

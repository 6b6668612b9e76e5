import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { repositoryRoot } from '../tidy/workspace.ts';
import { type FailedFile, failedFilesOf, unsteadyLines } from './failedFiles.ts';

/** Failed files above which a package is not run again: so many are broken, not unsteady. */
const maxFiles = 5;

/** Outcome of a second try: lines that name what passed only then; null where something failed again. */
export type SecondTry = readonly string[] | null;

/**
 * Run the failed files of a package once more, one after the other.
 *
 * @param folder Folder of the package, absolute.
 * @param script Script of its manifest that ran them: `test`, `test:real` or `test:long`.
 * @param resultsFolder Folder in which the first run left its results. Without results the whole script is run again.
 */
export function runAgain(folder: string, script: string, resultsFolder: string): SecondTry {
  const resultsFile = join(resultsFolder, `${basename(folder)}.json`);
  const place = relative(repositoryRoot, folder);
  const files: readonly FailedFile[] = existsSync(resultsFile) ? failedFilesOf(readFileSync(resultsFile, 'utf8')) : [];
  rmSync(resultsFile, { force: true });
  if (files.length > maxFiles) return null;
  const runs = files.length === 0 ? [[]] : files.map(({ file }) => [relative(folder, file)]);
  for (const args of runs) {
    process.stdout.write(`\n── once more, alone: ${place} ${args.join(' ')}\n`);
    const { status } = spawnSync('npx', ['-y', 'pnpm@12', 'run', script, ...args], { cwd: folder, stdio: 'inherit' });
    if (status !== 0) return null;
  }
  return files.length === 0 ? [`unsteady: ${place} › (whole package)`] : unsteadyLines(files, repositoryRoot);
}

import { execFileSync } from 'node:child_process';
import { repositoryRoot } from '../tidy/workspace.ts';

const maxColumns = 72;
const form = /^(?<scope>[a-z][a-z0-9-]*(?:, [a-z][a-z0-9-]*)*): (?<verb>[a-z]+)\b/;

/** Return the fault of a commit subject, which is `scope: imperative` in at most 72 columns; null for a good one. */
export function subjectFault(subject: string): string | null {
  if (subject.length > maxColumns) return `${subject.length} columns; the limit is ${maxColumns}`;
  const verb = form.exec(subject)?.groups?.['verb'];
  if (verb === undefined) return 'the form is "scope: imperative"';
  if (/(?:[^e]ed|ing)$/.test(verb)) return `"${verb}" is no imperative`;
  return subject.endsWith('.') ? 'a subject has no full stop' : null;
}

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Return the first base of a change that this checkout has; null on the base itself or in a shallow clone. */
function baseOf(): string | null {
  for (const name of ['origin/main', 'main']) {
    try {
      return git('merge-base', name, 'HEAD');
    } catch {
      // The checkout does not have this branch.
    }
  }
  return null;
}

/** Judges the subjects of all commits since a base, by default main: `node tools/run/commitSubjects.ts [base]`. */
function main(base: string | null): void {
  const log = base === null ? '' : git('log', '--no-merges', '--format=%h %s', `${base}..HEAD`);
  const faults = log.split('\n').flatMap((line) => {
    const fault = line === '' ? null : subjectFault(line.slice(line.indexOf(' ') + 1));
    return fault === null ? [] : [`${line}: ${fault}`];
  });
  process.stdout.write(faults.length === 0 ? 'commit subjects: all good\n' : `${faults.join('\n')}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

if (import.meta.main) main(process.argv[2] ?? baseOf());

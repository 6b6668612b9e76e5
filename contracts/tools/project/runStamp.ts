import { spawnSync } from 'node:child_process';
import { contractsRoot } from '../../local/contractsRoot.ts';
import { codeDigestOf } from './codeDigest.ts';

/** On what a long run was made. */
export interface RunStamp {
  /** Short hash, with `+` behind it where contracts or tests held changes that were not committed. */
  readonly commit: string;
  readonly codeDigest: string;
}

const stampLine = /^Run on commit `(?<commit>[^`]+)`, code `(?<codeDigest>[0-9a-f]{16})`\.$/m;

/** The line that every page of a long run carries. */
export function stampLineOf({ commit, codeDigest }: RunStamp): string {
  return `Run on commit \`${commit}\`, code \`${codeDigest}\`.`;
}

/** The checkout as it is now; the commit is `unknown` outside of a repository. */
export function stampOfCheckout(): RunStamp {
  const git = (...args: readonly string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd: contractsRoot, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };
  const commit = git('rev-parse', '--short=12', 'HEAD') ?? 'unknown';
  const isChanged = (git('status', '--porcelain', '--', 'src', 'test') ?? '') !== '';
  return { commit: `${commit}${isChanged ? '+' : ''}`, codeDigest: codeDigestOf(contractsRoot) };
}

/** The stamp of a page. @throws when it carries none. */
export function stampOfPage(text: string): RunStamp {
  const groups = stampLine.exec(text)?.groups as RunStamp | undefined;
  if (groups === undefined) throw new Error('a page of a long run does not say what it was run on');
  return { commit: groups.commit, codeDigest: groups.codeDigest };
}

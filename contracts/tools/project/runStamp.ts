import { contractsRoot } from '../../local/contractsRoot.ts';
import { codeDigestOf, testsDigestOf } from './codeDigest.ts';

/** On what a long run was made. By digests and no commit: a commit can be rewritten, and the digest be looked up. */
export interface RunStamp {
  /** Day of the run, UTC. */
  readonly date: string;
  readonly codeDigest: string;
  readonly testsDigest: string;
}

const stampLine =
  /^Run on (?<date>[-\d]{10}): contracts `(?<codeDigest>\w{16})`, Solidity tests `(?<testsDigest>\w{16})`\.$/m;

/** The line that every page of a long run carries. */
export function stampLineOf({ date, codeDigest, testsDigest }: RunStamp): string {
  return `Run on ${date}: contracts \`${codeDigest}\`, Solidity tests \`${testsDigest}\`.`;
}

/** The checkout as it is now. */
export function stampOfCheckout(): RunStamp {
  return {
    date: new Date().toISOString().slice(0, 10),
    codeDigest: codeDigestOf(contractsRoot),
    testsDigest: testsDigestOf(contractsRoot),
  };
}

/** The stamp of a page. @throws when it carries none. */
export function stampOfPage(text: string): RunStamp {
  const groups = stampLine.exec(text)?.groups;
  const { date, codeDigest, testsDigest } = groups ?? {};
  if (date === undefined || codeDigest === undefined || testsDigest === undefined) {
    throw new Error('a page of a long run does not say what it was run on');
  }
  return { date, codeDigest, testsDigest };
}

import { type RunStamp, stampOfPage } from '../project/runStamp.ts';

/** A run that takes too long for every change, and the page of `docs/audit` that says what came of it. */
interface LongRun {
  readonly page: string;
  readonly script: string;
  readonly says: string;
}

const longRuns: readonly LongRun[] = [
  { page: 'deep.md', script: 'test:deep', says: 'every Solidity test with long runs' },
  { page: 'differential.md', script: 'test:differential', says: 'TypeScript = Solidity on random vectors' },
  { page: 'coverage.md', script: 'coverage', says: 'lines and statements the tests reach' },
  { page: 'mutation.md', script: 'mutate', says: 'how many changes of the code the tests notice' },
  { page: 'proofs.md', script: 'prove', says: 'what the model checker proves' },
];

/** What a page was run on against the contracts as they are now. */
export function freshnessOf(stamp: RunStamp, codeDigest: string): string {
  return stamp.codeDigest === codeDigest ? 'these contracts' : 'earlier contracts: they have changed since';
}

/** @param textOf Reads a page of `docs/audit` by its name. */
export function longRunRows(textOf: (page: string) => string, codeDigest: string): readonly string[] {
  return longRuns.map(({ page, script, says }) => {
    const stamp = stampOfPage(textOf(page));
    return `| [${says}](${page}) | \`${script}\` | \`${stamp.commit}\` | ${freshnessOf(stamp, codeDigest)} |`;
  });
}

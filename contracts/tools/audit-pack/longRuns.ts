import { type RunStamp, stampOfPage } from '../project/runStamp.ts';

/** A run that takes too long for every change, and the page of `docs/audit` that says what came of it. */
interface LongRun {
  readonly page: string;
  readonly script: string;
  readonly says: string;
  /** True when it is about the Solidity tests, false when about the contracts alone. */
  readonly isOfTests: boolean;
}

const longRuns: readonly LongRun[] = [
  { page: 'deep.md', script: 'test:deep', says: 'every Solidity test with long runs', isOfTests: true },
  {
    page: 'differential.md',
    script: 'test:differential',
    says: 'TypeScript = Solidity on random vectors',
    isOfTests: false,
  },
  { page: 'coverage.md', script: 'coverage', says: 'lines and statements the tests reach', isOfTests: true },
  { page: 'mutation.md', script: 'mutate', says: 'how many changes of the code the tests notice', isOfTests: true },
  { page: 'proofs.md', script: 'prove', says: 'what the model checker proves', isOfTests: false },
];

/** Compare the contracts and tests of a run with those of now. */
export function freshnessOf(stamp: RunStamp, now: Omit<RunStamp, 'date'>, isOfTests: boolean): string {
  if (stamp.codeDigest !== now.codeDigest) return 'earlier contracts: they have changed since';
  if (!isOfTests) return 'these contracts';
  return stamp.testsDigest === now.testsDigest ? 'these contracts and tests' : 'these contracts, earlier tests';
}

/** @param textOf Reads a page of `docs/audit` by its name. */
export function longRunRows(textOf: (page: string) => string, now: Omit<RunStamp, 'date'>): readonly string[] {
  return longRuns.map(({ page, script, says, isOfTests }) => {
    const stamp = stampOfPage(textOf(page));
    return `| [${says}](${page}) | \`${script}\` | ${stamp.date} | ${freshnessOf(stamp, now, isOfTests)} |`;
  });
}

import { mergeConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import base, { stackLimits } from '../../vitest.base.ts';

const startsOwnStack = ({ moduleId }: TestSpecification): boolean =>
  moduleId.endsWith('/providerAndOperator.real.test.ts');

/** The file with a stack of its own runs before the others start theirs: one stack at a time. */
class OwnStackFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => Number(startsOwnStack(right)) - Number(startsOwnStack(left)));
  }
}

// Files run one after the other: they share a stack, and the first one builds the pages.
export default mergeConfig(base, {
  test: {
    ...stackLimits,
    globalSetup: './testing/serveSharedStack.ts',
    fileParallelism: false,
    sequence: { sequencer: OwnStackFirst },
  },
});

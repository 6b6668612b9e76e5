import { beforeEach } from 'vitest';

/** Skip the tests of a file after its first failure: they share one stack, and each would wait until its limit. */
export function restOnEachOther(): void {
  let hasFailed = false;
  beforeEach(({ skip, onTestFailed }) => {
    if (hasFailed) skip('a test before it failed');
    onTestFailed(() => {
      hasFailed = true;
    });
  });
}

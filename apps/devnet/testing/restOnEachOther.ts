import { beforeEach } from 'vitest';

/**
 * The tests of a file live on one stack: after the first that fails the others have nothing to rest on, and each would
 * wait until its limit. They are skipped.
 */
export function restOnEachOther(): void {
  let hasFailed = false;
  beforeEach(({ skip, onTestFailed }) => {
    if (hasFailed) skip('a test before it failed');
    onTestFailed(() => {
      hasFailed = true;
    });
  });
}

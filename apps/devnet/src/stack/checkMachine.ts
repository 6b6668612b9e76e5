import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { FriendlyError } from '@core/runtime';
import { repositoryRoot, type StateFolder } from './state/stateFolder.ts';

const neededNodeMajor = 24;

/** Refuse a start that would fail later without naming a fix. @throws FriendlyError with the fix. */
export function checkMachine(folder: StateFolder): void {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < neededNodeMajor) {
    throw new FriendlyError(
      `Node ${process.versions.node} is too old: ` +
        `start with \`npx -y pnpm@12 start\`, which installs Node ${neededNodeMajor}.`,
    );
  }
  if (!existsSync(path.join(repositoryRoot, 'packages/store/src/generated'))) {
    throw new FriendlyError('The database client is missing: run `npx -y pnpm@12 install`.');
  }
  try {
    accessSync(folder.root, constants.W_OK);
  } catch {
    throw new FriendlyError(`${folder.root} is not writable: set LEV_STATE_DIR to a writable folder.`);
  }
}

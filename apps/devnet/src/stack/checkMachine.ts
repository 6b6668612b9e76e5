import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { FriendlyError } from './friendlyError.ts';
import { repositoryRoot, type StateFolder } from './stateFolder.ts';

const neededNodeMajor = 24;

/** Finds what would stop a start later with a message nobody understands. @throws FriendlyError with the fix. */
export function checkMachine(folder: StateFolder): void {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < neededNodeMajor) {
    throw new FriendlyError(
      `Node ${process.versions.node} is too old: start with \`npx -y pnpm@12 start\`, which brings Node ${neededNodeMajor}.`,
    );
  }
  if (!existsSync(path.join(repositoryRoot, 'packages/store/src/generated'))) {
    throw new FriendlyError('The database client is not generated yet: run `npx -y pnpm@12 install`.');
  }
  try {
    accessSync(folder.root, constants.W_OK);
  } catch {
    throw new FriendlyError(`${folder.root} cannot be written: set LEV_STATE_DIR to a folder of yours.`);
  }
  if (process.getuid?.() === 0) checkReachable(folder);
}

/** PostgreSQL refuses to run as root and runs as the user postgres, who must get to its program and its data. */
function checkReachable(folder: StateFolder): void {
  for (const place of [repositoryRoot, folder.root]) {
    for (let at = path.resolve(place); at !== path.dirname(at); at = path.dirname(at)) {
      if ((statSync(at).mode & 0o001) !== 0) continue;
      throw new FriendlyError(
        `PostgreSQL runs as the user postgres, who cannot enter ${at}: move the project, \`chmod o+x ${at}\`, run as an ordinary user, or set DATABASE_URL.`,
      );
    }
  }
}

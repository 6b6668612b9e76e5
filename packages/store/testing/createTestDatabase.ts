import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrate } from '../src/database/migrate.ts';
import { startEmbeddedPostgres } from '../src/database/startEmbeddedPostgres.ts';
import { execute } from './execute.ts';

export interface TestDatabase {
  readonly databaseUrl: string;
  /** Drop the database, and stop the server when this process started it and no other uses it. */
  close(): Promise<void>;
}

interface TestServer {
  readonly databaseUrl: string;
  readonly templateName: string;
  stop(): Promise<void>;
}

let server: Promise<TestServer> | null = null;
let users = 0;

/** Names the template that `shareTestServer` made on the server of TEST_DATABASE_URL. */
const sharedTemplate = 'TEST_DATABASE_TEMPLATE';

/**
 * One server and one migrated template for all test files of a room, as its `globalSetup`: the processes of the tests
 * inherit their names. Returns what stops it. Without it every process makes its own.
 */
export async function shareTestServer(): Promise<() => Promise<void>> {
  const { databaseUrl, templateName, stop } = await startServer();
  process.env['TEST_DATABASE_URL'] = databaseUrl;
  process.env[sharedTemplate] = templateName;
  return stop;
}

/**
 * A fresh, migrated database: a copy of a template. The server is the one of TEST_DATABASE_URL when that is set, else a
 * disposable embedded PostgreSQL, shared by a room's tests or by this process.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  users += 1;
  server ??= startServer();
  const { databaseUrl, templateName } = await server;
  const name = `test_${randomBytes(8).toString('hex')}`;
  await execute(databaseUrl, `CREATE DATABASE ${name} TEMPLATE ${templateName}`);
  return {
    databaseUrl: urlOf(databaseUrl, name),
    close: async () => {
      await execute(databaseUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      users -= 1;
      if (users === 0) {
        const idle = server;
        server = null;
        await (await idle)?.stop();
      }
    },
  };
}

async function startServer(): Promise<TestServer> {
  const configuredUrl = process.env['TEST_DATABASE_URL'];
  const shared = process.env[sharedTemplate];
  // What outlives this process is stopped by who started it.
  if (configuredUrl !== undefined && shared !== undefined) {
    return { databaseUrl: configuredUrl, templateName: shared, stop: async () => undefined };
  }
  const templateName = `template_${randomBytes(8).toString('hex')}`;
  const { databaseUrl, close } =
    configuredUrl === undefined ? await startDisposable() : { databaseUrl: configuredUrl, close: null };
  await execute(databaseUrl, `CREATE DATABASE ${templateName}`);
  await migrate(urlOf(databaseUrl, templateName));
  return {
    databaseUrl,
    templateName,
    stop: async () => {
      await execute(databaseUrl, `DROP DATABASE IF EXISTS ${templateName} WITH (FORCE)`);
      await close?.();
    },
  };
}

async function startDisposable(): Promise<{ readonly databaseUrl: string; readonly close: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'store-test-'));
  // Under root the server runs as the user postgres, who must be able to enter.
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'pg'), isDisposable: true });
  const close = async (): Promise<void> => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { databaseUrl: server.databaseUrl, close };
}

function urlOf(serverUrl: string, databaseName: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${databaseName}`;
  return url.href;
}

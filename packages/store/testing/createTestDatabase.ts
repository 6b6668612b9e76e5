import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { migrate } from '../src/database/migrate.ts';
import { startEmbeddedPostgres } from '../src/database/startEmbeddedPostgres.ts';

export interface TestDatabase {
  readonly databaseUrl: string;
  /** Drops the database, and stops the server when this process started it and nobody else uses it. */
  close(): Promise<void>;
}

interface TestServer {
  readonly databaseUrl: string;
  readonly templateName: string;
  stop(): Promise<void>;
}

let server: Promise<TestServer> | null = null;
let users = 0;

/**
 * A fresh, migrated database. The server is the one of TEST_DATABASE_URL when that is set, else a disposable embedded
 * PostgreSQL that is shared by this process. Migrations run once per process; each database is a copy of the result.
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
  const given = process.env['TEST_DATABASE_URL'];
  const templateName = `template_${randomBytes(8).toString('hex')}`;
  const { databaseUrl, close } = given === undefined ? await startDisposable() : { databaseUrl: given, close: null };
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

async function execute(databaseUrl: string, text: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

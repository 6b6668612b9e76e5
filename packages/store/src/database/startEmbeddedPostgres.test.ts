import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { databaseNeighbour } from './databaseNeighbour.ts';
import { removeEmbeddedPostgres, startEmbeddedPostgres } from './startEmbeddedPostgres.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'store-embedded-'));
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rm(folder, { recursive: true, force: true }));

async function query(databaseUrl: string, text: string): Promise<readonly object[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

test('stores data for a private folder elsewhere, and removes it with the folder', async () => {
  const dataDir = path.join(folder, 'pg');
  const first = await startEmbeddedPostgres({ dataDir });
  await query(first.databaseUrl, 'CREATE TABLE kept AS SELECT 5 AS number');
  const { answers } = databaseNeighbour(first.databaseUrl);
  expect(await answers()).toBe(true);
  await first.close();
  expect(await first.ended).toBe('exit code 0');
  expect(await answers()).toBe(false);
  const second = await startEmbeddedPostgres({ dataDir });
  expect(await query(second.databaseUrl, 'SELECT number FROM kept')).toEqual([{ number: 5 }]);
  await second.close();
  await removeEmbeddedPostgres(dataDir);
  await expect(access(second.folder)).rejects.toMatchObject({ code: 'ENOENT' });
  const third = await startEmbeddedPostgres({ dataDir, isDisposable: true });
  expect(await query(third.databaseUrl, `SELECT to_regclass('kept') AS kept`)).toEqual([{ kept: null }]);
  await third.close();
  await expect(access(third.folder)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('data that an earlier start stored elsewhere are moved below a folder that only root changes, and found', async () => {
  const dataDir = path.join(folder, 'moved');
  const first = await startEmbeddedPostgres({ dataDir });
  await query(first.databaseUrl, 'CREATE TABLE kept AS SELECT 9 AS number');
  await first.close();
  const isOutside = process.getuid?.() === 0;
  expect(first.folder.startsWith('/var/lib/embedded-postgres/data-')).toBe(isOutside);
  if (isOutside) {
    const earlier = path.join(tmpdir(), path.basename(first.folder));
    await rename(first.folder, earlier);
    await writeFile(path.join(dataDir, 'location'), earlier);
  }
  const second = await startEmbeddedPostgres({ dataDir, isDisposable: true });
  expect(await query(second.databaseUrl, 'SELECT number FROM kept')).toEqual([{ number: 9 }]);
  expect(second.folder).toBe(first.folder);
  await second.close();
});

test('variables of the shell for other servers reach neither the server nor its clients', async () => {
  vi.stubEnv('PGSSLMODE', 'require');
  vi.stubEnv('PGDATABASE', 'shop');
  vi.stubEnv('PGUSER', 'app');
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'ambient'), isDisposable: true });
  await query(server.databaseUrl, "CREATE TABLE variables (text text); COPY variables FROM PROGRAM 'env'");
  const rows = await query(server.databaseUrl, "SELECT text FROM variables WHERE text ~ '^PG(SSL|DATABASE=|USER=)'");
  await server.close();
  expect(rows).toEqual([]);
});

test('a start after kill -9 ends the orphaned server and keeps its data', async () => {
  const dataDir = path.join(folder, 'killed');
  await mkdir(dataDir, { recursive: true });
  const module = new URL('./startEmbeddedPostgres.ts', import.meta.url).href;
  const script = `const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(server.databaseUrl); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  const leftUrl = output.toString().trim();
  await query(leftUrl, 'CREATE TABLE kept AS SELECT 7 AS number');
  child.kill('SIGKILL');
  await once(child, 'exit');
  // The server of the dead process still answers.
  expect(await query(leftUrl, 'SELECT number FROM kept')).toEqual([{ number: 7 }]);
  const server = await startEmbeddedPostgres({ dataDir, isDisposable: true });
  expect(await query(server.databaseUrl, 'SELECT number FROM kept')).toEqual([{ number: 7 }]);
  await expect(query(leftUrl, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await server.close();
});

test('never changes the permissions of the folders above its data', async () => {
  const home = await mkdtemp(path.join(folder, 'home-'));
  const server = await startEmbeddedPostgres({ dataDir: path.join(home, 'pg'), isDisposable: true });
  expect(await query(server.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await server.close();
  expect((await stat(home)).mode & 0o777).toBe(0o700);
});

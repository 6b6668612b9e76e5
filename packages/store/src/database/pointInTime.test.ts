import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { samplePartnerTerms } from '../../testing/samples.ts';
import { openStore } from '../openStore.ts';
import { migrate } from './migrate.ts';
import { requireMigrated } from './requireMigrated.ts';
import { type EmbeddedPostgresServer, startEmbeddedPostgres } from './startEmbeddedPostgres.ts';

const run = promisify(execFile);
const page = fileURLToPath(new URL('../../../../docs/operate/database.md', import.meta.url));

let folder = '';
let server: EmbeddedPostgresServer | null = null;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'store-archive-'));
  // The server's user enters it.
  await chmod(folder, 0o777);
  await mkdir(path.join(folder, 'archive'));
  await chmod(path.join(folder, 'archive'), 0o777);
});
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Return commands or settings of the page, with the folder of the test in place of the operator's. */
const hereOf = (block: string): string => block.replaceAll(/\/backup\/(?=archive|base)/g, `${folder}/`).trim();

/** Return the lines of a block of the page, with the folder of the test in place of the operator's. */
async function linesOf(language: string): Promise<readonly string[]> {
  const text = await readFile(page, 'utf8');
  const section = text.slice(text.indexOf('## Point-in-time restore'));
  const block = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section)?.[1];
  if (block === undefined) throw new Error(`the page has no block of ${language}`);
  return hereOf(block).split('\n');
}

async function withClient<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: server?.databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const valueOf = async (client: Client, query: string): Promise<string> => {
  const { rows } = await client.query<{ value: string }>(query);
  return String(rows[0]?.value);
};

const createPartner = async (name: string): Promise<void> => {
  const store = openStore({ databaseUrl: server?.databaseUrl ?? '' });
  await store.partners.create({ name, environment: 'sandbox', terms: samplePartnerTerms, createdAtMs: 1 });
  await store.close();
};

/** Write a file that the server's user reads and renames, whatever the rights of new files are here. */
async function writeForServer(file: string, text: string): Promise<void> {
  await writeFile(file, text);
  await chmod(file, 0o666);
}

/** Copy the data of a running server, as `pg_basebackup` does, with its label. */
async function copyRunning(target: string): Promise<void> {
  await withClient(async (client) => {
    await client.query(`SELECT pg_backup_start('base', true)`);
    // Owner and rights stay those of the server's user.
    await run('cp', ['-a', server?.folder ?? '', target]);
    for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(path.join(target, name), { force: true });
    for (const name of await readdir(path.join(target, 'pg_wal'))) {
      await rm(path.join(target, 'pg_wal', name), { recursive: true });
    }
    const label = await valueOf(client, 'SELECT labelfile AS value FROM pg_backup_stop()');
    await writeForServer(path.join(target, 'backup_label'), label);
  });
}

const archiveOf = async (): Promise<readonly string[]> =>
  (await readdir(path.join(folder, 'archive'))).filter((name) => name.endsWith('.gz')).toSorted();

/** Run the page's commands beside nine base backups, of which the third one is the restored one. */
async function prune(): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [, commands = ''] = /```sh\n(ls -d[\s\S]*?)```/.exec(text) ?? [];
  for (let day = 1; day <= 9; day += 1) await mkdir(path.join(folder, `base-2026-11-0${day}`));
  await run('cp', [path.join(folder, 'restored/backup_label'), path.join(folder, 'base-2026-11-03')]);
  const archived = await archiveOf();
  await run('bash', ['-euc', hereOf(commands)]);
  const bases = (await readdir(folder)).filter((name) => name.startsWith('base-')).toSorted();
  expect([bases.length, bases[0]]).toEqual([7, 'base-2026-11-03']);
  const label = await readFile(path.join(folder, 'restored/backup_label'), 'utf8');
  const [, first = ''] = /file ([0-9A-F]{24})/.exec(label) ?? [];
  const necessary = archived.filter((name) => name >= first);
  expect(necessary.length).toBeLessThan(archived.length);
  expect(await archiveOf()).toEqual(necessary);
  for (const name of necessary) {
    const bytes = await readFile(path.join(folder, 'archive', name));
    expect(bytes.byteLength).toBeLessThan(8_000_000);
  }
}

test('database.md: archived logs and a base backup → everything up to an instant, and nothing after it', async () => {
  const settings = await linesOf('ini');
  const dataDir = path.join(folder, 'data');
  server = await startEmbeddedPostgres({ dataDir });
  await appendFile(path.join(server.folder, 'postgresql.conf'), `\n${settings.join('\n')}\n`);
  await server.close();
  server = await startEmbeddedPostgres({ dataDir });
  await migrate(server.databaseUrl);
  await createPartner('in the base backup');
  await withClient((client) => client.query('SELECT pg_switch_wal()'));
  await copyRunning(path.join(folder, 'restored'));
  await createPartner('in the logs');
  const instant = await withClient((client) => valueOf(client, 'SELECT clock_timestamp()::text AS value'));
  await createPartner('after the instant');
  await withClient((client) => client.query('SELECT pg_switch_wal()'));
  await expect
    .poll(() => withClient((client) => valueOf(client, 'SELECT archived_count AS value FROM pg_stat_archiver')))
    .not.toBe('0');
  await server.close();
  await prune();

  const recovery = (await linesOf('conf')).map((line) => line.replace('2026-11-26 14:00:00+00', instant));
  await appendFile(path.join(folder, 'restored/postgresql.auto.conf'), `\n${recovery.join('\n')}\n`);
  await writeForServer(path.join(folder, 'restored/recovery.signal'), '');
  server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'restored') });
  await requireMigrated(server.databaseUrl);
  const store = openStore({ databaseUrl: server.databaseUrl });
  const names = (await store.partners.list()).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['in the base backup', 'in the logs']);
  await createPartner('after the restore');
  await store.close();
});

import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../src/database/startEmbeddedPostgres.ts';
import { openSchemaEngine, prismaFolder } from '../testing/schemaEngine.ts';

// Prints the SQL that makes schema.prisma out of an empty database, or writes it to the file named as first argument.
// The engine wants a reachable server although it reads nothing from it: DATABASE_URL, else a disposable one.
const configuredUrl = process.env['DATABASE_URL'];
const folder = await mkdtemp(path.join(tmpdir(), 'store-diff-'));
await chmod(folder, 0o755);
const server =
  configuredUrl === undefined
    ? await startEmbeddedPostgres({ dataDir: path.join(folder, 'pg'), isDisposable: true })
    : null;
const databaseUrl = configuredUrl ?? server?.databaseUrl ?? '';
const schema = await readFile(path.join(prismaFolder, 'schema.prisma'), 'utf8');
const engine = await openSchemaEngine(databaseUrl);
const { stdout } = await engine.diff({
  from: { tag: 'empty' },
  to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schema }] },
  script: true,
  exitCode: null,
  filters: { externalTables: [], externalEnums: [] },
});
engine.free();
await server?.close();
const target = process.argv[2];
if (target === undefined) {
  process.stdout.write(stdout ?? '');
} else {
  await writeFile(target, stdout ?? '');
}

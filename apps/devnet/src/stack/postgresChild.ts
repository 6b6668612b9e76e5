import { startEmbeddedPostgres } from '@core/store';

/** Runs PostgreSQL until SIGTERM; the library's own exit hook stops the server before the process ends. */
const dataDir = process.env['PGDATA'];
const port = Number(process.env['PGPORT']);
if (dataDir === undefined || !Number.isInteger(port)) throw new Error('PGDATA and PGPORT are needed');

const server = await startEmbeddedPostgres({ dataDir, port });
process.stdout.write(`${JSON.stringify({ databaseUrl: server.databaseUrl })}\n`);
// Nothing else keeps this process alive while the server runs on its own.
setInterval(() => undefined, 60_000);

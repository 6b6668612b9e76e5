import { startEmbeddedPostgres } from '@core/store';

/** Runs PostgreSQL until SIGTERM or SIGINT, and ends when the server has ended. */
const dataDir = process.env['PGDATA'];
const port = Number(process.env['PGPORT']);
if (dataDir === undefined || !Number.isInteger(port)) throw new Error('PGDATA and PGPORT are needed');

let isStopping = false;
const keepAlive = setInterval(() => undefined, 60_000);
const server = startEmbeddedPostgres({ dataDir, port });

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  clearInterval(keepAlive);
  // A signal during the start waits for it: a half-made cluster would be no use to anybody.
  const { close } = await server;
  await close();
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
const { databaseUrl, folder } = await server;
process.stdout.write(`${JSON.stringify({ databaseUrl, folder })}\n`);

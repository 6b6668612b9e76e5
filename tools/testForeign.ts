import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { repositoryRoot } from './tidy/workspace.ts';

/**
 * Tests the services on the PostgreSQL and the Redis of this machine: `TEST_DATABASE_URL` and `TEST_REDIS_URL`, or what
 * listens on the default ports of loopback. Without a PostgreSQL nothing is run.
 */
const timeoutMs = 2_000;

function isListening(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port, timeout: timeoutMs });
  return new Promise((resolve) => {
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

/** Return the configured address, or the default one if something listens there; null without either. */
async function addressOf(variable: string, port: number, fallback: string): Promise<string | null> {
  const configured = process.env[variable];
  if (configured !== undefined && configured !== '') return configured;
  return (await isListening(port)) ? fallback : null;
}

const database = await addressOf('TEST_DATABASE_URL', 5432, 'postgres://postgres@127.0.0.1:5432/postgres');
const redis = await addressOf('TEST_REDIS_URL', 6379, 'redis://127.0.0.1:6379');

if (database === null) {
  process.stdout.write(
    'foreign database: no PostgreSQL at 127.0.0.1:5432, so the services were tested on the embedded one only\n',
  );
} else {
  const env = { ...process.env, TEST_DATABASE_URL: database, ...(redis === null ? {} : { TEST_REDIS_URL: redis }) };
  const runs = [
    ['--filter', '@core/store', '--filter', '@core/api', '--workspace-concurrency=1', 'test'],
    // Of the keeper what depends on the database: whole lives, and its faults.
    ['--filter', '@core/keeper', 'exec', 'vitest', 'run', 'test/life.test.ts'],
    ['--filter', '@core/keeper', 'test:real', 'test/faults.real.test.ts'],
  ];
  const statuses = runs.map((args) => {
    const ended = spawnSync('npx', ['-y', 'pnpm@12', ...args], { cwd: repositoryRoot, stdio: 'inherit', env });
    return ended.status ?? 1;
  });
  process.exitCode = Math.max(...statuses);
}

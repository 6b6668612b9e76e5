import { logLevel, port, readEnvironment, required, runProgram, textOf, withDefault } from '@core/runtime';
import { startEmbeddedPostgres } from '@core/store';

const settings = {
  PGDATA: required(textOf()),
  PGPORT: required(port),
  LOG_LEVEL: withDefault(logLevel, 'info'),
};

/** Runs PostgreSQL until SIGTERM or SIGINT, and ends when the server has ended. */
await runProgram({
  name: 'postgres',
  readEnv: (environment) => {
    const env = readEnvironment({ program: 'postgres', settings, ownPrefixes: [] }, environment);
    return { dataDir: env.PGDATA, port: env.PGPORT, logLevel: env.LOG_LEVEL };
  },
  start: async ({ dataDir, port }, logger) => {
    const keepAlive = setInterval(() => undefined, 60_000);
    const server = startEmbeddedPostgres({ dataDir, port });
    let isClosing = false;
    void announce(server, (how) => {
      if (isClosing) return;
      logger.fatal({ how }, 'PostgreSQL ended');
      process.exit(1);
    });
    return {
      // A signal during the start waits for it: a half-made cluster would be of no use.
      close: async () => {
        isClosing = true;
        await (await server).close();
        clearInterval(keepAlive);
      },
    };
  },
});

async function announce(server: ReturnType<typeof startEmbeddedPostgres>, onEnd: (how: string) => void): Promise<void> {
  try {
    const { databaseUrl, folder, ended } = await server;
    process.stdout.write(`${JSON.stringify({ databaseUrl, folder })}\n`);
    onEnd(await ended);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`postgres: ${error.message}\n`);
    process.exit(1);
  }
}

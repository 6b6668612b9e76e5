import { port, programEnvOf, programSettings, readEnvironment, required, runProgram, textOf } from '@core/runtime';
import { startEmbeddedPostgres } from '@core/store';

const settings = {
  PGDATA: required(textOf()),
  PGPORT: required(port),
  ...programSettings,
};

/** Runs PostgreSQL until SIGTERM or SIGINT and ends with its server. */
await runProgram({
  name: 'postgres',
  readEnv: (environment) => {
    const env = readEnvironment({ program: 'postgres', settings, ownPrefixes: [] }, environment);
    return { dataDir: env.PGDATA, port: env.PGPORT, ...programEnvOf(env) };
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
      // A signal during the start waits for it: a half-made cluster is useless.
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

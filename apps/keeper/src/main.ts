import pino from 'pino';
import { configOfEnv } from './env.ts';
import { startKeeper } from './startKeeper.ts';

const { config, logLevel } = configOfEnv(process.env);
const logger = pino({ name: 'keeper', level: logLevel });
const keeper = await startKeeper({ ...config, logger });

/** Lets what is under way end; a second signal ends at once. */
function stop(): void {
  process.once('SIGTERM', () => process.exit(1));
  process.once('SIGINT', () => process.exit(1));
  keeper.close().then(
    () => process.exit(0),
    (error: unknown) => {
      logger.error({ err: error }, 'shutdown failed');
      process.exit(1);
    },
  );
}

process.once('SIGTERM', stop);
process.once('SIGINT', stop);

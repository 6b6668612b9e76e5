import process from 'node:process';
import pino from 'pino';
import { optionsFromEnv } from './env.ts';
import { startVenueSim } from './startVenueSim.ts';

const { options, logLevel } = optionsFromEnv(process.env);
const logger = pino({ level: logLevel, name: 'venue-sim' });
const sim = await startVenueSim({ ...options, logger });
logger.info({ url: sim.url, seed: options.seed, markets: sim.venue.listed.length }, 'venue simulator is open');

let isStopping = false;
const stop = (signal: NodeJS.Signals): void => {
  if (isStopping) return;
  isStopping = true;
  logger.info({ signal }, 'closing');
  sim.close().then(
    () => process.exit(0),
    (error: unknown) => {
      logger.error({ err: error }, 'closing failed');
      process.exit(1);
    },
  );
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);

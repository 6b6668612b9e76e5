import { startTracing, type Tracing } from '@core/tracing';
import { awaitEnds } from './awaitEnds.ts';
import { createLogger, type Logger } from './createLogger.ts';
import { FriendlyError } from './friendlyError.ts';
import { awaitNeighbours, type Neighbour } from './neighbours.ts';
import { onSmallerBatches } from './nodeSizes.ts';
import type { ProgramEnv } from './programSettings.ts';
import type { Environment } from './readEnvironment.ts';

const defaultCloseLimitMs = 25_000;

export interface Program<Env extends ProgramEnv> {
  readonly name: string;
  /** @throws FriendlyError */
  readonly readEnv: (environment: Environment) => Env;
  /** Programs without which it cannot start: it waits for them, and says so, for as long as it takes. */
  readonly neighbours?: (env: Env) => readonly Neighbour[];
  /** Time for `close`; 25 s when absent, below the 30 s that service managers wait. */
  readonly closeLimitMs?: (env: Env) => number;
  /** Start everything. `close` closes it in the opposite order. */
  readonly start: (env: Env, logger: Logger) => Promise<{ close(): Promise<void> }>;
}

/**
 * Run a program until SIGTERM or SIGINT. The first signal closes it and ends the process with 0, a second one ends
 * it at once with 1; a signal that comes while the program still starts ends it at once with 0, for nothing is under
 * way yet. A failed start, a close that fails or exceeds its limit, and a failure that is handled nowhere are logged
 * and end the process with 1; a FriendlyError is one plain message on standard error.
 */
export async function runProgram<Env extends ProgramEnv>(program: Program<Env>): Promise<void> {
  const env = envOf(program);
  if (env === null) return;
  const logger = createLogger({ name: program.name, level: env.logLevel });
  onSmallerBatches((size) => logger.info(size, 'the node refuses larger batches: requests have fewer calls'));
  const fail = (message: string) => (err: unknown) => {
    logger.fatal({ err }, message);
    process.exit(1);
  };
  process.on('uncaughtException', fail('a failure was handled nowhere'));
  let running: { close(): Promise<void> } | null = null;
  let tracing: Tracing | null = null;
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(1);
    if (running === null) process.exit(0);
    isStopping = true;
    logger.info({ signal }, 'stopping');
    const closeLimitMs = program.closeLimitMs?.(env) ?? defaultCloseLimitMs;
    awaitEnds([[program.name, running.close()]], closeLimitMs).then(async () => {
      await tracing?.close();
      logger.info('stopped');
      process.exit(0);
    }, fail('the shutdown failed'));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  try {
    await awaitNeighbours(program.neighbours?.(env) ?? [], logger);
    tracing = await tracingOf(program.name, env, logger);
    running = await program.start(env, logger);
  } catch (error) {
    if (!(error instanceof FriendlyError)) return fail('the start failed')(error);
    printFriendly(program.name, error);
    process.exit(1);
  }
}

/** Start the traces of a program; null without a collector. */
async function tracingOf(name: string, { traces }: ProgramEnv, logger: Logger): Promise<Tracing | null> {
  if (traces === null) return null;
  return startTracing({
    program: name,
    ...traces,
    onLost: (err) => logger.warn({ err }, 'spans were lost: the collector of traces does not take them'),
  });
}

/** Null when the environment is not usable, which is said then. */
function envOf<Env extends ProgramEnv>({ name, readEnv }: Program<Env>): Env | null {
  try {
    return readEnv(process.env);
  } catch (error) {
    if (!(error instanceof FriendlyError)) throw error;
    printFriendly(name, error);
    process.exitCode = 1;
    return null;
  }
}

function printFriendly(name: string, { message }: FriendlyError): void {
  process.stderr.write(`${name}: ${message}\n`);
}

import type { LogLevel } from './codecs.ts';
import { createLogger, type Logger } from './createLogger.ts';
import { FriendlyError } from './friendlyError.ts';
import { awaitNeighbours, type Neighbour } from './neighbours.ts';
import type { Environment } from './readEnvironment.ts';

export interface Program<Env extends { readonly logLevel: LogLevel }> {
  readonly name: string;
  /** @throws FriendlyError */
  readonly readEnv: (environment: Environment) => Env;
  /** Programs without which it cannot start: it waits for them, and says so, for as long as it takes. */
  readonly neighbours?: (env: Env) => readonly Neighbour[];
  /** Starts everything. What was opened is closed by `close`, in the opposite order. */
  readonly start: (env: Env, logger: Logger) => Promise<{ close(): Promise<void> }>;
}

/**
 * Runs a program until SIGTERM or SIGINT. The first signal closes it and ends the process with 0, a second one ends
 * it at once with 1; a signal that comes while the program still starts ends it at once with 0, for nothing is under
 * way yet. A failed start, a failed close and a failure that is handled nowhere are logged and end the process with
 * 1; a FriendlyError is one plain message on standard error.
 */
export async function runProgram<Env extends { readonly logLevel: LogLevel }>(program: Program<Env>): Promise<void> {
  const env = envOf(program);
  if (env === null) return;
  const logger = createLogger({ name: program.name, level: env.logLevel });
  const fail = (message: string) => (err: unknown) => {
    logger.fatal({ err }, message);
    process.exit(1);
  };
  process.on('uncaughtException', fail('a failure was handled nowhere'));
  let running: { close(): Promise<void> } | null = null;
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(1);
    if (running === null) process.exit(0);
    isStopping = true;
    logger.info({ signal }, 'stopping');
    running.close().then(() => {
      logger.info('stopped');
      process.exit(0);
    }, fail('the shutdown failed'));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  try {
    await awaitNeighbours(program.neighbours?.(env) ?? [], logger);
    running = await program.start(env, logger);
  } catch (error) {
    if (!(error instanceof FriendlyError)) return fail('the start failed')(error);
    printFriendly(program.name, error);
    process.exit(1);
  }
}

/** Null when the environment is not usable, which is said then. */
function envOf<Env extends { readonly logLevel: LogLevel }>({ name, readEnv }: Program<Env>): Env | null {
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

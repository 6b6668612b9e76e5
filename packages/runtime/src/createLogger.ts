import { traceFieldsOf } from '@core/tracing';
import pino, { type DestinationStream, type Logger } from 'pino';
import { batchedLines } from './batchedLines.ts';
import type { LogLevel } from './codecs.ts';
import { redactedText } from './redaction.ts';

export type { Logger } from 'pino';

/**
 * Create the logger of a program: one line of JSON per entry, on standard output unless a destination is given. No
 * secret of the redaction list leaves it, anywhere in an entry. A line of traced work
 * has `traceId` and `spanId`.
 */
export function createLogger(options: {
  readonly name: string;
  readonly level: LogLevel;
  readonly destination?: DestinationStream;
}): Logger {
  const { name, level, destination = batchedLines(pino.destination({ fd: 1, sync: true })) } = options;
  return pino({ name, level, mixin: traceFieldsOf, hooks: { streamWrite: redactedText } }, destination);
}

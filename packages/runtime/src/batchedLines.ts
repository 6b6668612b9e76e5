import type { DestinationStream } from 'pino';

/** Longest wait of a line for others. */
const maxWaitMs = 100;
/** Characters that are written without waiting any longer. */
const maxWaiting = 65_536;
/** A warning or worse, as the logger begins its lines. */
const urgent = /^\{"level":[4-6]\d,/;

/**
 * Batch lines: one system call for many requests instead of one each. A warning or an error flushes everything waiting
 * with it, and so does an orderly exit of the process.
 * See packages/runtime/DECISIONS.md#log-lines-are-batched-outside-the-loggers-destination.
 */
export function batchedLines(destination: DestinationStream): DestinationStream {
  let waiting: string[] = [];
  let length = 0;
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting.length === 0) return;
    const lines = waiting.join('');
    waiting = [];
    length = 0;
    destination.write(lines);
  };
  process.on('exit', flush);
  return {
    write(line) {
      waiting.push(line);
      length += line.length;
      if (length >= maxWaiting || urgent.test(line)) flush();
      else timer ??= setTimeout(flush, maxWaitMs).unref();
    },
  };
}

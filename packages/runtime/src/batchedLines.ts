import type { DestinationStream } from 'pino';

/** How long a line may wait for others. */
const maxWaitMs = 100;
/** Characters that are written without waiting any longer. */
const maxWaiting = 65_536;
/** A warning or worse, as the logger begins its lines. */
const urgent = /^\{"level":[4-6]\d,/;

/**
 * Lines that are written together: one call of the system for many requests instead of one each. A warning or an error
 * takes all that waits with it at once, and whatever ends the process in an orderly way does too.
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

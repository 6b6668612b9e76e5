import { createInterface } from 'node:readline/promises';
import type { Host } from './host.ts';

/** Exit code that shells report for a program with a closed output pipe (128 + SIGPIPE). */
const brokenPipe = 141;

/** Return the host of this process. Prompts are written to the error output. */
export function processHost(): Host {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endAtClosedPipe);
  return {
    environment: process.env,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY && process.stdin.isTTY,
    ask: async (question) => {
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      try {
        return await lines.question(question);
      } finally {
        lines.close();
      }
    },
  };
}

/** Exit without a message when the reader closes the pipe, as in `lev markets | head -1`. */
function endAtClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(brokenPipe);
}

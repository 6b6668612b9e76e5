import { isDatabaseFault } from './databaseFault.ts';

/** Requests that share one statement. More would keep the first of them waiting without sparing much. */
const maxBatch = 32;
/** Concurrent statements: while one waits for the disk, the next is processed. */
const maxStatements = 2;

interface Waiting<Request, Result> {
  readonly request: Request;
  readonly resolve: (result: Result) => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * Requests that arrive while statements are under way wait and then share the next one: under load a round trip, a
 * commit and the locks of busy rows are paid once for many. An idle process sends each request at once. `run` answers
 * in the order of its requests; no two of them have a key of `keysOf` in common, because the second has to see what the
 * first one left. A statement that fails by what it was given is repeated by halves until what fails is alone, so that
 * none ends the others. When the database failed, nothing is repeated: it would fail one after the other, or do again
 * what it has done and could not say.
 */
export function shareStatements<Request, Result>(options: {
  readonly run: (requests: readonly Request[]) => Promise<readonly Result[]>;
  readonly keysOf: (request: Request) => readonly string[];
}): (request: Request) => Promise<Result> {
  const { run, keysOf } = options;
  const waiting: Waiting<Request, Result>[] = [];
  let statementCount = 0;
  const runAll = async (batch: readonly Waiting<Request, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ request }) => request));
      if (results.length !== batch.length) throw new Error('a shared statement must answer every request');
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (cause) {
      if (batch.length === 1 || isDatabaseFault(cause)) {
        for (const { reject } of batch) reject(cause);
        return;
      }
      const middle = Math.floor(batch.length / 2);
      await runAll(batch.slice(0, middle));
      await runAll(batch.slice(middle));
    }
  };
  const send = (): void => {
    while (waiting.length > 0 && statementCount < maxStatements) {
      const batch = takeBatch(waiting, keysOf);
      statementCount += 1;
      void runAll(batch).finally(() => {
        statementCount -= 1;
        send();
      });
    }
  };
  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      // Requests that were read from their sockets in the same turn of the event loop go together.
      if (waiting.length === 1) setImmediate(send);
    });
}

/** The first of those that wait, without a second one of the same key. */
function takeBatch<Request, Result>(
  waiting: Waiting<Request, Result>[],
  keysOf: (request: Request) => readonly string[],
): readonly Waiting<Request, Result>[] {
  const batch: Waiting<Request, Result>[] = [];
  const postponed: Waiting<Request, Result>[] = [];
  const batchKeys = new Set<string>();
  for (const one of waiting.splice(0)) {
    const keys = keysOf(one.request);
    if (batch.length === maxBatch || keys.some((key) => batchKeys.has(key))) {
      postponed.push(one);
      continue;
    }
    for (const key of keys) batchKeys.add(key);
    batch.push(one);
  }
  waiting.push(...postponed);
  return batch;
}

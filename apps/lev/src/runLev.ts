import { CommanderError } from 'commander';
import type { Answer, Answers } from './answer.ts';
import { buildProgram, type Invocation } from './buildProgram.ts';
import { exitCodes } from './exitCodes.ts';
import type { Host } from './host.ts';

/** Runs one command line; its exit code. */
export async function runLev(words: readonly string[], host: Host): Promise<number> {
  let invocation: Invocation | null = null;
  // Also where the words make no command: a program that asked for JSON reads nothing else.
  const isJson = words.includes('--json');
  try {
    const program = buildProgram(host, (called) => {
      invocation = called;
    });
    if (words[0] === 'complete' || words[0] === 'completion')
      await (await import('./completion.ts')).complete(program, words);
    else await program.parseAsync([...words], { from: 'user' });
    return invocation === null ? exitCodes.done : await carryOut(invocation, { ...host, isJson });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    if (isJson)
      host.out(`${JSON.stringify({ error: { code: 'usage', message: error.message, exit_code: exitCodes.usage } })}\n`);
    return exitCodes.usage;
  }
}

async function carryOut(
  { row, args, options }: Invocation,
  host: Host & { readonly isJson: boolean },
): Promise<number> {
  const { openContext } = await import('./context.ts');
  const context = openContext(host, options);
  try {
    const run = await row.load();
    let isFailed = false;
    const print = (answer: Answer): void => {
      isFailed ||= answer.isFailedCheck === true;
      host.out(host.isJson ? `${JSON.stringify(answer.value)}\n` : `${answer.text}\n`);
    };
    await eachOf(run(context, args), print);
    return isFailed ? exitCodes.checkFailed : exitCodes.done;
  } catch (error) {
    return await report(error, host);
  } finally {
    await context.close();
  }
}

async function eachOf(answers: Answers, print: (answer: Answer) => void): Promise<void> {
  if (answers instanceof Promise) print(await answers);
  else for await (const answer of answers) print(answer);
}

async function report(error: unknown, host: Host & { readonly isJson: boolean }): Promise<number> {
  const { failureOf } = await import('./failures.ts');
  const failure = failureOf(error);
  if (failure === null) {
    host.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    if (host.isJson)
      host.out(`${JSON.stringify({ error: { code: 'bug', message: String(error), exit_code: exitCodes.bug } })}\n`);
    return exitCodes.bug;
  }
  const { code, message, exitCode, details } = failure;
  if (host.isJson) host.out(`${JSON.stringify({ error: { code, message, exit_code: exitCode, ...details } })}\n`);
  else host.err(`✖ ${code === 'usage' ? '' : `${code}: `}${message}\n`);
  return exitCode;
}

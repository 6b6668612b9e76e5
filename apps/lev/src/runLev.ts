import { CommanderError } from 'commander';
import type { Answer, Answers } from './answer.ts';
import { buildProgram, groupOf, type Invocation } from './buildProgram.ts';
import { exitCodes } from './exitCodes.ts';
import type { Host } from './host.ts';
import { colouredText, shownText } from './terminalText.ts';

/** Run one command line and return its exit code. */
export async function runLev(words: readonly string[], host: Host): Promise<number> {
  let invocation: Invocation | null = null;
  // A script that passes --json reads JSON only, for an unknown command too.
  const isJson = words.includes('--json');
  try {
    const program = buildProgram(host, (call) => {
      invocation = call;
    });
    const group = groupOf(program, words);
    if (group !== null) group.outputHelp();
    else if (words[0] === 'complete' || words[0] === 'completion')
      await (await import('./completion.ts')).complete(program, words, host);
    else await program.parseAsync([...words], { from: 'user' });
    return invocation === null ? exitCodes.done : await execute(invocation, { ...host, isJson }, words);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    if (isJson)
      host.out(`${JSON.stringify({ error: { code: 'usage', message: error.message, exit_code: exitCodes.usage } })}\n`);
    return exitCodes.usage;
  }
}

async function execute(
  { row, args, options }: Invocation,
  host: Host & { readonly isJson: boolean },
  words: readonly string[],
): Promise<number> {
  const { openContext } = await import('./context.ts');
  const context = openContext(host, options);
  try {
    const run = await row.load();
    let isFailed = false;
    const print = (answer: Answer): void => {
      isFailed ||= answer.isFailedCheck === true;
      host.out(`${host.isJson ? shownText(JSON.stringify(answer.value)) : textOf(answer, host)}\n`);
    };
    await eachOf(run(context, args), print);
    return isFailed ? exitCodes.checkFailed : exitCodes.done;
  } catch (error) {
    return await report(error, host, words);
  } finally {
    await context.close();
  }
}

function textOf({ text }: Answer, { isTerminal, environment }: Host): string {
  return isTerminal && !environment['NO_COLOR'] ? colouredText(shownText(text)) : shownText(text);
}

async function eachOf(answers: Answers, print: (answer: Answer) => void): Promise<void> {
  if (answers instanceof Promise) print(await answers);
  else for await (const answer of answers) print(answer);
}

async function report(
  error: unknown,
  host: Host & { readonly isJson: boolean },
  words: readonly string[],
): Promise<number> {
  const { failureOf } = await import('./failures.ts');
  const failure = failureOf(error);
  if (failure === null) {
    host.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    if (host.isJson)
      host.out(`${JSON.stringify({ error: { code: 'bug', message: String(error), exit_code: exitCodes.bug } })}\n`);
    return exitCodes.bug;
  }
  const { code, message, exitCode, details, suggested } = failure;
  if (host.isJson) host.out(`${JSON.stringify({ error: { code, message, exit_code: exitCode, ...details } })}\n`);
  else host.err(`✖ ${code === 'usage' ? '' : `${code}: `}${shownText(message)}\n`);
  if (!host.isJson && suggested !== null) {
    const { suggestedCall } = await import('./suggestedCall.ts');
    host.err(`  Try: ${shownText(suggestedCall(words, suggested))}\n`);
  }
  return exitCode;
}

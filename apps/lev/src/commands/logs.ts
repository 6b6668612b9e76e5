import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FriendlyError } from '@core/runtime';
import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { LogFile } from '../logs/logFile.ts';
import { type LogLevel, levelNames, levelOf, logLevels, shownLine } from '../logs/logLine.ts';
import { countOf } from '../words.ts';

const defaultLines = 20;
const followIntervalMs = 250;

/** Print the last log lines of one program, or of each; with `--follow` every new line after them. */
export async function* logs(context: Context, [program]: readonly string[]): AsyncGenerator<Answer> {
  const { stateDir, option, isSet } = context;
  const folder = path.join(stateDir, 'logs');
  const count = countOf('--lines', option('lines')) ?? defaultLines;
  const level = levelOption(option('level') ?? 'info');
  const textOf = (line: string): string => (isSet('raw') ? line : shownLine(line));
  const files = namesIn(folder, program).map((name) => ({ name, file: path.join(folder, `${name}.log`) }));
  const value = files.map(({ name, file }) => ({
    program: name,
    lines: linesOf(readFileSync(file, 'utf8'), level).slice(-count),
  }));
  yield {
    value,
    text: value
      .map(({ program: name, lines }) =>
        [`── ${name}`, ...(lines.length === 0 ? [`no lines of level ${level} or above`] : lines.map(textOf))].join(
          '\n',
        ),
      )
      .join('\n'),
  };
  if (!isSet('follow')) return;
  const followed = files.map(({ name, file }) => ({ name, log: new LogFile(file) }));
  const width = Math.max(...followed.map(({ name }) => name.length));
  for (;;) {
    for (const { name, log } of followed) {
      for (const line of linesOf(log.read(), level)) {
        yield { value: { program: name, line }, text: `${name.padEnd(width)}  ${textOf(line)}` };
      }
    }
    await new Promise((resolve) => setTimeout(resolve, followIntervalMs));
  }
}

function namesIn(folder: string, program: string | undefined): readonly string[] {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const names = files.map((file) => file.replace(/\.log$/, '')).toSorted();
  const selection = program === undefined ? names : names.filter((name) => name === program);
  if (selection.length > 0) return selection;
  throw new FriendlyError(
    names.length === 0
      ? `No logs in ${folder}. Start a stack: npx -y pnpm@12 start`
      : `No log of ${program}. Choose one of: ${names.join(', ')}`,
  );
}

function linesOf(text: string, level: LogLevel): readonly string[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.filter((line) => logLevels[levelOf(line)] >= logLevels[level]);
}

function levelOption(text: string): LogLevel {
  const level = levelNames.find((name) => name === text);
  if (level !== undefined) return level;
  throw new FriendlyError(`--level: expected one of ${levelNames.join(', ')}, got ${text}`);
}

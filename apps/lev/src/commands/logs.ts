import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FriendlyError } from '@core/runtime';
import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { countOf } from '../words.ts';

const defaultLines = 20;

/** Last lines of the log of one program, or of each. */
export async function logs({ stateDir, option }: Context, [program]: readonly string[]): Promise<Answer> {
  const folder = path.join(stateDir, 'logs');
  const names = existsSync(folder) ? readdirSync(folder).map((file) => file.replace(/\.log$/, '')) : [];
  const wanted = program === undefined ? names.toSorted() : names.filter((name) => name === program);
  if (wanted.length === 0)
    throw new FriendlyError(`there is no log of ${program ?? 'any program'}: ${names.join(', ')}`);
  const count = countOf('--lines', option('lines')) ?? defaultLines;
  const value = wanted.map((name) => ({
    program: name,
    lines: readFileSync(path.join(folder, `${name}.log`), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(-count),
  }));
  return { value, text: value.map(({ program: name, lines }) => [`── ${name}`, ...lines].join('\n')).join('\n') };
}

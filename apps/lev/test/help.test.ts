import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { InputError } from '@core/sdk';
import { expect, test } from 'vitest';
import { namesOf } from '../src/buildProgram.ts';
import { commandTable } from '../src/commandTable.ts';
import { failureOf } from '../src/failures.ts';
import { Terminal } from '../testing/terminal.ts';

const terminal = new Terminal({ LEV_STATE_DIR: mkdtempSync(path.join(tmpdir(), 'lev-')) });

test('the program prints its help', async () => {
  const { code, out } = await terminal.run('--help');
  expect(code).toBe(0);
  expect(out).toMatchSnapshot();
});

test.each(commandTable.map(({ usage }) => [usage, namesOf(usage)] as const))(
  '%s prints its help',
  async (_usage, names) => {
    const { code, out } = await terminal.run(...names, '--help');
    expect(code).toBe(0);
    expect(out).toMatchSnapshot();
  },
);

test('an unknown command is a usage error with exit code 2, as JSON too', async () => {
  for (const words of [
    ['nonsense'],
    ['open'],
    ['keys', 'nonsense'],
    ['listen', '--none'],
    ['clock', 'advance', 'soon'],
  ]) {
    const { code, document } = await terminal.json(...words);
    expect([words, code]).toEqual([words, 2]);
    expect(document).toMatchObject({ error: { code: 'usage', exit_code: 2, message: expect.any(String) } });
  }
});

test('a usage error names the option that was typed, and the next step', async () => {
  const { err } = await terminal.run('nonsense');
  expect(err).toContain("unknown command 'nonsense'\nRun the command with --help");
  const input = new InputError('notionalUsd', 'abc', "`notionalUsd` must be decimal text, not 'abc'.");
  expect(failureOf(input)?.message).toBe("--notional must be decimal text, not 'abc'.");
});

test.each([[], ['keys'], ['clock'], ['vault']])('the group %j prints its help and succeeds', async (...words) => {
  const { code, out, err } = await terminal.run(...words);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain(`Usage: ${['lev', ...words].join(' ')}`);
});

test('--version prints the version of the package', async () => {
  expect(await terminal.run('--version')).toEqual({
    code: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    err: '',
  });
});

test('a command without a stack names the command that starts one', async () => {
  const { code, err } = await terminal.run('markets');
  expect(code).toBe(2);
  expect(err).toContain('npx -y pnpm@12 start');
});

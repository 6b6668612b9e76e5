import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commandTable } from '../src/commandTable.ts';
import { Terminal } from '../testing/terminal.ts';

const terminal = new Terminal({ LEV_STATE_DIR: mkdtempSync(path.join(tmpdir(), 'lev-')) });
const namesOf = (usage: string): readonly string[] => usage.split(' ').filter((word) => /^[a-z]/.test(word));

test('the whole command line', async () => {
  const { code, out } = await terminal.run('--help');
  expect(code).toBe(0);
  expect(out).toMatchSnapshot();
});

test.each(commandTable.map(({ usage }) => [usage, namesOf(usage)] as const))(
  '%s has its help',
  async (_usage, names) => {
    const { code, out } = await terminal.run(...names, '--help');
    expect(code).toBe(0);
    expect(out).toMatchSnapshot();
  },
);

test('words that make no command are usage, also as one JSON document', async () => {
  for (const words of [['nonsense'], ['open'], ['clock'], ['listen', '--none'], ['clock', 'advance', 'soon']]) {
    const { code, document } = await terminal.json(...words);
    expect([words, code]).toEqual([words, 2]);
    expect(document).toMatchObject({ error: { code: 'usage', exit_code: 2, message: expect.any(String) } });
  }
});

test('without a stack a command says how to start one', async () => {
  const { code, err } = await terminal.run('markets');
  expect(code).toBe(2);
  expect(err).toContain('npx -y pnpm@12 start');
});

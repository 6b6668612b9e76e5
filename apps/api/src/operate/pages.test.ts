import { readdirSync, readFileSync } from 'node:fs';
import { FriendlyError } from '@core/runtime';
import { expect, test } from 'vitest';
import { callOf } from './commandTable.ts';
import { vaultCallOf } from './vault/vaultCalls.ts';

const folder = new URL('../../../../docs/operate/', import.meta.url);
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));

/** Names and arguments of the commands of a page, up to a comment or a shell's operator. Mentions have no arguments. */
const commandsOf = (text: string): readonly string[] =>
  [...text.matchAll(/(?:^ *|pnpm@12 |\$\(|_FILE=\S+ )operate ([a-z-]+ [^\n`#;&|)]+)/gm)].map(([, command = '']) =>
    command.trim(),
  );

/** Arguments with a value in place of each placeholder and variable. */
const wordsOf = (command: string): readonly string[] =>
  command
    .replaceAll(/<[^>]*address>|"?\$\w*(?:ADDRESS|STANDBY)"?/g, '0x5FbDB2315678afecb367f032d93F642f64180aa3')
    .replaceAll(/<position key>/g, `0x${'ab'.repeat(32)}`)
    .replaceAll(/<count[^>]*>/g, '3')
    .replaceAll(/<[^>]*>|"\$[^"]*"|\$\S+/g, 'word')
    .split(/\s+/);

const commands = pages.flatMap((page) =>
  commandsOf(readFileSync(new URL(page, folder), 'utf8')).map((command) => ({ page, command })),
);

/** Verbs that read and take no call. */
const readingVerbs = new Set(['addresses', 'signers', 'loan']);

test('every command on the pages for operators exists, with as many arguments', () => {
  expect(commands.length).toBeGreaterThan(30);
  const refusals = commands.filter(({ command }) => {
    try {
      const { call, row } = callOf(wordsOf(command));
      const [noun, verb = ''] = row.usage.split(' ');
      if (noun !== 'vault' || readingVerbs.has(verb)) return false;
      const isQueued = verb === 'schedule' || verb === 'execute';
      const [name = '', ...args] = isQueued ? call.args : [verb, ...call.args];
      vaultCallOf(name, args);
      return false;
    } catch (cause) {
      if (cause instanceof FriendlyError) return true;
      throw cause;
    }
  });
  expect(refusals).toEqual([]);
});

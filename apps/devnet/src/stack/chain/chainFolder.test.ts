import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FriendlyError } from '@core/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshCommand } from '../state/stateFolder.ts';
import { ChainFolder, type JournalBlock } from './chainFolder.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'chain-folder-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = () => new ChainFolder(root, { warn: () => undefined });
const head = { genesisSeconds: 1_000, leadSeconds: 0 };
const blockOf = (number: number): JournalBlock => ({
  number,
  seconds: 1_000 + number,
  hash: `0x${number}`,
  leadSeconds: 0,
  transactions: [],
});
const journalFile = () => path.join(root, 'blocks-0.ndjson');

test('a last block that was not written whole is cut off, and the next one stands alone', () => {
  writeFileSync(journalFile(), `${JSON.stringify(head)}\n${JSON.stringify(blockOf(1))}\n{"number":2,"sec`);
  const folder = open();
  expect(folder.read()?.blocks).toEqual([blockOf(1)]);
  folder.openJournal(head);
  folder.append(blockOf(2));
  folder.close();
  expect(open().read()).toMatchObject({ head, blocks: [blockOf(1), blockOf(2)] });
});

test('a damaged line in the middle is named with file, number and remedy', () => {
  const folder = open();
  folder.openJournal(head);
  folder.close();
  appendFileSync(journalFile(), `{"number":1,"sec${JSON.stringify(blockOf(2))}\n`);
  const read = () => open().read();
  expect(read).toThrow(FriendlyError);
  expect(read).toThrow(new RegExp(`^Line 2 of ${journalFile()} cannot be read: .*${freshCommand}`));
});

test('a checkpoint that the disk does not take: the journal before continues, and no draft is left', () => {
  const folder = open();
  folder.openJournal(head);
  folder.append(blockOf(1));
  const obstacle = path.join(root, 'state-1.json.gz');
  mkdirSync(obstacle);
  expect(() => folder.checkpoint(Buffer.from('state'), head)).toThrow(FriendlyError);
  folder.append(blockOf(2));
  folder.close();
  rmdirSync(obstacle);
  expect(readdirSync(root)).toEqual(['blocks-0.ndjson']);
  expect(readFileSync(journalFile(), 'utf8').split('\n')).toHaveLength(4);
  expect(open().read()?.blocks).toEqual([blockOf(1), blockOf(2)]);
});

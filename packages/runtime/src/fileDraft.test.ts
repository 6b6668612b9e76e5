import { fstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FullDisk } from '../testing/fullDisk.ts';
import { FileDraft, replaceFile } from './fileDraft.ts';
import { systemFiles } from './fileOperations.ts';
import { FriendlyError } from './friendlyError.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'draft-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const file = () => path.join(folder, 'key');

test('a file that others may read is replaced → its owner alone may read the new one', () => {
  writeFileSync(file(), 'old', { mode: 0o644 });
  replaceFile(file(), 'new');
  expect([readFileSync(file(), 'utf8'), statSync(file()).mode & 0o777]).toEqual(['new', 0o600]);
  expect(readdirSync(folder)).toEqual(['key']);
});

test('the disk is full half-way → the error names the file, which has its old content, and no draft is left', () => {
  writeFileSync(file(), 'old');
  const disk = new FullDisk();
  disk.roomBytes = 2;
  const draft = new FileDraft(file(), disk);
  expect(() => draft.write('new')).toThrow(
    new FriendlyError(`${file()} cannot be written: ENOSPC: no space left on device`),
  );
  draft.end();
  expect([readFileSync(file(), 'utf8'), ...readdirSync(folder)]).toEqual(['old', 'key']);
});

test('the draft cannot take the place of the file → FriendlyError, and no draft is left', () => {
  mkdirSync(file());
  expect(() => replaceFile(file(), 'new')).toThrow(FriendlyError);
  expect(readdirSync(folder)).toEqual(['key']);
});

test.each(['EINVAL', 'ENOTSUP', 'EACCES'])(
  'a folder whose names cannot be synced (%s) → the file is replaced',
  (code) => {
    const sync = (handle: number): void => {
      if (fstatSync(handle).isDirectory()) throw Object.assign(new Error(code), { code });
    };
    const draft = new FileDraft(file(), { ...systemFiles, sync });
    draft.write('new');
    draft.place();
    draft.end();
    expect(readFileSync(file(), 'utf8')).toBe('new');
  },
);

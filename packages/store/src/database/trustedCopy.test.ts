import { chmod, lstat, mkdir, mkdtemp, readFile, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { trustedCopy } from './trustedCopy.ts';
import { isPrivateFolder } from './trustedFolder.ts';

let folder = '';
let original = '';
let parent = '';
beforeEach(async () => {
  // Folders above it are those of the machine, which differ: they are not checked.
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'store-copy-')));
  original = path.join(folder, 'original');
  parent = path.join(folder, 'copies');
  await mkdir(path.join(original, 'bin'), { recursive: true, mode: 0o700 });
  await writeFile(path.join(original, 'bin', 'program'), 'the program', { mode: 0o700 });
  await writeFile(path.join(original, 'data'), 'its data', { mode: 0o600 });
  await symlink('data', path.join(original, 'link'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const copy = (): Promise<string> =>
  trustedCopy(original, { parent: { folder: parent, top: folder }, name: 'programs' });
const modeOf = async (file: string): Promise<number> => (await lstat(file)).mode & 0o777;

async function expectWhole(target: string): Promise<void> {
  expect((await lstat(target)).isDirectory()).toBe(true);
  expect(await readFile(path.join(target, 'bin', 'program'), 'utf8')).toBe('the program');
  expect(await readFile(path.join(target, 'link'), 'utf8')).toBe('its data');
  const modes = [parent, target, path.join(target, 'bin'), path.join(target, 'bin/program'), path.join(target, 'data')];
  expect(await Promise.all(modes.map(modeOf))).toEqual([0o755, 0o755, 0o755, 0o755, 0o644]);
}

test('trustedCopy: every user can run a copy of private files; a second call keeps it', async () => {
  const target = await copy();
  await expectWhole(target);
  const { ino } = await lstat(target);
  expect((await lstat(await copy())).ino).toBe(ino);
});

test.each<[string, (target: string) => Promise<unknown>]>([
  ['a changed program', (target) => writeFile(path.join(target, 'bin', 'program'), 'another program')],
  ['a cut file', (target) => truncate(path.join(target, 'data'), 3)],
  ['a missing file', (target) => rm(path.join(target, 'data'))],
  ['another file', (target) => writeFile(path.join(target, 'bin', 'other'), '')],
  ['a file that others can write', (target) => chmod(path.join(target, 'bin', 'program'), 0o777)],
  ['a folder that others cannot enter', (target) => chmod(target, 0o700)],
])('trustedCopy: a copy with %s is replaced', async (_name, change) => {
  const target = await copy();
  await change(target);
  expect(await copy()).toBe(target);
  await expectWhole(target);
});

test('trustedCopy: a file or link in its position is replaced', async () => {
  const target = await copy();
  await rm(target, { recursive: true });
  await symlink(original, target);
  expect(await copy()).toBe(target);
  await expectWhole(target);
  await rm(target, { recursive: true });
  await writeFile(target, 'a file');
  await expectWhole(await copy());
});

test('trustedCopy: throws where others can change the parent, a folder above it, or it is a link', async () => {
  await chmod(folder, 0o1777);
  await expect(copy()).rejects.toThrow(/755/);
  await chmod(folder, 0o755);
  await rm(parent, { recursive: true });
  await mkdir(parent);
  await chmod(parent, 0o777);
  await expect(copy()).rejects.toThrow(/755/);
  await rm(parent, { recursive: true });
  await symlink(original, parent);
  await expect(copy()).rejects.toThrow(/755/);
});

test.each([
  [{ uid: 0, mode: 0o755 }, true],
  [{ uid: 1_000, mode: 0o700 }, true],
  [{ uid: 1_001, mode: 0o755 }, false],
  [{ uid: 0, mode: 0o1777 }, false],
  [{ uid: 0, mode: 0o775 }, false],
])('isPrivateFolder: %o for user 1000 → %s', (entry, isPrivate) => {
  expect(isPrivateFolder(entry, 1_000)).toBe(isPrivate);
});

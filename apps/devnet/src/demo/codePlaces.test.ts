import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../stack/state/stateFolder.ts';
import { codePlaces } from './codePlaces.ts';

test('code places: each step names an existing file', () => {
  const missing = Object.values(codePlaces).filter((place) => !existsSync(path.join(repositoryRoot, place)));
  expect(missing).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { nativeSecp256k1 } from './signing/nativeSecp256k1.ts';

test('no module imports Node, so that quotes can be verified in a browser', () => {
  const folder = new URL('.', import.meta.url);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(10);
  for (const name of files) {
    expect(readFileSync(new URL(name, folder), 'utf8')).not.toMatch(/^import (?!type).*from '(node:|secp256k1)/m);
  }
});

test('the signer uses the native library, not its silent fallback', () => {
  nativeSecp256k1();
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  expect(loaded.some((path) => /secp256k1.*\.node$/.test(path))).toBe(true);
  expect(loaded.some((path) => path.includes('elliptic'))).toBe(false);
});

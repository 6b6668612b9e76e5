import { readFile } from 'node:fs/promises';
import type { TokenKeyRing } from './tokenKeyRing.ts';
import { readTokenKeys } from './tokenKeys.ts';

/**
 * Return a poll that reads the file of a key set and hands it to the ring when it has changed.
 * @throws Error when the file cannot be read or holds no usable set; the ring keeps the keys it has.
 */
export function tokenKeysFollower(path: string, ring: TokenKeyRing): () => Promise<void> {
  let lastText = '';
  return async () => {
    const text = await readFile(path, 'utf8');
    if (text === lastText) return;
    ring.replace(await readTokenKeys(JSON.parse(text)));
    lastText = text;
  };
}

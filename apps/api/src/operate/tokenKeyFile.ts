import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** Keys as the file holds them; everything else about them is checked by the service that reads it. */
const keySet = z.object({ keys: z.array(z.looseObject({ kid: z.string() })).min(1) });
type KeySet = z.infer<typeof keySet>;

/** A set with a new Ed25519 key in front, which will sign, and the one that signs now behind it; null: no set yet. */
export function rotatedTokenKeys(current: unknown): KeySet {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { kty, crv, x, d } = privateKey.export({ format: 'jwk' });
  const key = { kty, crv, x, d, kid: randomBytes(6).toString('hex'), use: 'sig', alg: 'EdDSA' };
  const before = current === null ? [] : keySet.parse(current).keys.slice(0, 1);
  return { keys: [key, ...before] };
}

/** A set of the key that signs alone: tokens of every other key end. */
export function retiredTokenKeys(current: unknown): KeySet {
  return { keys: keySet.parse(current).keys.slice(0, 1) };
}

/** Null where there is no file yet. @throws SyntaxError when it is no JSON. */
export function readTokenKeyFile(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}

/** Replaces the file in one step, readable by its owner alone: no process ever reads half of it. */
export function writeTokenKeyFile(path: string, keys: KeySet): void {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

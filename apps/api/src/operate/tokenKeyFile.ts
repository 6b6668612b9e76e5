import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { FriendlyError, replaceFile } from '@core/runtime';
import { z } from 'zod';
import type { Call, Operated, Operations } from './command.ts';

/** Schema of the key file. The service that reads it validates everything else. */
const keySet = z.object({ keys: z.array(z.looseObject({ kid: z.string() })).min(1) });
type KeySet = z.infer<typeof keySet>;

/** Return a set with a new signing Ed25519 key before the current signing key; `null` is an absent set. */
export function rotatedTokenKeys(current: unknown): KeySet {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { kty, crv, x, d } = privateKey.export({ format: 'jwk' });
  const key = { kty, crv, x, d, kid: randomBytes(6).toString('hex'), use: 'sig', alg: 'EdDSA' };
  const before = current === null ? [] : keySet.parse(current).keys.slice(0, 1);
  return { keys: [key, ...before] };
}

/** Write a key set, readable by its owner only. */
export function writeTokenKeyFile(file: string, keys: KeySet): void {
  replaceFile(file, `${JSON.stringify(keys, null, 2)}\n`);
}

/** Add a new signing key before the current one. @throws FriendlyError when the file is not a key set. */
export async function rotateTokenKeys(_operations: Operations, { args }: Call): Promise<Operated> {
  const [file = ''] = args;
  return written(file, rotatedTokenKeys(readKeySet(file)));
}

/** Remove all keys but the signing one, which ends the tokens of the others. @throws FriendlyError without a file. */
export async function retireTokenKeys(_operations: Operations, { args }: Call): Promise<Operated> {
  const [file = ''] = args;
  const current = readKeySet(file);
  if (current === null) throw new FriendlyError(`${file} does not exist`);
  return written(file, { keys: current.keys.slice(0, 1) });
}

/** Read the key set; null without a file. */
function readKeySet(file: string): KeySet | null {
  if (!existsSync(file)) return null;
  try {
    return keySet.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new FriendlyError(`${file} is not a JSON Web Key Set`, { cause });
  }
}

function written(file: string, keys: KeySet): Operated {
  writeTokenKeyFile(file, keys);
  return { value: { file, kids: keys.keys.map(({ kid }) => kid) } };
}

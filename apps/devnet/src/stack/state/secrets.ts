import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { replaceFile } from '@core/runtime';
import { z } from 'zod';
import type { StateFolder } from './stateFolder.ts';

const secretsSchema = z.object({
  /** Secrets shared by the keeper and each price signer, in the order of the programs. */
  priceSignerSecrets: z.tuple([z.string().min(32), z.string().min(32)]),
});

/** Secrets of one local stack, without the keys of chain roles, which are the public test mnemonic's. */
export type Secrets = z.infer<typeof secretsSchema>;

/** Return the secrets of this folder, made at its first start, so that user tokens survive a restart. */
export function openSecrets(folder: StateFolder): Secrets {
  if (!existsSync(folder.tokenKeys)) replaceFile(folder.tokenKeys, `${JSON.stringify(newTokenKeys(), null, 2)}\n`);
  if (existsSync(folder.secrets)) {
    const parsed = secretsSchema.safeParse(JSON.parse(readFileSync(folder.secrets, 'utf8')));
    if (parsed.success) return parsed.data;
  }
  const secrets: Secrets = { priceSignerSecrets: [newSecret(), newSecret()] };
  replaceFile(folder.secrets, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}

const newSecret = (): string => randomBytes(32).toString('base64url');

/** Return a JSON Web Key Set with one Ed25519 key for user tokens. */
function newTokenKeys(): object {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { kty, crv, x, d } = privateKey.export({ format: 'jwk' });
  return { keys: [{ kty, crv, x, d, kid: `local-${randomBytes(4).toString('hex')}`, use: 'sig', alg: 'EdDSA' }] };
}

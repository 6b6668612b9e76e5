import { type CryptoKey, importJWK, type JWK } from 'jose';
import { z } from 'zod';

const privateKey = z.strictObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  kid: z.string().min(1),
  x: z.string().min(1),
  /** The private part; absent on a key that only verifies: one that has been rotated out. */
  d: z.string().min(1).optional(),
  use: z.literal('sig').optional(),
  alg: z.literal('EdDSA').optional(),
});
const keySetFile = z.strictObject({ keys: z.array(privateKey).min(1) });

/** Public part of a key: enough to verify, never enough to sign. */
export interface PublicTokenKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly kid: string;
  readonly x: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
}

/** Keys by `kid`. The first one signs, all verify: a key is rotated by putting the new one in front. */
export interface TokenKeys {
  readonly signing: { readonly kid: string; readonly key: CryptoKey };
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  /** The public parts, for `/.well-known/jwks.json`. */
  readonly published: readonly PublicTokenKey[];
}

/**
 * Read a JSON Web Key Set of Ed25519 keys.
 * @throws Error when it is malformed, has no private key or repeats a `kid`.
 */
export async function readTokenKeys(json: unknown): Promise<TokenKeys> {
  const { keys } = keySetFile.parse(json);
  const [first] = keys;
  if (first?.d === undefined) throw new Error('the first token key must have its private part');
  const verifying = new Map<string, CryptoKey>();
  for (const { kty, crv, kid, x } of keys) {
    if (verifying.has(kid)) throw new Error('two token keys share a kid');
    verifying.set(kid, await importEd25519({ kty, crv, x }));
  }
  const { kty, crv, x, d } = first;
  const published = keys.map((key) => ({
    kty: key.kty,
    crv: key.crv,
    kid: key.kid,
    x: key.x,
    use: 'sig' as const,
    alg: 'EdDSA' as const,
  }));
  return { signing: { kid: first.kid, key: await importEd25519({ kty, crv, x, d }) }, verifying, published };
}

async function importEd25519(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'EdDSA');
  if (key instanceof Uint8Array) throw new TypeError('a token key must be asymmetric');
  return key;
}

import { createRequire } from 'node:module';

interface NativeSecp256k1 {
  ecdsaSign(hash: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recid: number };
  privateKeyVerify(privateKey: Uint8Array): boolean;
  publicKeyCreate(privateKey: Uint8Array, compressed: boolean): Uint8Array;
}

const nodeRequire = createRequire(import.meta.url);
let loaded: NativeSecp256k1 | undefined;

/**
 * The native libsecp256k1 binding. The package's own entry point falls back silently to a JavaScript
 * implementation that is fifteen times slower, so the binding is loaded by its own path and a missing addon is an
 * error at start instead of a slow service.
 *
 * @throws Error with the loader's failure as `cause` when the addon is not built for this platform.
 */
export function nativeSecp256k1(): NativeSecp256k1 {
  if (loaded === undefined) {
    try {
      loaded = nodeRequire('secp256k1/bindings') as NativeSecp256k1;
    } catch (cause) {
      throw new Error('the native secp256k1 addon is missing on this platform', { cause });
    }
  }
  return loaded;
}

import type * as secp256k1 from 'secp256k1';

type NativeSecp256k1 = Pick<typeof secp256k1, 'ecdsaRecover' | 'ecdsaSign' | 'privateKeyVerify' | 'publicKeyCreate'>;

let loaded: NativeSecp256k1 | undefined;

/**
 * Load the native libsecp256k1 binding. The package's own entry point falls back silently to a JavaScript
 * implementation that is fifteen times slower. The binding is therefore loaded by its own path, and a missing addon is
 * an error at start instead of a slow service.
 *
 * The first key loads it, not the import: a verifier does not need it and can run in a browser.
 *
 * @throws Error with the loader's failure as `cause` when the addon is not built for this platform.
 */
export function nativeSecp256k1(): NativeSecp256k1 {
  if (loaded === undefined) {
    try {
      // Decision: packages/vault/DECISIONS.md#the-native-signer-is-loaded-with-the-first-key
      const { createRequire } = process.getBuiltinModule('node:module');
      const binding: NativeSecp256k1 = createRequire(import.meta.url)('secp256k1/bindings');
      loaded = binding;
    } catch (cause) {
      throw new Error('the native secp256k1 addon is missing on this platform', { cause });
    }
  }
  return loaded;
}

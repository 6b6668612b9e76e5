import type { EndedSignature } from '@core/runtime';
import type { Signer } from '@core/vault';

/** Return a signer whose signatures are reported, for a metric. */
export function observedSigner(signer: Signer, onEnd: (signature: EndedSignature) => void): Signer {
  return {
    address: signer.address,
    implementation: signer.implementation,
    async signMessage(message) {
      const startMs = performance.now();
      let isSigned = false;
      try {
        const signature = await signer.signMessage(message);
        isSigned = true;
        return signature;
      } finally {
        onEnd({ isSigned, durationMs: performance.now() - startMs });
      }
    },
  };
}

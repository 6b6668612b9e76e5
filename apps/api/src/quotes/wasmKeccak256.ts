import type { Keccak256 } from '@core/vault';
import { createKeccak } from 'hash-wasm';

/** keccak-256 in WebAssembly: a quote hashes ten blocks, and each takes a tenth of the time it takes in JavaScript. */
export async function wasmKeccak256(): Promise<Keccak256> {
  const hasher = await createKeccak(256);
  return (bytes) => hasher.init().update(bytes).digest('binary');
}

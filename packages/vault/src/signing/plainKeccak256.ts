import { keccak256 } from 'viem';

/** keccak-256 from any number of bytes to 32. Synchronous and stateless. */
export type Keccak256 = (bytes: Uint8Array) => Uint8Array;

/** Portable JavaScript implementation. Callers that hash often can inject a faster one. */
export const plainKeccak256: Keccak256 = (bytes) => keccak256(bytes, 'bytes');

import { keccak256 } from 'viem';

/** keccak-256: any number of bytes to 32. Synchronous, and without a memory between calls. */
export type Keccak256 = (bytes: Uint8Array) => Uint8Array;

/** The one that runs everywhere, in JavaScript. Programs that hash all day may bring a faster one. */
export const plainKeccak256: Keccak256 = (bytes) => keccak256(bytes, 'bytes');

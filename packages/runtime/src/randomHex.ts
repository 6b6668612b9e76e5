import { randomFillSync } from 'node:crypto';

/** Bytes drawn from the system at once: each call costs more than its bytes. */
const pool = Buffer.alloc(4_096);
let usedByteLength = pool.length;

/** Random bytes of the system, as hex without `0x`: for names that must not repeat. At most 4,096 at a time. */
export function randomHex(byteLength: number): string {
  if (usedByteLength + byteLength > pool.length) {
    randomFillSync(pool);
    usedByteLength = 0;
  }
  const text = pool.toString('hex', usedByteLength, usedByteLength + byteLength);
  usedByteLength += byteLength;
  return text;
}

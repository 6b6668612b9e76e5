import type { Hex } from 'viem';

const groupOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * Return true for the one accepted form of a signature: 65 bytes, r and s in the group, s in its lower half, v 27 or
 * 28. Chain and library refuse every other encoding of the same signature (compact, high s, v 0 or 1).
 */
export function isCanonicalSignature(signature: Hex): boolean {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return false;
  const r = BigInt(signature.slice(0, 66));
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  const v = Number.parseInt(signature.slice(130), 16);
  return r > 0n && r < groupOrder && s > 0n && s <= groupOrder / 2n && (v === 27 || v === 28);
}

import { nativeSignerOf } from '@core/vault';
import { type Address, bytesToBigInt, type Hex, hexToBigInt, hexToBytes, isAddressEqual, numberToHex } from 'viem';

const groupOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The two numbers of a signature. */
export interface SignatureNumbers {
  readonly r: bigint;
  readonly s: bigint;
}

/** Return r and s of 64 bytes `r ‖ s`, or of 65 with a v behind them; null for another length. */
export function numbersOfHex(signature: string): SignatureNumbers | null {
  const [, r, s] = /^0x([0-9a-fA-F]{64})([0-9a-fA-F]{64})(?:[0-9a-fA-F]{2})?$/.exec(signature) ?? [];
  if (r === undefined || s === undefined) return null;
  return { r: hexToBigInt(`0x${r}`), s: hexToBigInt(`0x${s}`) };
}

/** Return r and s of a DER signature: a sequence of two integers. Null for any other bytes. */
export function numbersOfDer(bytes: Uint8Array): SignatureNumbers | null {
  if (bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2) return null;
  const r = integerAt(bytes, 2);
  const s = r === null ? null : integerAt(bytes, r.end);
  return r === null || s === null || s.end !== bytes.length ? null : { r: r.value, s: s.value };
}

function integerAt(bytes: Uint8Array, start: number): { readonly value: bigint; readonly end: number } | null {
  const length = bytes[start + 1];
  // Signatures of this curve have integers of at most 33 bytes, so that a length is always one byte.
  if (bytes[start] !== 0x02 || length === undefined || length < 1 || length > 33) return null;
  const end = start + 2 + length;
  const content = bytes.subarray(start + 2, end);
  if (content.length !== length) return null;
  return { value: bytesToBigInt(content), end };
}

/**
 * Return the one accepted form of a signature of this hash by this address: 65 bytes, low s, v 27 or 28. Null when the
 * signature is of another key or of another hash.
 */
export function recoveredSignature(
  { r, s }: SignatureNumbers,
  { hash, address }: { readonly hash: Hex; readonly address: Address },
): Hex | null {
  if (r <= 0n || s <= 0n || r >= groupOrder || s >= groupOrder) return null;
  const lowS = s > groupOrder / 2n ? groupOrder - s : s;
  const compact: Hex = `${numberToHex(r, { size: 32 })}${numberToHex(lowS, { size: 32 }).slice(2)}`;
  const isOfAddress = (recovery: 0 | 1): boolean => {
    const signer = nativeSignerOf(hexToBytes(hash), hexToBytes(compact), recovery);
    return signer !== null && isAddressEqual(signer, address);
  };
  if (isOfAddress(0)) return `${compact}1b`;
  return isOfAddress(1) ? `${compact}1c` : null;
}

import { createPublicKey } from 'node:crypto';
import { type Address, bytesToHex, type Hex } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';

/**
 * Return the address of a secp256k1 key from its SubjectPublicKeyInfo, as DER or PEM; null for a key of another curve.
 */
export function addressOfPublicKey(key: Uint8Array | string): Address | null {
  const options =
    typeof key === 'string' ? key : { key: Buffer.from(key), format: 'der' as const, type: 'spki' as const };
  const { crv, x, y } = createPublicKey(options).export({ format: 'jwk' });
  if (crv !== 'secp256k1' || x === undefined || y === undefined) return null;
  const point = new Uint8Array(65);
  point[0] = 4;
  point.set(Buffer.from(x, 'base64url'), 1);
  point.set(Buffer.from(y, 'base64url'), 33);
  return publicKeyToAddress(bytesToHex(point));
}

/** Return the address of an uncompressed point of 64 bytes, or of 65 with its prefix; null for other texts. */
export function addressOfPoint(point: string): Address | null {
  const [, coordinates] = /^(?:0x)?(?:04)?([0-9a-fA-F]{128})$/.exec(point) ?? [];
  return coordinates === undefined ? null : publicKeyToAddress(`0x04${coordinates}` satisfies Hex);
}

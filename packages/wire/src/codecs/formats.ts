import { z } from 'zod';

/** ISO 8601 in UTC, the form of every time in the specification except `signature_expiry`. */
export const isoTime = z.iso.datetime().meta({ description: 'ISO 8601 time in UTC' });

/** Format epoch milliseconds as ISO 8601 in UTC. */
export function isoTimeOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Format epoch milliseconds as ISO 8601 in UTC; null stays null. */
export function nullableIsoTimeOf(epochMs: number | null): string | null {
  return epochMs === null ? null : isoTimeOf(epochMs);
}

/** Bytes as hex with `0x`. */
type Hex = `0x${string}`;

/** Build the schema of a text whose pattern begins with `0x`, typed as such. */
function hexText(pattern: RegExp, message: string): z.ZodType<Hex, Hex> {
  return z.string().regex(pattern, message) as z.ZodString & z.ZodType<Hex, Hex>;
}

/** 20 bytes, 0x-prefixed; written checksummed. */
export const evmAddress = hexText(/^0x[0-9a-fA-F]{40}$/, 'must be an EVM address');

/** Whole bytes, 0x-prefixed, lower case. */
export const hexBytes = hexText(/^0x([0-9a-f]{2})*$/, 'must be bytes in hex');

/** 32 bytes, 0x-prefixed, lower case. */
export const bytes32Hex = hexText(/^0x[0-9a-f]{64}$/, 'must be 32 bytes in hex');

/** 16 bytes, 0x-prefixed, lower case. */
export const bytes16Hex = hexText(/^0x[0-9a-f]{32}$/, 'must be 16 bytes in hex');

/** 65 bytes of a signature, 0x-prefixed, lower case. */
export const signatureHex = hexText(/^0x[0-9a-f]{130}$/, 'must be 65 bytes in hex');

/** Unsigned whole number of up to 78 digits (256 bits), without leading zeros. */
export const uint256Text = z.string().regex(/^(0|[1-9]\d{0,77})$/, 'must be an unsigned whole number');

/** Decimal for display: 2 to 4 decimals, `-` when negative, never "-0.00". */
export const usdText = z
  .string()
  .regex(/^(?!-0\.0+$)-?\d+\.\d{2,4}$/, 'must be a decimal with 2 to 4 decimals')
  .meta({ description: 'Dollars, for display; the pips are authoritative' });

/** Build the schema of an identifier: a type prefix, optionally after a fixed namespace. */
export function idText(prefix: 'mkt' | 'pos' | 'off' | 'dro'): z.ZodString {
  return z.string().regex(new RegExp(`^([a-z0-9]+_)?${prefix}_[0-9a-z]+$`), `must be an ID with the prefix ${prefix}_`);
}

/** Format a stored ID for clients by adding the environment's fixed prefix, if any. */
export function wireIdOf(id: string, idNamespace: string): string {
  return idNamespace === '' ? id : `${idNamespace}_${id}`;
}

/** Form of a stored ID. Any other text is not queried: it is answered like an unknown ID. */
const storedId = /^[a-z]{3}_[0-9a-z]{1,64}$/;

/** Parse an ID of the wire; null when its form or prefix is not that of this environment. */
export function storedIdOf(wireId: string, idNamespace: string): string | null {
  const prefix = wireIdOf('', idNamespace);
  if (!wireId.startsWith(prefix)) return null;
  const id = wireId.slice(prefix.length);
  return storedId.test(id) ? id : null;
}

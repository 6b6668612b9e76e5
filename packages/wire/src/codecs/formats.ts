import { z } from 'zod';

/** ISO 8601 in UTC, as every time of the specification except `signature_expiry`. */
export const isoTime = z.iso.datetime().meta({ description: 'ISO 8601 time in UTC' });

/** Epoch milliseconds as ISO 8601 in UTC. */
export function isoTimeOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** The same, null staying null. */
export function nullableIsoTimeOf(epochMs: number | null): string | null {
  return epochMs === null ? null : isoTimeOf(epochMs);
}

/** 20 bytes, 0x-prefixed; written checksummed. */
export const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an EVM address');

/** Whole bytes, 0x-prefixed, lower case. */
export const hexBytes = z.string().regex(/^0x([0-9a-f]{2})*$/, 'must be bytes in hex');

/** 32 bytes, 0x-prefixed, lower case. */
export const bytes32Hex = z.string().regex(/^0x[0-9a-f]{64}$/, 'must be 32 bytes in hex');

/** 16 bytes, 0x-prefixed, lower case. */
export const bytes16Hex = z.string().regex(/^0x[0-9a-f]{32}$/, 'must be 16 bytes in hex');

/** An unsigned whole number of up to 78 digits (256 bits), without leading zeros. */
export const uint256Text = z.string().regex(/^(0|[1-9]\d{0,77})$/, 'must be an unsigned whole number');

/** A decimal for display: 2 to 4 decimals, `-` when negative, never "-0.00". */
export const usdText = z
  .string()
  .regex(/^(?!-0\.0+$)-?\d+\.\d{2,4}$/, 'must be a decimal with 2 to 4 decimals')
  .meta({ description: 'Dollars, for display; the pips are authoritative' });

/** Identifiers carry a type prefix and may carry a fixed namespace before it. */
export function idText(prefix: 'mkt' | 'pos' | 'off' | 'dro'): z.ZodString {
  return z.string().regex(new RegExp(`^([a-z0-9]+_)?${prefix}_[0-9a-z]+$`), `must be an ID with the prefix ${prefix}_`);
}

/** An ID as clients see it: with the environment's fixed prefix, or with none; the database knows it without. */
export function wireIdOf(id: string, idNamespace: string): string {
  return idNamespace === '' ? id : `${idNamespace}_${id}`;
}

/** What an ID of the database looks like. Anything else is not looked up: it answers like an unknown ID. */
const storedId = /^[a-z]{3}_[0-9a-z]{1,64}$/;

/** Back from the wire; null when the form or the prefix is not this environment's. */
export function storedIdOf(wireId: string, idNamespace: string): string | null {
  const prefix = wireIdOf('', idNamespace);
  if (!wireId.startsWith(prefix)) return null;
  const id = wireId.slice(prefix.length);
  return storedId.test(id) ? id : null;
}

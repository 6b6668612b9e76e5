import type { Address, Hex } from 'viem';
import { isCanonicalSignature } from '../signing/canonicalSignature.ts';
import { type CreatePositionFields, createPositionDigest } from './createPositionDigest.ts';
import { recoverQuoteSigner } from './recoverQuoteSigner.ts';

/** Expected values of a quote: contract info, and any values of the caller's own request. */
export interface ExpectedQuote extends Partial<Omit<CreatePositionFields, 'chainId' | 'vault'>> {
  /** Signer address: `polygon_signer_address` of contract info. */
  readonly signer: Address;
  readonly chainId: number;
  readonly vault: Address;
}

/** Name of the first value that differs; `signature` when its form is not accepted. */
export type QuoteMismatch = keyof CreatePositionFields | 'signature' | 'signer';

export type QuoteVerification =
  | { readonly verified: true; readonly digest: Hex }
  | { readonly verified: false; readonly field: QuoteMismatch };

/**
 * Verify a quote by the specification ("Verifying a quote signature"): chain and vault equal contract info, the
 * expectations hold, and the signature over the 14 packed values recovers to the signer. Addresses and hexadecimal
 * values are compared case-insensitively.
 *
 * @returns Digest of a valid quote, or the name of the first mismatch. A changed value without an expectation is named
 * `signer`, because the signature recovers to another address.
 * @throws RangeError when a value does not fit its type.
 * @example
 * ```ts
 * const result = await verifyQuote({ fields, signature, expected: { signer, chainId, vault } });
 * if (!result.verified) throw new Error(`the quote differs in ${result.field}`);
 * ```
 */
export async function verifyQuote(parameters: {
  readonly fields: CreatePositionFields;
  readonly signature: Hex;
  readonly expected: ExpectedQuote;
}): Promise<QuoteVerification> {
  const { fields, signature, expected } = parameters;
  const differing = differingField(fields, expected);
  if (differing !== null) return { verified: false, field: differing };
  if (!isCanonicalSignature(signature)) return { verified: false, field: 'signature' };
  const digest = createPositionDigest(fields);
  const signer = await recoverQuoteSigner({ digest, signature });
  if (signer === null || !isSame(signer, expected.signer)) return { verified: false, field: 'signer' };
  return { verified: true, digest };
}

/** Return the first field that differs from the expectations, in the order of packing; null when none does. */
function differingField(
  fields: CreatePositionFields,
  expected: Partial<CreatePositionFields>,
): keyof CreatePositionFields | null {
  for (const name of createPositionFieldNames) {
    const expectation = expected[name];
    if (expectation !== undefined && !isSame(fields[name], expectation)) return name;
  }
  return null;
}

/** Field names in the order of packing. */
export const createPositionFieldNames = [
  'positionSeed',
  'user',
  'venueMarketId',
  'venueTokenId',
  'collateralUsdcUnits',
  'leverageBps',
  'notionalUsdcUnits',
  'originationFeeBps',
  'lifetimeFeeAprBps',
  'liquidationFeeBps',
  'signatureExpiry',
  'chainId',
  'vault',
] as const satisfies readonly (keyof CreatePositionFields)[];

function isSame(left: unknown, right: unknown): boolean {
  if (typeof left === 'string' && typeof right === 'string') return left.toLowerCase() === right.toLowerCase();
  return left === right;
}

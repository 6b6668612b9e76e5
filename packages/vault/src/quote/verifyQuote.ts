import type { Address, Hex } from 'viem';
import { isCanonicalSignature } from '../signing/canonicalSignature.ts';
import { type CreatePositionFields, createPositionDigest } from './createPositionDigest.ts';
import { recoverQuoteSigner } from './recoverQuoteSigner.ts';

/** What the verifier knows from elsewhere: contract info, and any value of its own request it wants to hold. */
export interface ExpectedQuote extends Partial<Omit<CreatePositionFields, 'chainId' | 'vault'>> {
  /** `polygon_signer_address` of contract info. */
  readonly signer: Address;
  readonly chainId: number;
  readonly vault: Address;
}

/** Name of the first thing that differs; `signature` when its form is not accepted. */
export type QuoteMismatch = keyof CreatePositionFields | 'signature' | 'signer';

export type QuoteVerification =
  | { readonly verified: true; readonly digest: Hex }
  | { readonly verified: false; readonly field: QuoteMismatch };

/**
 * Verifies a quote as the specification asks ("Verifying a quote signature"): chain and vault equal contract info,
 * the given expectations hold, and the signature over the 14 packed values recovers to the signer. Addresses and
 * hexadecimal values are compared without regard to case.
 *
 * A changed value that the verifier did not name shows as `signer`, because it recovers to another address.
 *
 * @throws RangeError when a value does not fit its type.
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

/** First field of a quote that differs from what is expected, in the order of packing; null when none does. */
function differingField(
  fields: CreatePositionFields,
  expected: Partial<CreatePositionFields>,
): keyof CreatePositionFields | null {
  for (const name of createPositionFieldNames) {
    const wanted = expected[name];
    if (wanted !== undefined && !isSame(fields[name], wanted)) return name;
  }
  return null;
}

/** The thirteen field names in the order of packing. */
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

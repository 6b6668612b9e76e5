import { type TokenUnits, tokenUnits } from '@core/pricing';
import { Purpose } from '@core/vault';
import type { Hex } from 'viem';
import { z } from 'zod';

/** The words of the request for the contract's numbers. */
export const purposeWords = {
  open: Purpose.Open,
  close: Purpose.Close,
  unwind: Purpose.Unwind,
  liquidate: Purpose.Liquidate,
} as const;

export type PurposeWord = keyof typeof purposeWords;

export interface AttestationRequest {
  readonly positionKey: Hex;
  readonly purpose: PurposeWord;
  /** Tokens the order is for: the limit price is that of trading this many. */
  readonly size: TokenUnits;
}

/** Body of `POST /attestations`; unknown fields are refused, whole numbers travel as decimal text. */
export const attestationRequestSchema = z
  .strictObject({
    position_key: z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be 32 bytes in hexadecimal'),
    purpose: z.enum(['open', 'close', 'unwind', 'liquidate']),
    token_units: z.string().regex(/^[1-9][0-9]{0,18}$/, 'must be a positive whole number as text'),
  })
  .transform(
    (body): AttestationRequest => ({
      positionKey: body.position_key.toLowerCase() as Hex,
      purpose: body.purpose,
      size: tokenUnits(BigInt(body.token_units)),
    }),
  );

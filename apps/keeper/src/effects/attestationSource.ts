import { Fault } from '@core/errors';
import type { AttestedPurpose } from '@core/policy';
import { pricePips, rateBps, raw, type TokenUnits } from '@core/pricing';
import type { PriceAttestation, Purpose } from '@core/vault';
import type { Hex } from 'viem';
import { z } from 'zod';

export interface AttestationOrder {
  readonly positionKey: Hex;
  readonly purpose: AttestedPurpose;
  readonly tokenUnits: TokenUnits;
}

export type AttestationAnswer =
  | { readonly kind: 'signed'; readonly attestation: PriceAttestation; readonly signature: Hex }
  /** The signer does not consent; `code` says why. */
  | { readonly kind: 'refused'; readonly code: string };

/** The price signer's consent, asked for one position, purpose and size. Throws a retryable `Fault` when it is away. */
export interface AttestationSource {
  attest(order: AttestationOrder): Promise<AttestationAnswer>;
}

const requestTimeoutMs = 5_000;
const hex = z.custom<Hex>((text) => typeof text === 'string' && /^0x[0-9a-fA-F]*$/.test(text));
const whole = z.number().int().min(0);
const digits = z.string().regex(/^\d+$/);
const answerSchema = z.object({
  attestation: z.object({
    market_id: hex,
    token_id: digits,
    purpose: z.number().int().min(1).max(4),
    mark_pips: whole,
    limit_pips: whole,
    trigger_pips: whole,
    venue_fee_bps: whole,
    exit_buffer_bps: whole,
    observed_at: digits,
  }),
  signature: hex,
});
const refusalSchema = z.object({ error: z.object({ code: z.string() }) });

/** The signer over its loopback HTTP. */
export function httpAttestationSource(options: { readonly url: string; readonly secret: string }): AttestationSource {
  return {
    async attest({ positionKey, purpose, tokenUnits }) {
      const response = await fetch(`${options.url}/attestations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${options.secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ position_key: positionKey, purpose, token_units: raw(tokenUnits).toString() }),
        signal: AbortSignal.timeout(requestTimeoutMs),
      }).catch((cause: unknown) => {
        throw signerFault('the price signer does not answer', cause);
      });
      const body: unknown = await response.json().catch(() => null);
      if (response.status === 409) {
        return { kind: 'refused', code: refusalSchema.parse(body).error.code };
      }
      const parsed = answerSchema.safeParse(body);
      if (response.status !== 200 || !parsed.success) {
        throw signerFault(`the price signer answered ${response.status}`, parsed.error);
      }
      return { kind: 'signed', attestation: attestationOf(parsed.data), signature: parsed.data.signature };
    },
  };
}

function attestationOf({ attestation }: z.output<typeof answerSchema>): PriceAttestation {
  return {
    marketId: attestation.market_id,
    tokenId: BigInt(attestation.token_id),
    purpose: attestation.purpose as Purpose,
    markPips: pricePips(BigInt(attestation.mark_pips)),
    limitPips: pricePips(BigInt(attestation.limit_pips)),
    triggerPips: pricePips(BigInt(attestation.trigger_pips)),
    venueFeeBps: rateBps(BigInt(attestation.venue_fee_bps)),
    exitBufferBps: rateBps(BigInt(attestation.exit_buffer_bps)),
    observedAt: BigInt(attestation.observed_at),
  };
}

function signerFault(message: string, cause: unknown): Fault {
  return new Fault({ origin: 'signer', kind: 'retryable', message, cause });
}

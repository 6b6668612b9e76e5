import { raw } from '@core/pricing';
import type { PriceAttestation } from '@core/vault';
import type { Hex } from 'viem';

/** A signed attestation with what an auditor wants to know of it. */
export interface SignedAttestation {
  readonly attestation: PriceAttestation;
  readonly hash: Hex;
  readonly signature: Hex;
}

/** Body of a successful answer: whole numbers beyond 32 bits as decimal text, small ones as numbers. */
export function presentAttestation(signed: SignedAttestation) {
  const { attestation, hash, signature } = signed;
  return {
    attestation: {
      market_id: attestation.marketId,
      token_id: attestation.tokenId.toString(),
      purpose: attestation.purpose,
      mark_pips: Number(raw(attestation.markPips)),
      limit_pips: Number(raw(attestation.limitPips)),
      trigger_pips: Number(raw(attestation.triggerPips)),
      venue_fee_bps: Number(raw(attestation.venueFeeBps)),
      exit_buffer_bps: Number(raw(attestation.exitBufferBps)),
      observed_at: attestation.observedAt.toString(),
    },
    hash,
    signature,
  };
}

import { pricePips, rateBps, tokenUnits } from '@core/pricing';
import { type PriceAttestation, Purpose } from '@core/vault';

/** Domain that sample signers sign in. */
export const sampleDomain = { chainId: 31_337, vault: `0x${'0f'.repeat(20)}` } as const;

/** Request for consent to an unwind of five tokens. */
export const unwindRequest = {
  positionKey: `0x${'ab'.repeat(32)}`,
  purpose: 'unwind',
  tokenUnits: tokenUnits(5_000_000n),
  quotedRisk: null,
} as const;

/** Return an attestation of that unwind at a mark in pips, its limit 100 pips below. */
export function attestationAt(mark: bigint, changes: Partial<PriceAttestation> = {}): PriceAttestation {
  return {
    marketId: `0x${'01'.repeat(32)}`,
    tokenId: 7n,
    purpose: Purpose.Unwind,
    markPips: pricePips(mark),
    limitPips: pricePips(mark - 100n),
    triggerPips: pricePips(2_000n),
    venueFeeBps: rateBps(300n),
    exitBufferBps: rateBps(800n),
    observedAt: 1_700_000_000n,
    ...changes,
  };
}

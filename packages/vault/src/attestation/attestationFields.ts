import { pricePips, rateBps, raw } from '@core/pricing';
import { Purpose } from '../generated/enums.ts';
import type { PriceAttestation } from './priceAttestation.ts';
import { readDecimalText, readFields, readHex, readInteger, readOneOf } from './wireFields.ts';

const maxUint16 = 0xffff;
const maxUint32 = 0xffff_ffff;
const uint64Digits = 20;
const uint256Digits = 78;
const signedPurposes = Object.values(Purpose).filter((purpose) => purpose !== Purpose.None);

/** An attestation as it travels: whole numbers beyond 32 bits as decimal text, small ones as numbers. */
export function encodeAttestation(attestation: PriceAttestation) {
  return {
    market_id: attestation.marketId,
    token_id: attestation.tokenId.toString(),
    purpose: attestation.purpose,
    mark_pips: Number(raw(attestation.markPips)),
    limit_pips: Number(raw(attestation.limitPips)),
    trigger_pips: Number(raw(attestation.triggerPips)),
    venue_fee_bps: Number(raw(attestation.venueFeeBps)),
    exit_buffer_bps: Number(raw(attestation.exitBufferBps)),
    observed_at: attestation.observedAt.toString(),
  };
}

/** @throws AttestationFormatError for a value that is no attestation, or one out of its type. */
export function decodeAttestation(value: unknown): PriceAttestation {
  const fields = readFields(value, [
    'market_id',
    'token_id',
    'purpose',
    'mark_pips',
    'limit_pips',
    'trigger_pips',
    'venue_fee_bps',
    'exit_buffer_bps',
    'observed_at',
  ]);
  return {
    marketId: readHex('market_id', fields.market_id, 32),
    tokenId: readDecimalText('token_id', fields.token_id, uint256Digits),
    purpose: readOneOf('purpose', fields.purpose, signedPurposes),
    markPips: pricePips(readInteger('mark_pips', fields.mark_pips, maxUint32)),
    limitPips: pricePips(readInteger('limit_pips', fields.limit_pips, maxUint32)),
    triggerPips: pricePips(readInteger('trigger_pips', fields.trigger_pips, maxUint32)),
    venueFeeBps: rateBps(readInteger('venue_fee_bps', fields.venue_fee_bps, maxUint16)),
    exitBufferBps: rateBps(readInteger('exit_buffer_bps', fields.exit_buffer_bps, maxUint16)),
    observedAt: readDecimalText('observed_at', fields.observed_at, uint64Digits),
  };
}

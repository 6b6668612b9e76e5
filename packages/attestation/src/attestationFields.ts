import { pricePips, rateBps, raw } from '@core/pricing';
import { type GrantAttestation, type PriceAttestation, Purpose } from '@core/vault';
import { readFields, readHex, readInteger, readOneOf, readUint } from './wireFields.ts';

export const maxUint16 = 0xffff;
export const maxUint32 = 0xffff_ffff;
const attestationNames = [
  'market_id',
  'token_id',
  'purpose',
  'mark_pips',
  'limit_pips',
  'trigger_pips',
  'venue_fee_bps',
  'exit_buffer_bps',
  'observed_at',
] as const;
const grantNames = ['position_key', 'most_units', 'valid_for', 'not_after'] as const;
export const signedPurposes = Object.values(Purpose).filter((purpose) => purpose !== Purpose.None);

/** Encode an attestation for the wire: whole numbers beyond 32 bits as decimal text, small ones as numbers. */
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

/**
 * Decode an attestation.
 *
 * @throws AttestationFormatError for a value that is no attestation, or one out of its type.
 */
export function decodeAttestation(value: unknown): PriceAttestation {
  return readAttestation(readFields(value, attestationNames));
}

/** Read the fields that attestations of orders and grants share. */
function readAttestation(fields: Readonly<Record<(typeof attestationNames)[number], unknown>>): PriceAttestation {
  return {
    marketId: readHex('market_id', fields.market_id, 32),
    tokenId: readUint('token_id', fields.token_id, 256),
    purpose: readOneOf('purpose', fields.purpose, signedPurposes),
    markPips: pricePips(readInteger('mark_pips', fields.mark_pips, maxUint32)),
    limitPips: pricePips(readInteger('limit_pips', fields.limit_pips, maxUint32)),
    triggerPips: pricePips(readInteger('trigger_pips', fields.trigger_pips, maxUint32)),
    venueFeeBps: rateBps(readInteger('venue_fee_bps', fields.venue_fee_bps, maxUint16)),
    exitBufferBps: rateBps(readInteger('exit_buffer_bps', fields.exit_buffer_bps, maxUint16)),
    observedAt: readUint('observed_at', fields.observed_at, 64),
  };
}

/** Encode the attestation of a grant: that of an order, with position, size, seconds of the price path and end. */
export function encodeGrantAttestation(attestation: GrantAttestation) {
  return {
    position_key: attestation.positionKey,
    ...encodeAttestation(attestation),
    most_units: attestation.mostUnits.toString(),
    valid_for: attestation.validFor,
    not_after: attestation.notAfter.toString(),
  };
}

/**
 * Decode the attestation of a grant.
 *
 * @throws AttestationFormatError for a value that is no such attestation, or one out of its type.
 */
export function decodeGrantAttestation(value: unknown): GrantAttestation {
  const fields = readFields(value, [...attestationNames, ...grantNames]);
  return {
    ...readAttestation(fields),
    positionKey: readHex('position_key', fields.position_key, 32),
    mostUnits: readUint('most_units', fields.most_units, 64),
    validFor: Number(readInteger('valid_for', fields.valid_for, maxUint16)),
    notAfter: readUint('not_after', fields.not_after, 64),
  };
}

import type { QuotedRisk } from '@core/position';
import { pricePips, rateBps, raw } from '@core/pricing';
import type { GrantBatch, GrantMember } from '@core/vault';
import type { Hex } from 'viem';
import { maxUint16, maxUint32, signedPurposes } from './attestationFields.ts';
import { type AttestedPurpose, attestedPurposes, decodeRisk, encodeRisk } from './attestationRequest.ts';
import {
  type AttestationFailure,
  type AttestationRefusal,
  decodeUnsigned,
  encodeUnsigned,
  type ReceivedAnswer,
  type WireAnswer,
} from './unsignedAnswer.ts';
import {
  AttestationFormatError,
  readFields,
  readHex,
  readInteger,
  readList,
  readOneOf,
  readUint,
} from './wireFields.ts';

/** Sales that one consent may have. */
export const maxBatchMembers = 32;

/** One sale of a requested batch. */
export interface GrantBatchRequestMember {
  readonly positionKey: Hex;
  /** Token units of the sale. */
  readonly mostUnits: bigint;
  /** Risk terms fixed by the position's quote, for an unwind; null when unknown or irrelevant. */
  readonly quotedRisk: QuotedRisk | null;
}

/** Request to the price signer: one consent to the grants of several sales of one token. */
export interface GrantBatchRequest {
  readonly purpose: Exclude<AttestedPurpose, 'open'>;
  /** The most urgent first: the limit of each is that of selling after those before it. */
  readonly members: readonly GrantBatchRequestMember[];
}

/** Signed batch with its hash. */
export interface SignedGrantBatch {
  readonly batch: GrantBatch;
  readonly hash: Hex;
  readonly signature: Hex;
}

/** Decision of the price signer about a batch: it may have fewer members than its request. */
export type GrantBatchAnswer = ({ readonly kind: 'signed' } & SignedGrantBatch) | AttestationRefusal;

/** Request to a co-signer: sign the batch of another signer, whose members are among those of the request. */
export interface GrantBatchCountersignatureRequest {
  readonly request: GrantBatchRequest;
  readonly batch: GrantBatch;
}

const salePurposes = attestedPurposes.filter((purpose) => purpose !== 'open');

/** Encode a request as the body of `POST /grant-batches`, with the sizes as decimal text. */
export function encodeGrantBatchRequest({ purpose, members }: GrantBatchRequest) {
  return {
    purpose,
    members: members.map(({ positionKey, mostUnits, quotedRisk }) => ({
      position_key: positionKey,
      most_units: mostUnits.toString(),
      quoted_risk: quotedRisk && encodeRisk(quotedRisk),
    })),
  };
}

/**
 * Decode a request. Unknown fields are refused, sizes are positive, and no position is named twice.
 *
 * @throws AttestationFormatError for a body that is no request.
 */
export function decodeGrantBatchRequest(body: unknown): GrantBatchRequest {
  const fields = readFields(body, ['purpose', 'members']);
  return {
    purpose: readOneOf('purpose', fields.purpose, salePurposes),
    members: readMembers(fields.members, (member) => {
      const { position_key, most_units, quoted_risk } = readFields(member, [
        'position_key',
        'most_units',
        'quoted_risk',
      ]);
      return {
        positionKey: readHex('position_key', position_key, 32),
        mostUnits: readSize(most_units),
        quotedRisk: quoted_risk === null ? null : decodeRisk(quoted_risk),
      };
    }),
  };
}

/** Encode an answer as HTTP status and body. */
export function encodeGrantBatchAnswer(answer: GrantBatchAnswer | AttestationFailure): WireAnswer {
  if (answer.kind !== 'signed') return encodeUnsigned(answer);
  const { batch, hash, signature } = answer;
  return { status: 200, body: { batch: encodeBatch(batch), hash, signature } };
}

/**
 * Decode an answer from HTTP status and body.
 *
 * @throws AttestationFormatError for a body that is no answer, and for an unknown code or a code with the wrong status.
 */
export function decodeGrantBatchAnswer({ status, body }: ReceivedAnswer): GrantBatchAnswer | AttestationFailure {
  if (status !== 200) return decodeUnsigned({ status, body });
  const { batch, hash, signature } = readFields(body, ['batch', 'hash', 'signature']);
  return {
    kind: 'signed',
    batch: decodeBatch(batch),
    hash: readHex('hash', hash, 32),
    signature: readHex('signature', signature, 65),
  };
}

/** Encode a request as the body of `POST /grant-batch-countersignatures`. */
export function encodeGrantBatchCountersignatureRequest({ request, batch }: GrantBatchCountersignatureRequest) {
  return { request: encodeGrantBatchRequest(request), batch: encodeBatch(batch) };
}

/**
 * Decode a request. Unknown fields are refused.
 *
 * @throws AttestationFormatError for a body that is no request.
 */
export function decodeGrantBatchCountersignatureRequest(body: unknown): GrantBatchCountersignatureRequest {
  const { request, batch } = readFields(body, ['request', 'batch']);
  return { request: decodeGrantBatchRequest(request), batch: decodeBatch(batch) };
}

function encodeBatch(batch: GrantBatch) {
  return {
    market_id: batch.marketId,
    token_id: batch.tokenId.toString(),
    purpose: batch.purpose,
    mark_pips: Number(raw(batch.markPips)),
    observed_at: batch.observedAt.toString(),
    valid_for: batch.validFor,
    not_after: batch.notAfter.toString(),
    members: batch.members.map((member) => ({
      position_key: member.positionKey,
      most_units: member.mostUnits.toString(),
      limit_pips: Number(raw(member.limitPips)),
      trigger_pips: Number(raw(member.triggerPips)),
      venue_fee_bps: Number(raw(member.venueFeeBps)),
    })),
  };
}

const batchNames = [
  'market_id',
  'token_id',
  'purpose',
  'mark_pips',
  'observed_at',
  'valid_for',
  'not_after',
  'members',
] as const;
const memberNames = ['position_key', 'most_units', 'limit_pips', 'trigger_pips', 'venue_fee_bps'] as const;

/** Decode a batch: its members are of different positions, and each value is within its type. */
function decodeBatch(value: unknown): GrantBatch {
  const fields = readFields(value, batchNames);
  return {
    marketId: readHex('market_id', fields.market_id, 32),
    tokenId: readUint('token_id', fields.token_id, 256),
    purpose: readOneOf('purpose', fields.purpose, signedPurposes),
    markPips: pricePips(readInteger('mark_pips', fields.mark_pips, maxUint32)),
    observedAt: readUint('observed_at', fields.observed_at, 64),
    validFor: Number(readInteger('valid_for', fields.valid_for, maxUint16)),
    notAfter: readUint('not_after', fields.not_after, 64),
    members: readMembers(fields.members, decodeMember),
  };
}

function decodeMember(value: unknown): GrantMember {
  const fields = readFields(value, memberNames);
  return {
    positionKey: readHex('position_key', fields.position_key, 32),
    mostUnits: readSize(fields.most_units),
    limitPips: pricePips(readInteger('limit_pips', fields.limit_pips, maxUint32)),
    triggerPips: pricePips(readInteger('trigger_pips', fields.trigger_pips, maxUint32)),
    venueFeeBps: rateBps(readInteger('venue_fee_bps', fields.venue_fee_bps, maxUint16)),
  };
}

function readSize(value: unknown): bigint {
  const size = readUint('most_units', value, 64);
  if (size === 0n) throw new AttestationFormatError('most_units must be positive');
  return size;
}

/** Read 1 to 32 members, none of a position that another has. */
function readMembers<Member extends { readonly positionKey: Hex }>(
  value: unknown,
  read: (member: unknown) => Member,
): readonly Member[] {
  const members = readList('members', value, maxBatchMembers).map(read);
  if (new Set(members.map(({ positionKey }) => positionKey)).size < members.length) {
    throw new AttestationFormatError('members must be of different positions');
  }
  return members;
}

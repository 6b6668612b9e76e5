import type { QuotedRisk } from '@core/position';
import { leverageBps, pricePips, raw, type TokenUnits, tokenUnits } from '@core/pricing';
import { type PurposeName, purposeNames } from '@core/vault';
import type { Hex } from 'viem';
import { AttestationFormatError, readDecimalText, readFields, readHex, readInteger, readOneOf } from './wireFields.ts';

/** Purpose of an order that the price signer may authorise. */
export type AttestedPurpose = Exclude<PurposeName, 'none'>;

/** Request to the price signer: consent for one position, purpose and size. */
export interface AttestationRequest {
  readonly positionKey: Hex;
  readonly purpose: AttestedPurpose;
  /** Order size in tokens; the limit price is that of trading this many. */
  readonly tokenUnits: TokenUnits;
  /** Risk terms fixed by the position's quote, for an unwind; null when unknown or irrelevant. */
  readonly quotedRisk: QuotedRisk | null;
}

/** Purposes of orders and grants. */
export const attestedPurposes = purposeNames.filter((name) => name !== 'none');
const maxTokenUnitsDigits = 19;
const maxExitSeconds = 3_600;
const maxUint32 = 0xffff_ffff;

/** Encode a request as the body of `POST /attestations`, with the size as decimal text. */
export function encodeAttestationRequest(request: AttestationRequest) {
  return {
    position_key: request.positionKey,
    purpose: request.purpose,
    token_units: raw(request.tokenUnits).toString(),
    quoted_risk: request.quotedRisk && encodeRisk(request.quotedRisk),
  };
}

/** Encode the risk terms of a quote. */
export function encodeRisk({ exitSeconds, plannedUnwinds, signature }: QuotedRisk) {
  return {
    exit_seconds: exitSeconds,
    planned_unwinds: plannedUnwinds.map(({ triggerPricePips, targetLeverageBps }) => ({
      trigger_pips: Number(raw(triggerPricePips)),
      target_leverage_bps: Number(raw(targetLeverageBps)),
    })),
    signature,
  };
}

/**
 * Decode a request. Unknown fields are refused, the size is positive.
 *
 * @throws AttestationFormatError for a body that is no request.
 */
export function decodeAttestationRequest(body: unknown): AttestationRequest {
  const fields = readFields(body, ['position_key', 'purpose', 'token_units', 'quoted_risk']);
  const units = readDecimalText('token_units', fields.token_units, maxTokenUnitsDigits);
  if (units === 0n) throw new AttestationFormatError('token_units must be positive');
  return {
    positionKey: readHex('position_key', fields.position_key, 32),
    purpose: readOneOf('purpose', fields.purpose, attestedPurposes),
    tokenUnits: tokenUnits(units),
    quotedRisk: fields.quoted_risk === null ? null : decodeRisk(fields.quoted_risk),
  };
}

/**
 * Decode the risk terms of a quote.
 *
 * @throws AttestationFormatError for anything else.
 */
export function decodeRisk(value: unknown): QuotedRisk {
  const fields = readFields(value, ['exit_seconds', 'planned_unwinds', 'signature']);
  const rungs: unknown = fields.planned_unwinds;
  if (!Array.isArray(rungs)) throw new AttestationFormatError('planned_unwinds must be a list');
  return {
    exitSeconds: Number(readInteger('exit_seconds', fields.exit_seconds, maxExitSeconds)),
    plannedUnwinds: rungs.map((rung: unknown, index) => {
      const { trigger_pips, target_leverage_bps } = readFields(rung, ['trigger_pips', 'target_leverage_bps']);
      return {
        rung: index + 1,
        triggerPricePips: pricePips(readInteger('trigger_pips', trigger_pips, maxUint32)),
        targetLeverageBps: leverageBps(readInteger('target_leverage_bps', target_leverage_bps, maxUint32)),
      };
    }),
    signature: readHex('signature', fields.signature, 65),
  };
}

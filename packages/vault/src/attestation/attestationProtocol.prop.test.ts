import { leverageBps, pricePips, rateBps, tokenUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUint16, anyUint32, anyUint256, hexBytes } from '../../testing/arbitraries.ts';
import { Purpose } from '../generated/enums.ts';
import { decodeAttestationAnswer, encodeAttestationAnswer } from './attestationAnswer.ts';
import { type AttestationCode, attestationCodes, isRefusalCode } from './attestationCodes.ts';
import { decodeAttestationRequest, encodeAttestationRequest } from './attestationRequest.ts';
import {
  decodeCountersignatureAnswer,
  decodeCountersignatureRequest,
  encodeCountersignatureAnswer,
  encodeCountersignatureRequest,
} from './countersignature.ts';
import type { AttestationFailure, AttestationRefusal } from './unsignedAnswer.ts';
import { AttestationFormatError } from './wireFields.ts';

const anyRequest = fc.record({
  positionKey: hexBytes(32),
  purpose: fc.constantFrom('open' as const, 'close' as const, 'unwind' as const, 'liquidate' as const),
  tokenUnits: fc.bigInt(1n, 10n ** 19n - 1n).map(tokenUnits),
  quotedRisk: fc.option(
    fc.record({
      exitSeconds: fc.integer({ min: 0, max: 3_600 }),
      plannedUnwinds: fc.array(fc.record({ trigger: anyUint32, target: anyUint32 }), { maxLength: 4 }).map((rungs) =>
        rungs.map(({ trigger, target }, index) => ({
          rung: index + 1,
          triggerPricePips: pricePips(trigger),
          targetLeverageBps: leverageBps(target),
        })),
      ),
      signature: hexBytes(65),
    }),
  ),
});

const anySigned = fc.record({
  kind: fc.constant('signed' as const),
  attestation: fc.record({
    marketId: hexBytes(32),
    tokenId: anyUint256,
    purpose: fc.constantFrom(Purpose.Open, Purpose.Close, Purpose.Unwind, Purpose.Liquidate),
    markPips: anyUint32.map(pricePips),
    limitPips: anyUint32.map(pricePips),
    triggerPips: anyUint32.map(pricePips),
    venueFeeBps: anyUint16.map(rateBps),
    exitBufferBps: anyUint16.map(rateBps),
    observedAt: fc.bigInt(0n, 2n ** 64n - 1n),
  }),
  hash: hexBytes(32),
  signature: hexBytes(65),
});

const codes = Object.keys(attestationCodes) as AttestationCode[];
const withoutDecision = codes.map((code): AttestationRefusal | AttestationFailure =>
  isRefusalCode(code) ? { kind: 'refused', code } : { kind: 'failed', code },
);

/** As it travels: text and back. */
function sent<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

test('a request survives the wire', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      expect(decodeAttestationRequest(sent(encodeAttestationRequest(request)))).toEqual(request);
    }),
  );
});

test('an answer survives the wire, whatever it says', () => {
  fc.assert(
    fc.property(fc.oneof(anySigned, fc.constantFrom(...withoutDecision)), (answer) => {
      expect(decodeAttestationAnswer(sent(encodeAttestationAnswer(answer)))).toEqual(answer);
    }),
  );
});

test('a request to countersign and its answer survive the wire', () => {
  fc.assert(
    fc.property(anyRequest, anySigned, (request, { attestation, signature }) => {
      const asked = { request, attestation };
      expect(decodeCountersignatureRequest(sent(encodeCountersignatureRequest(asked)))).toEqual(asked);
      const signed = { kind: 'signed' as const, signature };
      expect(decodeCountersignatureAnswer(sent(encodeCountersignatureAnswer(signed)))).toEqual(signed);
    }),
  );
  for (const answer of withoutDecision) {
    expect(decodeCountersignatureAnswer(sent(encodeCountersignatureAnswer(answer)))).toEqual(answer);
  }
});

test.each([
  ['no attestation', (body: object) => ({ ...body, attestation: null })],
  ['no request', (body: object) => ({ ...body, request: {} })],
  ['more than that', (body: object) => ({ ...body, force: true })],
])('%s is no request to countersign', (_name, change) => {
  const [request] = fc.sample(anyRequest, 1);
  const [answer] = fc.sample(anySigned, 1);
  if (request === undefined || answer === undefined) throw new Error('nothing was drawn');
  const body = sent(encodeCountersignatureRequest({ request, attestation: answer.attestation }));
  expect(() => decodeCountersignatureRequest(change(body))).toThrow(AttestationFormatError);
});

test('a code is only answered with its own status', () => {
  fc.assert(
    fc.property(fc.constantFrom(...codes), fc.constantFrom(400, 401, 404, 409, 500, 503), (code, status) => {
      fc.pre(attestationCodes[code].status !== status);
      expect(() => decodeAttestationAnswer({ status, body: { error: { code } } })).toThrow(AttestationFormatError);
    }),
  );
});

test.each([
  ['an unknown code', 409, { error: { code: 'not_a_code' } }],
  ['a name that every object has', 409, { error: { code: 'toString' } }],
  ['no code', 409, { error: {} }],
  ['no JSON', 409, null],
  ['a refusal with an unknown field', 409, { error: { code: 'not_due' }, hint: 'x' }],
  ['a signature without an attestation', 200, { hash: `0x${'11'.repeat(32)}`, signature: `0x${'11'.repeat(65)}` }],
])('%s is no answer', (_name, status, body) => {
  expect(() => decodeAttestationAnswer({ status, body })).toThrow(AttestationFormatError);
});

test('an attestation with one value out of its type is no answer', () => {
  const wrong = fc.constantFrom(
    ['market_id', '0x11'],
    ['token_id', '-1'],
    ['token_id', 7],
    ['purpose', 0],
    ['purpose', 5],
    ['mark_pips', 0x1_0000_0000],
    ['limit_pips', 1.5],
    ['trigger_pips', '3'],
    ['venue_fee_bps', 0x1_0000],
    ['exit_buffer_bps', -1],
    ['observed_at', 'soon'],
    ['more', 1],
  );
  fc.assert(
    fc.property(anySigned, wrong, (answer, [name, value]) => {
      const { status, body } = sent(encodeAttestationAnswer(answer)) as {
        status: number;
        body: { attestation: object };
      };
      const changed = { ...body, attestation: { ...body.attestation, [String(name)]: value } };
      expect(() => decodeAttestationAnswer({ status, body: changed })).toThrow(AttestationFormatError);
    }),
  );
});

import { leverageBps, pricePips, rateBps, raw, tokenUnits } from '@core/pricing';
import { Purpose } from '@core/vault';
import { anyUint16, anyUint32, anyUint256, hexBytes } from '@core/vault/testing/arbitraries.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeAttestationAnswer, encodeAttestationAnswer } from './attestationAnswer.ts';
import { type AttestationCode, attestationCodes, isRefusalCode } from './attestationCodes.ts';
import { decodeAttestationRequest, encodeAttestationRequest } from './attestationRequest.ts';
import {
  decodeCountersignatureAnswer,
  decodeCountersignatureRequest,
  encodeCountersignatureAnswer,
  encodeCountersignatureRequest,
} from './countersignature.ts';
import {
  decodeGrantAnswer,
  decodeGrantCountersignatureRequest,
  decodeGrantRequest,
  encodeGrantAnswer,
  encodeGrantCountersignatureRequest,
  encodeGrantRequest,
} from './grant.ts';
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

const anyGrantRequest = anyRequest.map(({ tokenUnits: units, ...request }) => ({
  ...request,
  mostUnits: raw(units),
}));
const anyGrant = fc
  .record({
    signed: anySigned,
    positionKey: hexBytes(32),
    mostUnits: fc.bigInt(0n, 2n ** 64n - 1n),
    validFor: fc.integer({ min: 0, max: 0xffff }),
    notAfter: fc.bigInt(0n, 2n ** 64n - 1n),
  })
  .map(({ signed, ...grant }) => ({ ...signed, attestation: { ...signed.attestation, ...grant } }));

const codes = Object.keys(attestationCodes) as AttestationCode[];
const withoutDecision = codes.map((code): AttestationRefusal | AttestationFailure =>
  isRefusalCode(code) ? { kind: 'refused', code } : { kind: 'failed', code },
);

/** Serialise a value to JSON and parse it. */
function sent<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

test('a request survives encoding and decoding', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      expect(decodeAttestationRequest(sent(encodeAttestationRequest(request)))).toEqual(request);
    }),
  );
});

test('every answer survives encoding and decoding', () => {
  fc.assert(
    fc.property(fc.oneof(anySigned, fc.constantFrom(...withoutDecision)), (answer) => {
      expect(decodeAttestationAnswer(sent(encodeAttestationAnswer(answer)))).toEqual(answer);
    }),
  );
});

test('a countersignature request and its answer survive encoding and decoding', () => {
  fc.assert(
    fc.property(anyRequest, anySigned, (request, { attestation, signature }) => {
      const message = { request, attestation };
      expect(decodeCountersignatureRequest(sent(encodeCountersignatureRequest(message)))).toEqual(message);
      const answer = { kind: 'signed' as const, signature };
      expect(decodeCountersignatureAnswer(sent(encodeCountersignatureAnswer(answer)))).toEqual(answer);
    }),
  );
  for (const answer of withoutDecision) {
    expect(decodeCountersignatureAnswer(sent(encodeCountersignatureAnswer(answer)))).toEqual(answer);
  }
});

test('requests for grants and their answers survive encoding and decoding', () => {
  fc.assert(
    fc.property(anyGrantRequest, anyGrant, (request, answer) => {
      expect(decodeGrantRequest(sent(encodeGrantRequest(request)))).toEqual(request);
      expect(decodeGrantAnswer(sent(encodeGrantAnswer(answer)))).toEqual(answer);
      const message = { request, attestation: answer.attestation };
      expect(decodeGrantCountersignatureRequest(sent(encodeGrantCountersignatureRequest(message)))).toEqual(message);
    }),
  );
  for (const answer of withoutDecision) {
    expect(decodeGrantAnswer(sent(encodeGrantAnswer(answer)))).toEqual(answer);
  }
});

test('an attestation of one route is none of the other', () => {
  const [order] = fc.sample(anySigned, 1);
  const [grant] = fc.sample(anyGrant, 1);
  if (order === undefined || grant === undefined) throw new Error('nothing was drawn');
  expect(() => decodeGrantAnswer(sent(encodeAttestationAnswer(order)))).toThrow(AttestationFormatError);
  expect(() => decodeAttestationAnswer(sent(encodeGrantAnswer(grant)))).toThrow(AttestationFormatError);
});

test.each([
  ['no attestation', (body: object) => ({ ...body, attestation: null })],
  ['no request', (body: object) => ({ ...body, request: {} })],
  ['more than that', (body: object) => ({ ...body, force: true })],
])('decodeCountersignatureRequest: refuses %s', (_name, change) => {
  const [request] = fc.sample(anyRequest, 1);
  const [answer] = fc.sample(anySigned, 1);
  if (request === undefined || answer === undefined) throw new Error('nothing was drawn');
  const body = sent(encodeCountersignatureRequest({ request, attestation: answer.attestation }));
  expect(() => decodeCountersignatureRequest(change(body))).toThrow(AttestationFormatError);
});

test('a code is accepted only with its own status', () => {
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
])('decodeAttestationAnswer: refuses %s', (_name, status, body) => {
  expect(() => decodeAttestationAnswer({ status, body })).toThrow(AttestationFormatError);
});

test('decodeAttestationAnswer: refuses an attestation with a value out of its type', () => {
  const wrong = fc.constantFrom(
    ['market_id', '0x11'],
    ['token_id', '-1'],
    ['token_id', 7],
    ['token_id', (2n ** 256n).toString()],
    ['purpose', 0],
    ['purpose', 5],
    ['mark_pips', 0x1_0000_0000],
    ['limit_pips', 1.5],
    ['trigger_pips', '3'],
    ['venue_fee_bps', 0x1_0000],
    ['exit_buffer_bps', -1],
    ['observed_at', 'soon'],
    ['observed_at', (2n ** 64n).toString()],
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

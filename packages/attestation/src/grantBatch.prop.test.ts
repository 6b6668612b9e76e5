import { leverageBps, pricePips, rateBps, raw } from '@core/pricing';
import { type GrantBatch, type GrantMember, Purpose } from '@core/vault';
import { anyUint16, anyUint32, anyUint256, hexBytes } from '@core/vault/testing/arbitraries.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeGrantBatchAnswer,
  decodeGrantBatchCountersignatureRequest,
  decodeGrantBatchRequest,
  encodeGrantBatchAnswer,
  encodeGrantBatchCountersignatureRequest,
  encodeGrantBatchRequest,
  maxBatchMembers,
} from './grantBatch.ts';
import { jointGrantOf } from './jointGrant.ts';
import { jointGrantBatchOf, memberGrantOf } from './jointGrantBatch.ts';
import { AttestationFormatError } from './wireFields.ts';

const anyUint64 = fc.bigInt(0n, 2n ** 64n - 1n);
const anySize = fc.bigInt(1n, 2n ** 64n - 1n);
const anyRisk = fc.record({
  exitSeconds: fc.integer({ min: 0, max: 3_600 }),
  plannedUnwinds: fc.array(fc.tuple(anyUint32, anyUint32), { maxLength: 4 }).map((rungs) =>
    rungs.map(([trigger, target], index) => ({
      rung: index + 1,
      triggerPricePips: pricePips(trigger),
      targetLeverageBps: leverageBps(target),
    })),
  ),
  signature: hexBytes(65),
});
const bounds = {
  minLength: 1,
  maxLength: maxBatchMembers,
  selector: ({ positionKey }: { positionKey: string }) => positionKey,
};
const anyRequest = fc.record({
  purpose: fc.constantFrom('close' as const, 'unwind' as const, 'liquidate' as const),
  members: fc.uniqueArray(
    fc.record({ positionKey: hexBytes(32), mostUnits: anySize, quotedRisk: fc.option(anyRisk) }),
    bounds,
  ),
});
const anyMember: fc.Arbitrary<GrantMember> = fc.record({
  positionKey: hexBytes(32),
  mostUnits: anySize,
  limitPips: anyUint32.map(pricePips),
  triggerPips: anyUint32.map(pricePips),
  venueFeeBps: anyUint16.map(rateBps),
});
const anyBatch: fc.Arbitrary<GrantBatch> = fc.record({
  marketId: hexBytes(32),
  tokenId: anyUint256,
  purpose: fc.constantFrom(Purpose.Close, Purpose.Unwind, Purpose.Liquidate),
  markPips: anyUint32.map(pricePips),
  observedAt: anyUint64,
  validFor: fc.integer({ min: 0, max: 0xffff }),
  notAfter: anyUint64,
  members: fc.uniqueArray(anyMember, bounds),
});
const anyAnswer = fc.record({
  kind: fc.constant('signed' as const),
  batch: anyBatch,
  hash: hexBytes(32),
  signature: hexBytes(65),
});

/** Serialise a value to JSON and parse it. */
function sent<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

test('requests for batches and their answers survive encoding and decoding', () => {
  fc.assert(
    fc.property(anyRequest, anyAnswer, (request, answer) => {
      expect(decodeGrantBatchRequest(sent(encodeGrantBatchRequest(request)))).toEqual(request);
      expect(decodeGrantBatchAnswer(sent(encodeGrantBatchAnswer(answer)))).toEqual(answer);
      const message = { request, batch: answer.batch };
      const encoded = sent(encodeGrantBatchCountersignatureRequest(message));
      expect(decodeGrantBatchCountersignatureRequest(encoded)).toEqual(message);
    }),
  );
  for (const answer of [
    { kind: 'refused', code: 'not_due' } as const,
    { kind: 'failed', code: 'unavailable' } as const,
  ]) {
    expect(decodeGrantBatchAnswer(sent(encodeGrantBatchAnswer(answer)))).toEqual(answer);
  }
});

const member = { position_key: `0x${'ab'.repeat(32)}`, most_units: '5000000', quoted_risk: null };
const others = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...member,
    position_key: `0x${index.toString(16).padStart(64, '0')}`,
  }));

test('decodeGrantBatchRequest: takes 1 to 32 members of different positions, each with a size of a sale', () => {
  const requestOf = (members: unknown, purpose = 'unwind') => ({ purpose, members });
  expect(decodeGrantBatchRequest(requestOf([member])).members).toHaveLength(1);
  expect(decodeGrantBatchRequest(requestOf(others(maxBatchMembers))).members).toHaveLength(maxBatchMembers);
  const wrong = [
    requestOf([]),
    requestOf(others(maxBatchMembers + 1)),
    requestOf([member, { ...member, position_key: `0x${'AB'.repeat(32)}` }]),
    requestOf(member),
    requestOf([null]),
    requestOf([{ ...member, most_units: '0' }]),
    requestOf([{ ...member, most_units: (2n ** 64n).toString() }]),
    requestOf([{ ...member, purpose: 'unwind' }]),
    requestOf([member], 'open'),
    { ...requestOf([member]), force: true },
  ];
  for (const body of wrong) expect(() => decodeGrantBatchRequest(body)).toThrow(AttestationFormatError);
});

test('decodeGrantBatchAnswer: refuses a batch with a value out of its type, or a position twice', () => {
  const ofBatch = fc.constantFrom(
    ['market_id', '0x11'],
    ['token_id', (2n ** 256n).toString()],
    ['purpose', 0],
    ['mark_pips', 0x1_0000_0000],
    ['observed_at', (2n ** 64n).toString()],
    ['valid_for', 0x1_0000],
    ['not_after', '-1'],
    ['members', []],
    ['more', 1],
  );
  const ofMember = fc.constantFrom(
    ['position_key', '0x11'],
    ['most_units', 5],
    ['limit_pips', 0x1_0000_0000],
    ['trigger_pips', '3'],
    ['venue_fee_bps', 0x1_0000],
    ['more', 1],
  );
  interface Body {
    readonly batch: { readonly members: readonly object[] };
  }
  fc.assert(
    fc.property(anyAnswer, ofBatch, ofMember, (answer, [name, value], [memberName, memberValue]) => {
      const { status, body } = sent(encodeGrantBatchAnswer(answer)) as { status: number; body: Body };
      const { members } = body.batch;
      const [first, ...rest] = members;
      for (const change of [
        { [String(name)]: value },
        { members: [{ ...first, [String(memberName)]: memberValue }, ...rest] },
        { members: [first, first] },
      ]) {
        const changed = { ...body, batch: { ...body.batch, ...change } };
        expect(() => decodeGrantBatchAnswer({ status, body: changed })).toThrow(AttestationFormatError);
      }
    }),
  );
});

/** Two views of one batch: some members are of one alone, or have another size. */
const anyViews = fc
  .tuple(anyBatch, anyBatch, fc.array(fc.constantFrom('both', 'first', 'other size'), { minLength: 32, maxLength: 32 }))
  .map(([first, drawn, statuses]) => {
    const members = first.members.flatMap((each, index): readonly GrantMember[] => {
      const other = { ...each, ...drawn.members[index], positionKey: each.positionKey, mostUnits: each.mostUnits };
      if (statuses[index] === 'first') return [];
      return [
        statuses[index] === 'both' ? other : { ...other, mostUnits: (each.mostUnits % 1_000n) + each.mostUnits + 1n },
      ];
    });
    const { marketId, tokenId, purpose, validFor } = first;
    return { first, second: { ...drawn, marketId, tokenId, purpose, validFor, members: members.toReversed() } };
  });

test('jointGrantBatchOf: the members that both have with one size, each as strict as the joint grant of both', () => {
  let count = 0;
  fc.assert(
    fc.property(anyViews, ({ first, second }) => {
      const keyOf = ({ positionKey, mostUnits }: GrantMember) => `${positionKey} ${mostUnits}`;
      const common = first.members.filter((each) => second.members.some((other) => keyOf(other) === keyOf(each)));
      const joint = jointGrantBatchOf(first, second);
      expect(joint?.members.map(keyOf) ?? []).toEqual(common.map(keyOf));
      for (const each of joint?.members ?? []) {
        const [left, right] = [first, second].map((batch) => {
          const own = batch.members.find(({ positionKey }) => positionKey === each.positionKey);
          if (own === undefined) throw new Error('both have it');
          return memberGrantOf(batch, own);
        });
        if (joint === null || left === undefined || right === undefined) throw new Error('both have it');
        expect(memberGrantOf(joint, each)).toEqual(jointGrantOf(left, right));
        expect(raw(each.limitPips)).toBeGreaterThanOrEqual(raw(left.limitPips));
        expect(raw(joint.markPips)).toBeGreaterThanOrEqual(raw(right.markPips));
        expect(joint.observedAt <= left.observedAt && joint.notAfter <= right.notAfter).toBe(true);
        count += 1;
      }
      const mirrored = jointGrantBatchOf(second, first);
      expect(mirrored && { ...mirrored, members: mirrored.members.toReversed() }).toEqual(joint);
    }),
  );
  expect(count).toBeGreaterThan(100);
});

test('jointGrantBatchOf: null for another token, purpose or path, and without a common member', () => {
  fc.assert(
    fc.property(anyBatch, (batch) => {
      expect(jointGrantBatchOf(batch, batch)).toEqual(batch);
      const purpose = batch.purpose === Purpose.Close ? Purpose.Unwind : Purpose.Close;
      for (const change of [
        { marketId: `0x${'00'.repeat(31)}01` as const },
        { tokenId: batch.tokenId + 1n },
        { purpose },
        { validFor: batch.validFor + 1 },
        { members: [] },
      ]) {
        expect(jointGrantBatchOf(batch, { ...batch, ...change })).toBeNull();
      }
    }),
  );
});

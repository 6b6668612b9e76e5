import { pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import { expect, test } from 'vitest';
import {
  ladderBook,
  level,
  price,
  sampleFacts,
  sampleNowMs,
  sampleSide,
  sampleSnapshot,
} from '../../testing/samples.ts';
import type { AttestationRequest, AttestationTerms } from './attestationTerms.ts';
import { decideAttestation } from './decideAttestation.ts';
import { type CountersignatureRefusalReason, decideCountersignature } from './decideCountersignature.ts';

const tokens = tokenUnits(100_000_000n);
const opening: AttestationRequest = {
  purpose: 'open',
  side: 'yes',
  tokenUnits: tokens,
  position: null,
  earlierMid: null,
};
const position = {
  tokenUnits: tokenUnits(300_000_000n),
  debtUsdcUnits: usdcUnits(140_000_000n),
  liquidationPricePips: price(0.51),
  maxVenueFeeBps: rateBps(500n),
  closeMinPricePips: price(0),
  plannedTriggerPricePips: null,
  owesSinceMs: null,
  wasHardExitInForce: false,
};
const closing: AttestationRequest = { ...opening, purpose: 'close', position };
const unwinding: AttestationRequest = { ...opening, purpose: 'unwind', position };

const calm = sampleSnapshot();
const crashed = sampleSnapshot({ yes: sampleSide(ladderBook({ mid: 0.52 })) });

function ownOf(snapshot: typeof calm, request: AttestationRequest): AttestationTerms {
  const own = decideAttestation(snapshot, request);
  if (own.kind === 'refused') throw new Error(own.reason);
  return own;
}

type Case = readonly [
  CountersignatureRefusalReason | null,
  string,
  typeof calm,
  AttestationRequest,
  Partial<AttestationTerms>,
];
/** At a mark of 0.70 a tick of a cent is more than a hundredth; at a tick of a tenth of a cent it is not. */
const fine = sampleSnapshot({ facts: sampleFacts({ tickPricePips: price(0.001) }) });
const cases: readonly Case[] = [
  [null, 'an opening mark a tick above', calm, opening, { markPricePips: price(0.71), venueFeeBps: rateBps(203n) }],
  ['mark_disagrees', 'an opening mark above that', calm, opening, { markPricePips: price(0.7101) }],
  ['mark_disagrees', 'a mark of a sale below a tick', calm, closing, { markPricePips: price(0.6899) }],
  [null, 'a mark of a sale a hundredth below', fine, closing, { markPricePips: price(0.6931) }],
  ['mark_disagrees', 'a mark of a sale below a hundredth', fine, closing, { markPricePips: price(0.693) }],
  ['limit_disagrees', 'a sale cheaper by more than a tick', calm, closing, { limitPricePips: price(0.6699) }],
  ['limit_disagrees', 'a purchase dearer by more than a tick', calm, opening, { limitPricePips: price(0.7302) }],
  ['limit_out_of_reach', 'a sale dearer than the bids', calm, closing, { limitPricePips: price(0.7) }],
  ['limit_out_of_reach', 'a purchase cheaper than the asks', calm, opening, { limitPricePips: price(0.7) }],
  ['trigger_disagrees', 'a trigger where there is none', calm, closing, { triggerPricePips: price(0.4) }],
  ['trigger_disagrees', 'the hard exit before it is in force', crashed, unwinding, { triggerPricePips: pricePips(0n) }],
  [
    'trigger_disagrees',
    'a trigger that serves safer positions',
    crashed,
    unwinding,
    { triggerPricePips: pricePips(1n) },
  ],
  [null, 'a trigger that serves fewer', crashed, unwinding, { triggerPricePips: price(0.9) }],
  ['venue_fee_disagrees', 'a fee that is not that of the limit', calm, closing, { venueFeeBps: rateBps(1n) }],
  ['venue_fee_disagrees', 'a price that has no fee', calm, opening, { markPricePips: pricePips(0n) }],
  ['exit_buffer_disagrees', 'another buffer', calm, opening, { exitBufferBps: rateBps(799n) }],
  ['not_due', 'an unwind of a covered debt', calm, unwinding, {}],
];

test.each(cases)('%s: %s', (...[reason, , snapshot, request, changes]) => {
  const base = reason === 'not_due' ? ownOf(crashed, unwinding) : ownOf(snapshot, request);
  const decision = decideCountersignature(snapshot, { request, proposed: { ...base, ...changes } });
  expect(decision).toEqual(reason === null ? { kind: 'agreed' } : { kind: 'refused', reason });
});

test('past the hard exit any trigger of another signer is agreed to', () => {
  const over = sampleSnapshot({ facts: sampleFacts({ closeAtMs: sampleNowMs + 1_000 }) });
  const proposed = { ...ownOf(over, unwinding), triggerPricePips: price(0.3) };
  expect(decideCountersignature(over, { request: unwinding, proposed })).toEqual({ kind: 'agreed' });
});

test('a drained book no longer gives the limit of another signer', () => {
  const proposed = ownOf(calm, closing);
  const drained = sampleSnapshot({
    yes: sampleSide({ bids: [level(0.69, 40), level(0.66, 9_999)], asks: [level(0.71, 9_999)] }),
  });
  expect(decideCountersignature(drained, { request: closing, proposed })).toEqual({
    kind: 'refused',
    reason: 'limit_out_of_reach',
  });
});

import type { SideSnapshot } from '@core/market';
import { pricePips, rateBps, raw, tokenUnits, usdcUnits } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import {
  ladderBook,
  level,
  price,
  sampleFacts,
  sampleNowMs,
  sampleSide,
  sampleSnapshot,
} from '../../testing/samples.ts';
import type { AttestationRefusalReason, AttestationRequest, AttestedPosition } from './attestationTerms.ts';
import { decideAttestation } from './decideAttestation.ts';

const minute = 60_000;
const tokens = (whole: number) => tokenUnits(BigInt(whole) * 1_000_000n);

const position: AttestedPosition = {
  tokenUnits: tokens(300),
  debtUsdcUnits: usdcUnits(140_000_000n),
  liquidationPricePips: price(0.51),
  maxVenueFeeBps: rateBps(500n),
  closeMinPricePips: price(0),
  plannedTriggerPricePips: null,
  owesSinceMs: null,
  wasHardExitInForce: false,
};

function requestOf(overrides: Partial<AttestationRequest> = {}): AttestationRequest {
  return { purpose: 'open', side: 'yes', tokenUnits: tokens(100), position: null, earlierMid: null, ...overrides };
}

const yes = (side: Partial<SideSnapshot>, book = ladderBook({ mid: 0.7 })) =>
  sampleSnapshot({ yes: sampleSide(book, side) });
const facts = (overrides: Parameters<typeof sampleFacts>[0]) => sampleSnapshot({ facts: sampleFacts(overrides) });
const sale = (overrides: Partial<AttestationRequest> = {}) => requestOf({ purpose: 'close', position, ...overrides });

const refusals: readonly (readonly [
  AttestationRefusalReason,
  Parameters<typeof decideAttestation>[0],
  AttestationRequest,
])[] = [
  ['market_not_tradable', facts({ isAcceptingOrders: false }), sale()],
  ['market_not_tradable', facts({ isSettlementDetected: true }), sale()],
  ['market_not_tradable', facts({ status: 'closed' }), requestOf()],
  ['trading_window_over', facts({ closeAtMs: sampleNowMs + 5 * minute }), requestOf()],
  ['fee_schedule_missing', facts({ venueFee: null }), sale()],
  ['book_missing', yes({ book: null, bookAgeMs: null }), requestOf()],
  ['book_stale', yes({ bookAgeMs: 5_001 }), sale()],
  ['book_one_sided', yes({}, { bids: ladderBook({ mid: 0.7 }).bids, asks: [] }), sale()],
  ['twap_unavailable', yes({ twap: { pricePips: null, sampleCount: 1, lastSampleAgeMs: 10 } }), requestOf()],
  ['twap_stale', yes({ twap: { pricePips: price(0.7), sampleCount: 9, lastSampleAgeMs: 10_001 } }), requestOf()],
  ['breaker_tripped', sampleSnapshot({ isBreakerTripped: true }), requestOf()],
  ['breaker_tripped', yes({ secondSource: { pricePips: price(0.8001), ageMs: 10 } }), requestOf()],
  ['size_too_small', sampleSnapshot(), sale({ tokenUnits: tokenUnits(4_999_999n) })],
  ['book_too_thin', yes({}, { bids: ladderBook({ mid: 0.7 }).bids, asks: [level(0.71, 99)] }), requestOf()],
  ['book_too_thin', yes({}, { bids: [level(0.69, 99), level(0.55, 9_999)], asks: [level(0.71, 99)] }), sale()],
  ['position_missing', sampleSnapshot(), sale({ position: null })],
  ['position_missing', sampleSnapshot(), sale({ purpose: 'liquidate', position: null })],
  ['not_due', sampleSnapshot(), sale({ purpose: 'unwind' })],
  ['not_due', sampleSnapshot(), sale({ purpose: 'liquidate' })],
  ['unconfirmed', yes({}, ladderBook({ mid: 0.51 })), sale({ purpose: 'liquidate' })],
  [
    'unconfirmed',
    yes({}, ladderBook({ mid: 0.51 })),
    sale({ purpose: 'liquidate', earlierMid: { pricePips: price(0.51), ageMs: 1_999 } }),
  ],
];

describe('decideAttestation', () => {
  test.each(refusals)('refuses: %s', (reason, snapshot, request) => {
    expect(decideAttestation(snapshot, request)).toEqual({ kind: 'refused', reason });
  });

  test('an opening carries the lowest mark and a limit one tick and a pip above the average', () => {
    const snapshot = yes({ lastTrade: { pricePips: price(0.69), ageMs: 1_000 } });
    expect(decideAttestation(snapshot, requestOf())).toEqual({
      kind: 'attestation',
      markPricePips: price(0.69),
      limitPricePips: price(0.7201),
      triggerPricePips: pricePips(0n),
      // 0.07 × (1 − 0.69) of the money traded, rounded up.
      venueFeeBps: rateBps(217n),
      exitBufferBps: rateBps(800n),
    });
  });

  test('a limit reaches the last ask used, and never more than the slip above the mark', () => {
    const book = { bids: ladderBook({ mid: 0.7 }).bids, asks: [level(0.71, 60), level(0.78, 100)] };
    const open = decideAttestation(yes({}, book), requestOf());
    expect(open).toMatchObject({ limitPricePips: price(0.7801) });
    const far = { bids: book.bids, asks: [level(0.71, 60), level(0.81, 100)] };
    expect(decideAttestation(yes({}, far), requestOf())).toEqual({ kind: 'refused', reason: 'book_too_thin' });
  });

  test('a close sells at the average less a tick, with the fee at that price', () => {
    const book = { bids: [level(0.69, 60), level(0.67, 100)], asks: [level(0.71, 100)] };
    expect(decideAttestation(yes({}, book), sale())).toEqual({
      kind: 'attestation',
      markPricePips: price(0.7),
      // 60 at 0.69 and 40 at 0.67 average 0.682; the last bid used is lower than 0.672.
      limitPricePips: price(0.67),
      triggerPricePips: pricePips(0n),
      venueFeeBps: rateBps(231n),
      exitBufferBps: rateBps(800n),
    });
  });

  test('an unwind carries the covered value that the debt exceeds', () => {
    const heavy = { ...position, debtUsdcUnits: usdcUnits(180_000_000n) };
    const decided = decideAttestation(sampleSnapshot(), sale({ purpose: 'unwind', position: heavy }));
    if (decided.kind === 'refused') throw new Error(decided.reason);
    const trigger = raw(decided.triggerPricePips);
    // 300 tokens at 0.675 net, odds shrunk by 1.603: c = 0.5645.
    expect(trigger).toBe(5_645n);
    expect(raw(heavy.debtUsdcUnits) * 10_000n > raw(heavy.tokenUnits) * trigger).toBe(true);
  });

  test('an unwind that is due by less than a pip still passes the check on chain', () => {
    for (let debt = 169_320_000n; debt < 169_360_000n; debt += 100n) {
      const edge = { ...position, debtUsdcUnits: usdcUnits(debt) };
      const decided = decideAttestation(sampleSnapshot(), sale({ purpose: 'unwind', position: edge }));
      if (decided.kind === 'refused') continue;
      expect(debt * 10_000n > raw(edge.tokenUnits) * raw(decided.triggerPricePips)).toBe(true);
    }
  });

  test('past the hard exit every debt may be unwound', () => {
    const snapshot = facts({ closeAtMs: sampleNowMs + 5 * minute });
    expect(decideAttestation(snapshot, sale({ purpose: 'unwind' }))).toMatchObject({ triggerPricePips: pricePips(0n) });
  });

  test('bids are enough for a forced sale, at the lower of the last mid and the best bid plus a tick', () => {
    const { bids } = ladderBook({ mid: 0.7 });
    const heavy = { ...position, debtUsdcUnits: usdcUnits(180_000_000n) };
    const unwind = sale({ purpose: 'unwind', position: heavy });
    const bidsOnly = (side: Partial<SideSnapshot>) => yes(side, { bids, asks: [] });
    expect(decideAttestation(bidsOnly({ lastMidPricePips: price(0.75) }), unwind)).toMatchObject({
      markPricePips: price(0.7),
    });
    expect(decideAttestation(bidsOnly({ lastMidPricePips: price(0.66) }), unwind)).toMatchObject({
      markPricePips: price(0.66),
    });
    const low = { ...position, liquidationPricePips: price(0.7) };
    const liquidation = sale({
      purpose: 'liquidate',
      position: low,
      earlierMid: { pricePips: price(0.7), ageMs: 2_000 },
    });
    expect(decideAttestation(bidsOnly({ lastMidPricePips: null }), liquidation)).toMatchObject({ kind: 'attestation' });
    const asksOnly = yes({}, { bids: [], asks: [level(0.71, 100)] });
    expect(decideAttestation(asksOnly, unwind)).toEqual({ kind: 'refused', reason: 'book_one_sided' });
    expect(decideAttestation(bidsOnly({ bookAgeMs: 5_001 }), unwind)).toEqual({
      kind: 'refused',
      reason: 'book_stale',
    });
  });

  test('a hard exit may give away more in the last two minutes, up to what the vault allows', () => {
    // All bids at 0.57: 0.1857 below the mark of 0.70, which 15 % refuses and 20 % takes.
    const thin = { bids: [level(0.69, 1), level(0.57, 9_999)], asks: [level(0.71, 100)] };
    const at = (leftSeconds: number) =>
      decideAttestation(
        sampleSnapshot({
          facts: sampleFacts({ closeAtMs: sampleNowMs + leftSeconds * 1_000 }),
          yes: sampleSide(thin),
        }),
        sale({ purpose: 'unwind' }),
      ).kind;
    expect([at(120), at(60), at(30), at(0)]).toEqual(['refused', 'refused', 'attestation', 'attestation']);
    expect(decideAttestation(yes({}, thin), sale()).kind).toBe('refused');
  });

  test('a book that takes next to nothing of a position still gives its unwind a trigger of at least a pip', () => {
    const vast = { ...position, tokenUnits: tokens(10_000_000), debtUsdcUnits: usdcUnits(5_000_000_000_000n) };
    const shallow = yes({}, { bids: [level(0.69, 100)], asks: [level(0.71, 100)] });
    const decided = decideAttestation(shallow, sale({ purpose: 'unwind', position: vast }));
    expect(decided).toMatchObject({ kind: 'attestation', triggerPricePips: pricePips(1n) });
  });

  test('a debt of a pip per token passes no trigger and is not due', () => {
    const vast = { ...position, tokenUnits: tokens(10_000_000) };
    const shallow = yes({}, { bids: [level(0.69, 100)], asks: [level(0.71, 100)] });
    const decidedAt = (debt: bigint) =>
      decideAttestation(
        shallow,
        sale({ purpose: 'unwind', position: { ...vast, debtUsdcUnits: usdcUnits(debt * 1_000_000n) } }),
      ).kind;
    expect(decidedAt(1_000n)).toBe('refused');
    expect(decidedAt(1_001n)).toBe('attestation');
  });

  test('a planned rung carries its own trigger', () => {
    const planned = { ...position, plannedTriggerPricePips: price(0.4) };
    const decided = decideAttestation(sampleSnapshot(), sale({ purpose: 'unwind', position: planned }));
    expect(decided).toMatchObject({ triggerPricePips: price(0.4) });
  });

  test('after a crash a liquidation is signed at the live mid, not at the lagging average', () => {
    const crashed = yes(
      { twap: { pricePips: price(0.7), sampleCount: 9, lastSampleAgeMs: 10 } },
      ladderBook({ mid: 0.3 }),
    );
    const seenTwice = sale({ purpose: 'liquidate', earlierMid: { pricePips: price(0.3), ageMs: 2_000 } });
    expect(decideAttestation(crashed, seenTwice)).toMatchObject({ kind: 'attestation', markPricePips: price(0.3) });
  });

  test('a liquidation needs the mark seen twice or a second source', () => {
    const low = ladderBook({ mid: 0.51 });
    const twice = sale({ purpose: 'liquidate', earlierMid: { pricePips: price(0.5), ageMs: 2_000 } });
    expect(decideAttestation(yes({}, low), twice)).toMatchObject({ kind: 'attestation', markPricePips: price(0.51) });
    const second = yes({ secondSource: { pricePips: price(0.505), ageMs: 500 } }, low);
    expect(decideAttestation(second, sale({ purpose: 'liquidate' }))).toMatchObject({ kind: 'attestation' });
  });
});

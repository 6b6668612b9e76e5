import type { MarketSnapshot } from '@core/market';
import { tokenUnits } from '@core/pricing';
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
import { policyDefaults } from '../defaults.ts';
import { type CoverInputs, coverInputsOf, coverOf } from './coverInputs.ts';
import { decideUnwindReason, type UnwindSituation } from './decideUnwindReason.ts';

const size = tokenUnits(300_000_000n);

function inputsOf(snapshot: MarketSnapshot): CoverInputs {
  const inputs = coverInputsOf(snapshot, 'yes', policyDefaults);
  if (inputs === null) throw new Error('the sample has no cover');
  return inputs;
}

const at = (book = ladderBook({ mid: 0.7 }), changes: Parameters<typeof sampleSide>[1] = {}) =>
  inputsOf(sampleSnapshot({ yes: sampleSide(book, changes) }));

function reasonOf(now: CoverInputs, changes: Partial<UnwindSituation> = {}): string {
  const situation: UnwindSituation = {
    cause: 'cover',
    isFromBeforeStart: false,
    now,
    covered: at(),
    tokenUnits: size,
    openedMarkPricePips: price(0.7),
  };
  return decideUnwindReason({ ...situation, ...changes }, policyDefaults);
}

describe('the reason of an unwind is the input that lowered the cover furthest', () => {
  test.each([
    [0.66, 'price_drop_warning'],
    [0.6, 'price_drop_moderate'],
    [0.5, 'price_drop_severe'],
    [0.4, 'price_drop_full_exit'],
  ])('a fall from 0.70 to %s is %s', (mid, reason) => {
    expect(reasonOf(at(ladderBook({ mid })))).toBe(reason);
  });

  test('a wider way from mark to bid', () => {
    expect(reasonOf(at(ladderBook({ mid: 0.7, spread: 0.03 })))).toBe('spread_warning');
    expect(reasonOf(at(ladderBook({ mid: 0.7, spread: 0.05 })))).toBe('spread_spike');
    expect(reasonOf(at(ladderBook({ mid: 0.7, spread: 0.1 })))).toBe('spread_blowout');
  });

  test('bids that take less of the position', () => {
    const bids = (...levels: ReturnType<typeof level>[]) => at({ bids: levels, asks: [level(0.71, 10)] });
    expect(reasonOf(bids(level(0.69, 100), level(0.5, 9_999)))).toBe('depth_decay');
    expect(reasonOf(bids(level(0.69, 200)))).toBe('depth_entry_drain');
    expect(reasonOf(bids(level(0.69, 100)))).toBe('depth_drain');
  });

  test('a mid that falls because bids went away is no fall of the price', () => {
    const asks = [level(0.71, 9_999)];
    const covered = at({ bids: [level(0.69, 5), level(0.68, 9_999)], asks });
    expect(reasonOf(at({ bids: [level(0.68, 9_999)], asks }), { covered })).toBe('spread_warning');
    expect(reasonOf(at({ bids: [level(0.61, 9_999)], asks }), { covered })).toBe('spread_blowout');
    // The asks fell by six cents of the bids’ eight: the mid is a tenth lower.
    expect(reasonOf(at({ bids: [level(0.61, 9_999)], asks: [level(0.65, 9_999)] }), { covered })).toBe(
      'price_drop_moderate',
    );
  });

  test('without asks the mark is all there is', () => {
    const alone = (bid: number) => at({ bids: [level(bid, 9_999)], asks: [] }, { lastMidPricePips: price(0.7) });
    expect(reasonOf(alone(0.6), { covered: alone(0.69) })).toBe('price_drop_moderate');
  });

  test('variance is the asset’s or the score’s', () => {
    const realisedVarianceE12 = 10n ** 10n;
    expect(reasonOf(at(ladderBook({ mid: 0.7 }), { realisedVarianceE12 }))).toBe('crypto_move');
    const quiet = { ...at(), phase: { ...at().phase, kind: 'in_play' } as const };
    expect(reasonOf({ ...quiet, realisedVarianceE12 }, { covered: quiet })).toBe('lead_change');
  });

  test('time that passed, and a reference that fell silent', () => {
    const facts = sampleFacts({ closeAtMs: sampleNowMs + 400_000 });
    expect(reasonOf(inputsOf(sampleSnapshot({ facts })))).toBe('stale_refresh');
    expect(reasonOf({ ...at(), isReferenceSilent: true })).toBe('stale_refresh');
  });

  test('a jump that came nearer', () => {
    const phase = { kind: 'in_play', jumpBps: 4_000n, shockMultiplierBps: 35_000n, leftSeconds: 3_600n } as const;
    const before = { ...at(), phase: { ...phase, kind: 'pregame', jumpBps: 2_000n, shockMultiplierBps: 0n } as const };
    expect(reasonOf({ ...at(), phase }, { covered: before })).toBe('game_start');
  });

  test.each([
    { kind: 'crypto', isFromBeforeStart: false, isLosing: false, reason: 'stale_refresh' },
    { kind: 'crypto', isFromBeforeStart: false, isLosing: true, reason: 'post_hard_exit_losing' },
    { kind: 'pregame', isFromBeforeStart: false, isLosing: false, reason: 'game_start' },
    { kind: 'pregame', isFromBeforeStart: false, isLosing: true, reason: 'game_start' },
    { kind: 'in_play', isFromBeforeStart: false, isLosing: false, reason: 'stale_refresh' },
    { kind: 'in_play', isFromBeforeStart: false, isLosing: true, reason: 'post_hard_exit_losing' },
    // What should have been repaid before the start is repaid because the game began.
    { kind: 'in_play', isFromBeforeStart: true, isLosing: false, reason: 'game_start' },
    { kind: 'in_play', isFromBeforeStart: true, isLosing: true, reason: 'post_hard_exit_losing' },
  ] as const)(
    'the hard exit, $kind, losing: $isLosing, owed from before the start: $isFromBeforeStart',
    ({ kind, isFromBeforeStart, isLosing, reason }) => {
      const inputs = at(ladderBook({ mid: isLosing ? 0.4 : 0.7 }));
      const now = { ...inputs, phase: { ...inputs.phase, kind } };
      expect(reasonOf(now, { cause: 'hard_exit', isFromBeforeStart })).toBe(reason);
    },
  );

  test('a rung by its price, and nothing known', () => {
    expect(reasonOf(at(ladderBook({ mid: 0.6 })), { cause: 'planned' })).toBe('price_drop_moderate');
    expect(reasonOf(at(ladderBook({ mid: 0.66 })), { covered: null })).toBe('unknown');
    expect(reasonOf(at(ladderBook({ mid: 0.6 })), { covered: null })).toBe('price_drop_moderate');
    expect(reasonOf(at())).toBe('unknown');
  });
});

test('a cover is never higher for a larger size, and unreadable without fresh bids', () => {
  const cover = coverOf(at(ladderBook({ mid: 0.7, tokens: 100 })), policyDefaults);
  const covers = [1n, 100n, 200n, 900n, 5_000n].map((whole) => cover(tokenUnits(whole * 1_000_000n)));
  expect(covers).toEqual(covers.toSorted((left, right) => (left < right ? 1 : -1)));
  const stale = sampleSnapshot({ yes: sampleSide(ladderBook({ mid: 0.7 }), { bookAgeMs: 5_001 }) });
  expect(coverInputsOf(stale, 'yes', policyDefaults)).toBeNull();
});

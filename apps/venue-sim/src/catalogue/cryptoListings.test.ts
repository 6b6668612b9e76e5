import { describe, expect, it } from 'vitest';
import { assets } from '../world/assets.ts';
import { SpotWorld } from '../world/spotWorld.ts';
import { cryptoDraftsAt } from './cryptoListings.ts';
import type { MarketDraft } from './marketDefinition.ts';

/** Twelve hours before the strikes of the day are decided. */
const nowMs = Date.UTC(2026, 6, 1, 4, 7, 13);
const world = new SpotWorld({ seed: 'strikes', startMs: nowMs - 26 * 3_600_000 });
world.advanceTo(nowMs);

const strikesOf = (count: number, symbol: string): readonly MarketDraft[] =>
  cryptoDraftsAt(world, nowMs, { strikesPerAsset: count }).filter(
    (draft) => draft.asset === symbol && draft.groupItemTitle !== null,
  );
const slugsOf = (drafts: readonly MarketDraft[]): readonly string[] => drafts.map(({ slug }) => slug);
const usdOf = ({ groupItemTitle }: MarketDraft): number => Number(groupItemTitle?.replaceAll(',', ''));
const fairOf = ({ fairSource }: MarketDraft): number => {
  const view = fairSource.fairAt(nowMs);
  return view.kind === 'model' ? view.fair : Number.NaN;
};

describe('strikes', () => {
  it.each(assets)('of $symbol are as many as asked for, the usual ones among them', ({ symbol }) => {
    const usual = slugsOf(strikesOf(0, symbol));
    for (const count of [5, 40, 244]) {
      const slugs = slugsOf(strikesOf(count, symbol));
      expect(slugs).toHaveLength(count);
      expect(new Set(slugs).size).toBe(count);
      expect(slugs).toEqual(expect.arrayContaining([...usual]));
    }
  });

  it.each(assets)('of $symbol cost less the higher they are, and lie where its price may go', ({ symbol }) => {
    const sorted = strikesOf(244, symbol).toSorted((a, b) => usdOf(a) - usdOf(b));
    const fairs = sorted.map(fairOf);
    expect(fairs).toEqual(fairs.toSorted((a, b) => b - a));
    // Strikes far from the price would have books that never change.
    expect(fairs.filter((fair) => fair > 0.01 && fair < 0.99).length).toBeGreaterThan(60);
  });

  it('beyond the default ones have the published fees', () => {
    const usual = new Set(slugsOf(cryptoDraftsAt(world, nowMs, { strikesPerAsset: 0 })));
    const added = cryptoDraftsAt(world, nowMs, { strikesPerAsset: 40 }).filter(({ slug }) => !usual.has(slug));
    expect(added.length).toBeGreaterThan(100);
    expect(added.every(({ areFeesEnabled, feeSchedule }) => areFeesEnabled && feeSchedule !== null)).toBe(true);
  });
});

import { pricePips } from '@core/pricing';
import type { MarketTick, MarketWatch } from '@core/venue';
import { expect, test } from 'vitest';
import { followMids, MidHistory } from './midHistory.ts';

test('mids: markets come and go for a day → only those of watched markets are stored', () => {
  const watched = new Set<string>();
  let tick: (tick: MarketTick) => void = () => undefined;
  const watch = {
    onTick: (listener: typeof tick) => {
      tick = listener;
      return () => undefined;
    },
    mark: () => ({ pricePips: pricePips(3_000n), isAttestable: true }),
    book: (tokenId: string) => (watched.has(tokenId) ? {} : null),
  } as object as MarketWatch;
  const mids = new MidHistory(30_000);
  followMids(watch, mids);
  const isKnown = (tokenId: string, nowMs: number): boolean =>
    mids.observationBefore(tokenId, { nowMs, minAgeMs: 0 }) !== null;
  for (let hour = 0; hour < 24; hour += 1) {
    const atMs = hour * 3_600_000;
    for (let number = 0; number < 20; number += 1) watched.add(`${hour}:${number}`);
    for (let number = 0; number < 20; number += 1) watched.delete(`${hour - 1}:${number}`);
    // Every watched token ticks a few times.
    for (let round = 0; round < 3; round += 1) {
      for (const tokenId of watched) tick({ ticker: tokenId, side: 'yes', tokenId, atMs });
    }
    for (const tokenId of watched) expect(isKnown(tokenId, atMs)).toBe(true);
    for (let number = 0; number < 20; number += 1) expect(isKnown(`${hour - 1}:${number}`, atMs)).toBe(false);
  }
});

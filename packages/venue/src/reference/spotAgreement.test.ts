import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SpotAgreement, type SpotFeed } from './spotAgreement.ts';

/** Prices of BTC in order: feed, price, instant in seconds. */
function after(messages: readonly (readonly [feed: SpotFeed, priceUsd: string, seconds: number])[]): SpotAgreement {
  const agreement = new SpotAgreement();
  for (const [feed, priceUsd, seconds] of messages) {
    agreement.record(feed, { asset: 'BTC', priceUsd, atMs: seconds * 1_000 }, seconds * 1_000);
  }
  return agreement;
}

describe('spot agreement', () => {
  test('a price of the venue alone, or of exchanges alone → no reading', () => {
    expect(after([['venue_exchange', '70000', 1]]).reading('BTC', null)).toBeNull();
    const independent = after([
      ['coinbase', '70000', 1],
      ['kraken', '70000', 1],
    ]);
    expect([independent.reading('BTC', null), [...independent.assets]]).toEqual([null, []]);
  });

  test('an exchange agrees → the venue’s price, dated with the older of both; the oracle settles averaged ends', () => {
    const agreement = after([
      ['venue_exchange', '70000.5', 4],
      ['coinbase', '70020', 3],
    ]);
    expect(agreement.reading('BTC', 'noon_candle')).toEqual({ asset: 'BTC', priceUsd: '70000.5', atMs: 3_000 });
    expect(agreement.reading('BTC', 'averaged_ends')).toBeNull();
    agreement.record('venue_oracle', { asset: 'BTC', priceUsd: '70010', atMs: 5_000 }, 5_000);
    expect(agreement.reading('BTC', 'averaged_ends')).toEqual({ asset: 'BTC', priceUsd: '70010', atMs: 3_000 });
    expect([...agreement.assets]).toEqual(['BTC']);
  });

  test('the feeds disagree → the reading ages at the last agreement, and one exchange that agrees again ends that', () => {
    const agreement = after([
      ['venue_exchange', '70000', 1],
      ['coinbase', '70000', 1],
      ['venue_exchange', '68000', 2],
      ['coinbase', '70000', 3],
      ['kraken', '70100', 3],
      ['venue_exchange', '68000', 4],
    ]);
    expect(agreement.reading('BTC', null)).toMatchObject({ priceUsd: '70000', atMs: 1_000 });
    agreement.record('kraken', { asset: 'BTC', priceUsd: '68010', atMs: null }, 5_000);
    expect(agreement.reading('BTC', null)).toMatchObject({ priceUsd: '68000', atMs: 4_000 });
  });

  test('the venue repeats one price while an exchange moves → the reading ages at the last change', () => {
    // The venue's price comes first: the exchange is compared from its first price on.
    const agreement = after([
      ['venue_exchange', '70000', 1],
      ['coinbase', '70000', 1],
    ]);
    for (let second = 2; second <= 20; second += 1) {
      agreement.record('venue_exchange', { asset: 'BTC', priceUsd: '70000', atMs: second * 1_000 }, second * 1_000);
      const moved = String(70_000 + 20 * second);
      agreement.record('coinbase', { asset: 'BTC', priceUsd: moved, atMs: second * 1_000 }, second * 1_000);
    }
    // Until the exchange had moved by 15 bps both were believed.
    expect(agreement.reading('BTC', null)?.atMs).toBeLessThanOrEqual(7_000);
    agreement.record('venue_exchange', { asset: 'BTC', priceUsd: '70390', atMs: 21_000 }, 21_000);
    expect(agreement.reading('BTC', null)).toMatchObject({ priceUsd: '70390', atMs: 20_000 });
  });

  test('a quiet asset stands for minutes at every feed → heartbeats keep its reading fresh', () => {
    const agreement = after([
      ['venue_exchange', '1.43', 1],
      ['coinbase', '1.431', 1],
    ]);
    for (let second = 2; second <= 300; second += 1) {
      agreement.record('venue_exchange', { asset: 'BTC', priceUsd: '1.43', atMs: second * 1_000 }, second * 1_000);
      agreement.confirm('coinbase', ['BTC', 'ETH'], second * 1_000);
    }
    expect(agreement.reading('BTC', null)?.atMs).toBe(300_000);
  });

  test('a price follows a heartbeat that was received after the instant of the price → it counts', () => {
    const agreement = after([
      ['venue_exchange', '70000', 5],
      ['coinbase', '70000', 5],
    ]);
    agreement.confirm('coinbase', ['BTC'], 6_010);
    agreement.record('coinbase', { asset: 'BTC', priceUsd: '68000', atMs: 6_000 }, 6_020);
    agreement.record('venue_exchange', { asset: 'BTC', priceUsd: '70000', atMs: 7_000 }, 7_000);
    expect(agreement.reading('BTC', null)?.atMs).toBe(5_000);
  });

  test('a price that is late, in the future, or no positive number → it does not make a reading younger', () => {
    const agreement = after([
      ['venue_exchange', '70000', 5],
      ['coinbase', '70000', 5],
    ]);
    agreement.record('venue_exchange', { asset: 'BTC', priceUsd: '70100', atMs: 4_000 }, 6_000);
    for (const priceUsd of ['0', '-1', 'NaN', '', '1e999']) {
      agreement.record('venue_exchange', { asset: 'BTC', priceUsd, atMs: 6_000 }, 6_000);
    }
    expect(agreement.reading('BTC', null)).toMatchObject({ priceUsd: '70000', atMs: 5_000 });
    agreement.confirm('coinbase', ['BTC'], 7_000);
    agreement.record('venue_exchange', { asset: 'BTC', priceUsd: '70001', atMs: 900_000 }, 7_000);
    expect(agreement.reading('BTC', null)).toMatchObject({ priceUsd: '70001', atMs: 7_000 });
  });

  test('whatever the feeds send → the instant of a reading never goes back and is never in the future', () => {
    const feeds = fc.constantFrom<SpotFeed>('venue_exchange', 'venue_oracle', 'coinbase', 'kraken');
    const message = fc.record({
      feed: feeds,
      cents: fc.integer({ min: 6_900, max: 7_100 }),
      lagMs: fc.integer({ min: -5_000, max: 5_000 }),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 60 }), (messages) => {
        const agreement = new SpotAgreement();
        let lastMs = Number.NEGATIVE_INFINITY;
        for (const [index, { feed, cents, lagMs }] of messages.entries()) {
          const nowMs = 1_000_000 + index * 700;
          agreement.record(feed, { asset: 'BTC', priceUsd: `${cents}`, atMs: nowMs - lagMs }, nowMs);
          const atMs = agreement.reading('BTC', null)?.atMs ?? lastMs;
          expect(atMs).toBeGreaterThanOrEqual(lastMs);
          expect(atMs).toBeLessThanOrEqual(nowMs);
          lastMs = atMs;
        }
      }),
    );
  });
});

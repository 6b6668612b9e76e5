import { plainOverlayOf } from '@core/market';
import { readEnvironment } from '@core/runtime';
import {
  HttpVenueClient,
  MarketWatch,
  openReferenceFeeds,
  realVenueProfile,
  selectedVenueOf,
  venueSettings,
} from '@core/venue';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { VenueControl } from '../src/control/venueControl.ts';
import { startVenueSim, type VenueSim } from '../src/startVenueSim.ts';
import { eventually } from '../testing/simHttp.ts';

/** Age beyond which no quote rests on a spot price. */
const staleMs = 5_000;

let sim: VenueSim;
let watch: MarketWatch;
let control: VenueControl;
const endings: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  sim = await startVenueSim({ seed: 'reference', profile: realVenueProfile });
  endings.push(() => sim.close());
  control = new VenueControl(sim.url);
  const environment = { VENUE_PROFILE: 'real', VENUE_URL: sim.url };
  const settings = { program: 'test', settings: venueSettings, ownPrefixes: [] };
  const { hosts, profile, reference: source } = selectedVenueOf(readEnvironment(settings, environment));
  const { catalogueList, unstatedSettlement } = profile;
  const client = new HttpVenueClient({ ...hosts, catalogueList, parse: { unstatedSettlement } });
  const clock = { nowMs: () => sim.venue.nowMs };
  const reference = openReferenceFeeds(source, { clock });
  endings.push(() => reference.close());
  watch = new MarketWatch({ client, marketSocketUrl: hosts.marketSocketUrl, clock, reference });
  endings.push(() => watch.close());
  let cursor: string | undefined;
  do {
    const page = await client.cataloguePage({ limit: 100, closed: false, ...(cursor === undefined ? {} : { cursor }) });
    for (const market of page.markets) watch.watch(market, plainOverlayOf(market.ticker, 'active'));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
});
afterAll(async () => {
  for (const end of endings.toReversed()) await end();
});

const slugOf = (part: RegExp): string => {
  const market = sim.venue.markets.listed.find(({ market: { definition, stage } }) => {
    return stage === 'trading' && part.test(definition.slug);
  });
  if (market === undefined) throw new Error(`no market like ${part}`);
  return market.market.definition.slug;
};

const snapshotOf = (part: RegExp) => watch.snapshotOf(slugOf(part));
const ageMs = (): number | null => snapshotOf(/^btc-updown-15m/)?.reference?.ageMs ?? null;
const isFresh = (age: number | null): boolean => age !== null && age < 3_000;

it('records under the real profile state the rule that settles each crypto market', () => {
  const settlementOf = (part: RegExp) => {
    const subject = snapshotOf(part)?.facts.subject;
    return subject?.kind === 'crypto' ? subject.settlement : null;
  };
  expect(settlementOf(/^btc-updown-15m/)).toBe('averaged_ends');
  expect(settlementOf(/^bitcoin-up-or-down-.*m-et$/)).toBe('hourly_candle');
  expect(settlementOf(/^bitcoin-up-or-down-on-/)).toBe('noon_candle');
  expect(settlementOf(/^bitcoin-above-/)).toBe('noon_candle');
});

it('prices of the venue’s socket that an exchange confirms are fresh, for both topics', async () => {
  expect(await eventually(ageMs, isFresh)).toBeLessThan(3_000);
  const exchangeAgeMs = () => snapshotOf(/^bitcoin-above-/)?.reference?.ageMs ?? null;
  expect(await eventually(exchangeAgeMs, isFresh)).toBeLessThan(3_000);
});

it.each(['frozen', 'wrong', 'silent'] as const)(
  'price socket: %s prices while the market moves → the reference ages until quotes stop, and recovers',
  async (kind) => {
    await eventually(ageMs, isFresh);
    await control.play('price_feed', null, { kind, seconds: 3_600 });
    await control.play('spot_move', slugOf(/^btc-updown-15m/), { pct: 0.5 });
    const staleAgeMs = await eventually(ageMs, (age) => age !== null && age > staleMs);
    expect(staleAgeMs).toBeGreaterThan(staleMs);
    await control.play('calm', null, {});
    expect(await eventually(ageMs, isFresh)).toBeLessThan(3_000);
  },
);

import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keyFileOf } from '@core/runtime/testing';
import { depositWalletOf, realVenueProfile } from '@core/venue';
import { startVenueSim, type VenueSim } from '@core/venue-sim';
import { VenueControl } from '@core/venue-sim/control';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Terminal } from '../testing/terminal.ts';

const key = `0x${'7e'.repeat(32)}` as const;
let sim: VenueSim;
let tokenId: string;

beforeAll(async () => {
  sim = await startVenueSim({ seed: 'doctor', profile: realVenueProfile });
  const market = sim.venue.markets.listed.find(({ market: { definition } }) =>
    definition.slug.startsWith('bitcoin-above-'),
  );
  if (market === undefined) throw new Error('no market with a fine tick is listed');
  const { slug, tokenIds } = market.market.definition;
  // Where the price is near a dollar at this hour, nothing is offered.
  await new VenueControl(sim.url).pin([slug], '0.5');
  tokenId = String(tokenIds[0]);
});
afterAll(() => sim.close());

interface Report {
  readonly failed: number;
  readonly steps: readonly { readonly name: string; readonly state: string; readonly detail: string }[];
}

const statesOf = async (environment: Readonly<Record<string, string>>, ...words: readonly string[]) => {
  const terminal = new Terminal({ VENUE_PROFILE: 'real', VENUE_URL: sim.url, ...environment });
  const { code, document } = await terminal.json('venue', 'doctor', ...words);
  const { steps } = document as Report;
  return { code, states: Object.fromEntries(steps.map(({ name, state }) => [name, state])), steps };
};

test('venue doctor: without key and budget → it reads the place alone and prints what every step expects', async () => {
  const { code, states, steps } = await statesOf({});
  expect(code).toBe(0);
  expect(steps).toHaveLength(10);
  expect(states).toMatchObject({ place: 'expected', 'foreign maker': 'not_run', 'fine amounts': 'not_run' });
  const dry = await statesOf({ VENUE_KEY_FILE: keyFileOf(key) }, '--token', tokenId);
  expect(dry.states).toMatchObject({
    'foreign maker': 'not_run',
    'resting order': 'not_run',
    'fine amounts': 'not_run',
  });
});

test('venue doctor: 10 USD and a wallet that the venue knows → each step ends as expected, and a report is written', async () => {
  sim.venue.wallets.make(privateKeyToAddress(key));
  const report = path.join(tmpdir(), `venue-doctor-${process.pid}.md`);
  const { code, states, steps } = await statesOf(
    { VENUE_KEY_FILE: keyFileOf(key) },
    '--spend',
    '10',
    '--token',
    tokenId,
    '--report',
    report,
  );
  expect(steps.filter(({ state }) => state === 'unexpected')).toEqual([]);
  expect(states).toMatchObject({
    place: 'expected',
    'foreign maker': 'expected',
    'resting order': 'expected',
    'fine amounts': 'expected',
    funding: 'expected',
  });
  expect(code).toBe(0);
  expect(readFileSync(report, 'utf8')).toContain(depositWalletOf(privateKeyToAddress(key), walletContracts()));
});

const walletContracts = () => {
  if (realVenueProfile.contracts === null) throw new Error('the real profile names no contracts');
  return realVenueProfile.contracts;
};

test('venue doctor: a wallet that the venue does not know → exit code 7 and the venue’s own text', async () => {
  const stranger = keyFileOf(`0x${'7f'.repeat(32)}`);
  const { code, steps } = await statesOf({ VENUE_KEY_FILE: stranger }, '--spend', '1', '--token', tokenId);
  expect(code).toBe(7);
  expect(steps.find(({ name }) => name === 'resting order')).toMatchObject({ state: 'unexpected' });
});

test.each([
  ['--spend', 'ten', 'whole dollars'],
  ['--token', '0x12', 'decimal id'],
])('venue doctor: %s %s → refused', async (option, value, text) => {
  const terminal = new Terminal({ VENUE_PROFILE: 'real', VENUE_URL: sim.url });
  const { code, err } = await terminal.run('venue', 'doctor', option, value);
  expect(code).not.toBe(0);
  expect(err).toContain(text);
});

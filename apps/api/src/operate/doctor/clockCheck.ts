import { keeperHeartbeat } from '@core/runtime';
import { z } from 'zod';
import { answerOf, apiReadinessUrl, signerReadinessUrl } from './answerOf.ts';
import { type Check, type Deployment, type Finding, findingOf } from './check.ts';

/** Maximum difference of clocks: twice the resolution of the venue's and of a header, which count whole seconds. */
const maxClockDifferenceMs = 2_000;
/** A whole second is on average half a second old. */
const halfSecondMs = 500;

/**
 * Compare the clocks of venue, database, API, price signers and keepers with this machine's. The check of the nodes
 * compares the chain's.
 */
async function checkClocks(deployment: Deployment): Promise<Finding> {
  const { settings, nowMs } = deployment;
  const { body } = await answerOf(new URL('/time', settings.venueUrl).href);
  const venueSeconds = z.coerce.number().safeParse(body);
  const differences = [
    ...(venueSeconds.success ? [['venue', venueSeconds.data * 1_000 + halfSecondMs - nowMs()] as const] : []),
    // A simulated clock is followed by service and venue, not by machines.
    ...(settings.CLOCK_URL === undefined ? await machineClocks(deployment) : []),
  ];
  const textOf = ([name, ms]: readonly [string, number]): string => `${name} ${ms >= 0 ? '+' : ''}${Math.round(ms)} ms`;
  const wrong = differences.filter(([, ms]) => Math.abs(ms) > maxClockDifferenceMs).map(textOf);
  return findingOf(wrong, differences.length === 0 ? 'no clock to compare' : differences.map(textOf).join(', '));
}

/** Return how far the clocks of other machines are ahead of this one's. Only a keeper ahead is known to be. */
async function machineClocks({ settings, store, nowMs }: Deployment): Promise<readonly (readonly [string, number])[]> {
  const apis = [['api', apiReadinessUrl(settings)]] as const;
  const signers = settings.PRICE_SIGNER_URLS.map((url) => [url, signerReadinessUrl(url)] as const);
  const answered = await Promise.all(
    [...apis, ...signers].map(async ([name, url]) => {
      const { clockMs } = await answerOf(url);
      return clockMs === null ? [] : [[name, clockMs + halfSecondMs - nowMs()] as const];
    }),
  );
  const database = await store.clockMs();
  const keepers = (await store.heartbeats.all()).filter(({ name }) => name.startsWith(keeperHeartbeat));
  const ahead = keepers.map(({ lastHeartbeatAtMs }) => lastHeartbeatAtMs - nowMs()).filter((ms) => ms > 0);
  return [['database', database - nowMs()], ...answered.flat(), ...ahead.map((ms) => ['keeper', ms] as const)];
}

export const clockCheck: Check = {
  name: 'clocks',
  after: ['venue', 'database'],
  observe: checkClocks,
  fix: 'Synchronise the clocks of this machine and of those that are named (NTP).',
};

import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultNames } from '../src/faults/faults.ts';
import { Clusters } from '../src/outside/clusters.ts';
import { differenceOf, runWorld } from '../src/run/runWorld.ts';
import type { WorldRequest } from '../src/run/worldRequest.ts';
import { defaultPhysics } from '../src/world/physics.ts';

const troubled: WorldRequest = {
  scenario: 'lives',
  seed: 2,
  route: 'fill',
  physics: { ...defaultPhysics, clocksApartMs: 900 },
  keepers: 2,
  markets: ['crypto'],
  fillers: ['shipped'],
  users: 1,
  faults: faultNames,
};
/** Words of the outcome, one for each kind of trouble. */
const signs = ['keeper dies', 'message of the venue', ' stops for', 'answer is lost', 'replaces its'];

let clusters: Clusters;
beforeAll(async () => {
  clusters = await Clusters.prepare();
});
afterAll(() => clusters.close());

/** Two worlds keep two processors busy for half a minute; on a busy machine they take several times that. */
const limitMs = 300_000;

test(
  'a seed with every kind of trouble, twice → equal to the byte, and every position is filled and comes to its end',
  async () => {
    const [first, second] = await Promise.all([runWorld(troubled, clusters), runWorld(troubled, clusters)]);
    expect(first.failure).toBeNull();
    expect(differenceOf(first.trace, second.trace)).toBeNull();
    expect(second.digest).toBe(first.digest);
    expect(first.lines.at(-1)).toMatch(/3 positions, 0 broken$/);
    expect(first.lines.filter((line) => line.endsWith(' opened: open'))).toHaveLength(3);
    const troubles = first.lines.filter((line) => line.includes('fault: '));
    expect(signs.filter((sign) => !troubles.some((line) => line.includes(sign)))).toEqual([]);
  },
  limitMs,
);

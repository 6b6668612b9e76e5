import { afterAll, beforeAll, expect, test } from 'vitest';
import { Clusters } from '../src/outside/clusters.ts';
import { differenceOf, runWorld } from '../src/run/runWorld.ts';
import type { WorldReport, WorldRequest } from '../src/run/worldRequest.ts';
import { defaultPhysics } from '../src/world/physics.ts';

/** One position in each market, on a node and at a venue that are late. */
const small: WorldRequest = {
  scenario: 'fills',
  seed: 1,
  route: 'fill',
  physics: { ...defaultPhysics, blockMs: 0, finality: 'late', venueAnswerMs: 20, venueSettleMs: 100 },
  keepers: 1,
  markets: ['crypto'],
  fillers: ['shipped'],
  users: 1,
  faults: [],
};

let clusters: Clusters;
let reports: readonly WorldReport[];
beforeAll(async () => {
  clusters = await Clusters.prepare();
  reports = await Promise.all([runWorld(small, clusters), runWorld(small, clusters)]);
});
afterAll(() => clusters.close());

test('fills of a seed, twice → equal to the byte, and every grant is counted', () => {
  const [first, second] = reports;
  expect(first?.failure).toBeNull();
  expect(differenceOf(first?.trace ?? [], second?.trace ?? ['none'])).toBeNull();
  expect(second?.fills).toEqual(first?.fills);
  const rows = first?.fills ?? [];
  expect(rows.map(({ market, step }) => `${market} ${step}`)).toEqual(
    ['crypto', 'all'].flatMap((market) =>
      ['opening', 'close', 'unwind', 'liquidation'].map((step) => `${market} ${step}`),
    ),
  );
  for (const row of rows) expect(row.first + row.second + row.later + row.never).toBe(row.due);
  // With markets of one kind the rows of all markets are the same.
  expect(rows.slice(4)).toEqual(rows.slice(0, 4).map((row) => ({ ...row, market: 'all' })));
  expect(rows[0]).toMatchObject({ step: 'opening', due: 3 });
  expect(rows[1]).toMatchObject({ step: 'close', due: 1 });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayNames } from '../src/days/worstDays.ts';
import { Clusters } from '../src/outside/clusters.ts';
import { dayRequestOf } from '../src/run/dayRequest.ts';
import { runWorld } from '../src/run/runWorld.ts';
import { defaultPhysics } from '../src/world/physics.ts';

let clusters: Clusters;
beforeAll(async () => {
  clusters = await Clusters.prepare();
});
afterAll(() => clusters.close());

test.each(dayNames)('%s → its alerts fire and no others, and quotes and liquidations return', async (day) => {
  const report = await runWorld(dayRequestOf(day, { seed: 1, physics: defaultPhysics }), clusters);
  expect(report.failure).toBeNull();
  expect(report.lines.filter((line) => line.includes('BROKEN'))).toEqual([]);
  expect(report.day?.liquidatedSeconds).not.toBeNull();
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Clusters } from '../src/outside/clusters.ts';
import { runWorld } from '../src/run/runWorld.ts';
import type { WorldReport, WorldRequest } from '../src/run/worldRequest.ts';
import type { FillerKind } from '../src/world/fillers.ts';
import { defaultPhysics } from '../src/world/physics.ts';

const steps = ['opening', 'close', 'unwind', 'liquidation'];
/** Tokens below this cannot be sold at the venue. */
const smallestSale = 5_000_000n;

const requestOf = (...fillers: FillerKind[]): WorldRequest => ({
  scenario: 'fills',
  seed: 1,
  route: 'fill',
  physics: defaultPhysics,
  keepers: 1,
  markets: ['crypto'],
  fillers,
  users: 1,
  faults: [],
});

let clusters: Clusters;
beforeAll(async () => {
  clusters = await Clusters.prepare();
});
afterAll(() => clusters.close());

/** Run a world, and return its report with the money that it measured. */
async function measured(...fillers: FillerKind[]) {
  const report: WorldReport = await runWorld(requestOf(...fillers), clusters);
  expect(report.failure).toBeNull();
  const { money, fills } = report;
  if (money === null) throw new Error('the world measured no money');
  const rows = fills.filter(({ market }) => market === 'all');
  const unfilled = rows.filter(({ never }) => never > 0).map(({ step }) => step);
  const { before, after } = money;
  const [pool, owed, bad] = [
    BigInt(after.poolUsdcUnits) - BigInt(before.poolUsdcUnits),
    BigInt(after.owedUsdcUnits),
    BigInt(after.badUsdcUnits),
  ];
  const withProfits = after.fillers.map((filler, index) => ({
    ...filler,
    profitUsdcUnits: BigInt(filler.usdcUnits) - BigInt(before.fillers[index]?.usdcUnits ?? 0),
  }));
  return { money, rows, unfilled, pool, owed, bad, fillers: withProfits, broken: after.broken };
}

/** Virtual minutes of a whole service keep a processor busy for a minute; on a busy machine several times that. */
const limitMs = 600_000;

describe('fillers of a world', () => {
  test.each<FillerKind[][]>([[['example']], [['shipped', 'example']], [['openings', 'shipped']]])(
    '%j → every step is filled, nothing twice, every account reconciles, and the pool is whole',
    async (kinds) => {
      const { money, rows, unfilled, pool, owed, bad, fillers, broken } = await measured(...kinds);
      expect(rows.map(({ step }) => step)).toEqual(steps);
      expect([unfilled, broken, owed]).toEqual([[], [], 0n]);
      // A debt that its sale did not pay is the only loss, and the fees of the openings are income.
      expect(pool + bad).toBeGreaterThan(0n);
      expect(fillers.map(({ kind }) => kind)).toEqual(kinds);
      for (const { tokenUnits, profitUsdcUnits, differenceUsdcUnits } of fillers) {
        expect(BigInt(tokenUnits)).toBeLessThan(smallestSale);
        expect(profitUsdcUnits).toBeGreaterThanOrEqual(0n);
        expect(differenceUsdcUnits ?? 0).toBe(0);
      }
      const sum = fillers.reduce((count, { openingCount, saleCount }) => count + openingCount + saleCount, 0);
      expect(sum).toBe(rows.reduce((count, { due }) => count + due, 0));
      expect([money.isQuoted, money.missing]).toEqual([true, []]);
    },
    limitMs,
  );

  test(
    'a filler that takes openings and never sales, alone → no further quotes: only loans that were open are at risk',
    async () => {
      const { money, unfilled, pool, owed, bad, fillers, broken } = await measured('openings');
      expect([unfilled, broken]).toEqual([['close', 'unwind', 'liquidation'], []]);
      expect(fillers.map(({ openingCount, saleCount }) => [openingCount, saleCount])).toEqual([[3, 0]]);
      // Three loans of 20 USD and the fees that they have accrued: no loss yet, and no fourth loan.
      expect([bad, pool > 0n, owed / 1_000_000n]).toEqual([0n, true, 60n]);
      expect([money.isQuoted, money.missing]).toEqual([false, ['sales_unfilled']]);
    },
    limitMs,
  );
});

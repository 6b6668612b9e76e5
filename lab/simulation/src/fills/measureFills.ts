import { setTimeout as delay } from 'node:timers/promises';
import { Trader } from '../actors/trader.ts';
import type { Say } from '../faults/fault.ts';
import type { World } from '../world/startWorld.ts';
import { fillLives } from './fillLives.ts';
import { type FillMoney, observeFillMoney } from './fillMoney.ts';
import type { FillRow } from './fillRows.ts';

/** Money before and after a measurement of fills. */
export interface MeasuredMoney {
  readonly before: FillMoney;
  readonly after: FillMoney;
  /** True when another user gets a quote at the end, and what the service says that it is missing. */
  readonly isQuoted: boolean;
  readonly missing: readonly string[];
}

/** Time for fillers to sell what they hold, and pause between two reads of it. */
const restMs = 60_000;
const quoteMs = 15_000;
const pollMs = 5_000;
/** Tokens below this cannot be sold at the venue. */
const smallestSale = 5_000_000n;

/** Measure fills, and the money that they moved once the fillers have sold what they hold. */
export async function measureFills(
  world: World,
  options: { readonly say: Say; readonly users: number },
): Promise<{ readonly fills: readonly FillRow[]; readonly money: MeasuredMoney }> {
  const before = await observeFillMoney(world);
  const fills = await fillLives(world, options);
  let after = await observeFillMoney(world);
  for (let waitedMs = 0; waitedMs < restMs && !isAtRest(after); waitedMs += pollMs) {
    await delay(pollMs);
    after = await observeFillMoney(world);
  }
  const user = new Trader(world, 'carol', world.deployment.roles.carol);
  const isQuoted = await user
    .quote(([deepest]) => deepest, quoteMs)
    .then(
      () => true,
      () => false,
    );
  const readiness = await fetch(new URL('/readyz', world.apiUrl));
  const { missing }: Pick<MeasuredMoney, 'missing'> = await readiness.json();
  const money = { before, after, isQuoted, missing };
  options.say(`money ${JSON.stringify(money)}`);
  return { fills, money };
}

const isAtRest = ({ fillers }: FillMoney): boolean =>
  fillers.every(
    ({ tokenUnits, differenceUsdcUnits }) => BigInt(tokenUnits) < smallestSale && (differenceUsdcUnits ?? 0) === 0,
  );

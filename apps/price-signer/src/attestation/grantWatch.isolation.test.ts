import { ladderBook, sampleSide, sampleSnapshot } from '@core/market/testing';
import { policyDefaults } from '@core/policy';
import { type PoisonedItems, poisonKinds, servedBeside } from '@core/testkit';
import pino from 'pino';
import type { Hex, PublicClient } from 'viem';
import { describe, expect, test } from 'vitest';
import { type GrantEnder, GrantWatch } from './grantWatch.ts';

const keys = Array.from({ length: 7 }, (_, index): Hex => `0x${String(index).padStart(64, '0')}`);
/** Far from any mark of the sample. */
const leftPath = { purpose: 1, startPips: 100, limitPips: 100 };

/** Watch of live grants whose marks have left their paths. */
function watchOf(steps: Partial<Record<'snapshotOf' | 'grantOf' | 'endGrant', PoisonedItems>>) {
  const ended: string[] = [];
  const serve = async <Value>(step: keyof typeof steps, key: string, value: Value): Promise<Value> =>
    steps[step] === undefined ? value : steps[step].serve(key, () => value);
  const client = {
    readContract: ({ args: [key] }: { readonly args: readonly [string] }) => serve('grantOf', key, leftPath),
  };
  const ender: GrantEnder = {
    endGrant: async (key) => {
      await serve('endGrant', key, null);
      ended.push(key);
    },
  };
  const watch = new GrantWatch({
    client: client as object as PublicClient,
    vault: '0x1',
    snapshotOf: (key) => {
      if (steps.snapshotOf?.poisonKey === key) throw new Error('poison');
      return sampleSnapshot();
    },
    now: () => 0,
    config: policyDefaults,
    ender,
    logger: pino({ level: 'silent' }),
  });
  const tokenId = BigInt(sampleSnapshot().facts.yesTokenId ?? 0);
  for (const key of keys) watch.record(key, { conditionId: key, tokenId });
  return { watch, ended };
}

/** Calls of `check`, none awaited: as the timer makes them. */
async function checksOf(watch: GrantWatch, count: number): Promise<void> {
  const checks: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    checks.push(watch.check());
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.race([Promise.all(checks), new Promise((resolve) => setTimeout(resolve, 20))]);
}

describe.each(['grantOf', 'endGrant'] as const)('grants, %s', (step) => {
  test.each(poisonKinds)('of one %s → the others are ended, by the first check', async (kind) => {
    const endings: (readonly string[])[] = [];
    await servedBeside({ keys, kind, rubbish: null }, async (items) => {
      const { watch, ended } = watchOf({ [step]: items });
      await checksOf(watch, 5);
      endings.push(ended.filter((key) => key !== items.poisonKey).toSorted());
    });
    const healthy = keys.filter((_, index) => index !== 3);
    expect(endings).toEqual([healthy, healthy]);
  });
});

test('grants: the end of one could not be sent → it is sent by the next check', async () => {
  let endCount = 0;
  await servedBeside({ keys, kind: 'throws_once', rubbish: null }, async (items) => {
    const { watch, ended } = watchOf({ endGrant: items });
    await checksOf(watch, 5);
    endCount = ended.length;
  });
  expect(endCount).toBe(keys.length);
});

test('grants: the check of one hangs → a grant that is signed later is ended all the same', async () => {
  const later: Hex = `0x${'f'.repeat(64)}`;
  await servedBeside({ keys, kind: 'hangs', rubbish: null }, async (items) => {
    const { watch, ended } = watchOf({ endGrant: items });
    await checksOf(watch, 2);
    watch.record(later, { conditionId: later, tokenId: 101n });
    await checksOf(watch, 2);
    expect(ended).toContain(later);
  });
});

test('grants: the market of one cannot be read → no check rejects, and the others are ended', async () => {
  await servedBeside({ keys, kind: 'throws_always', rubbish: null }, async (items) => {
    const { watch, ended } = watchOf({ snapshotOf: items });
    await watch.check();
    expect(ended.length).toBe(keys.length - 1);
    expect(watch.size).toBe(1);
  });
});

test('grants: the path of a live one is read once for each mark, until the mark leaves it', async () => {
  const path = { purpose: 0, startPips: 7_000, limitPips: 6_500 };
  let [mid, readCount] = [0.7, 0];
  const ended: string[] = [];
  const client = {
    readContract: async () => {
      readCount += 1;
      return path;
    },
  };
  const watch = new GrantWatch({
    client: client as object as PublicClient,
    vault: '0x1',
    snapshotOf: () => sampleSnapshot({ yes: sampleSide(ladderBook({ mid })) }),
    now: () => 0,
    config: policyDefaults,
    ender: { endGrant: async (key) => void ended.push(key) },
    logger: pino({ level: 'silent' }),
  });
  const [key = '0x'] = keys;
  watch.record(key, { conditionId: key, tokenId: BigInt(sampleSnapshot().facts.yesTokenId ?? 0) });
  const checked = async (change: () => void) => {
    change();
    for (let check = 0; check < 2; check += 1) await watch.check();
    return readCount;
  };
  // Before it is granted there is no path.
  expect(await checked(() => undefined)).toBe(2);
  expect(await checked(() => (path.purpose = 1))).toBe(3);
  expect(await checked(() => (mid = 0.68))).toBe(4);
  expect(ended).toEqual([]);
  expect(await checked(() => (mid = 0.6))).toBe(5);
  expect(ended).toEqual([key]);
});

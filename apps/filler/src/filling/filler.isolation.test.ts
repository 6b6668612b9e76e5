import { pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import { createLogger, NodeHealth } from '@core/runtime';
import { PoisonedItems, type PoisonKind, poisonKinds } from '@core/testkit';
import type { Hex, PublicClient } from 'viem';
import { describe, expect, test } from 'vitest';
import { type LiveGrant, VaultGrants } from '../chain/vaultGrants.ts';
import { createFillerMetrics } from '../http/fillerMetrics.ts';
import { Filler } from './filler.ts';
import type { FillerParts } from './fillerParts.ts';
import { Float } from './float.ts';

const count = 7;
const keys = Array.from({ length: count }, (_, index): Hex => `0x${String(index).padStart(64, '0')}`);
const nowSeconds = 1_000;

/** A grant whose time is over: the filler leaves it, for a reason that the metric names. */
function grantOf(key: Hex): LiveGrant {
  return {
    positionKey: key,
    purpose: 'open',
    conditionId: key,
    tokenId: 1n,
    grant: {} as LiveGrant['grant'],
    markPricePips: pricePips(5_000n),
    startsAtSeconds: nowSeconds - 10,
    endsAtSeconds: nowSeconds - 5,
  };
}

const book = { bids: [], asks: [] };
const market = { conditionId: '0x1', yesTokenId: 1n, noTokenId: 2n, tickPricePips: pricePips(100n), feeSchedule: null };
const balances = { yesTokenUnits: tokenUnits(0n), noTokenUnits: tokenUnits(0n) };

/** Filler whose reads of each grant, book and balance are the test's. */
function fillerOf(parts: {
  readonly grants?: readonly LiveGrant[];
  readonly booksOf?: (key: string) => Promise<unknown>;
  readonly heldOf?: (key: string) => Promise<unknown>;
  readonly nowMs?: number;
}) {
  const metrics = createFillerMetrics(new NodeHealth(1));
  let heldCount = 0;
  const all = {
    grants: {
      head: () => Promise.resolve({ blockNumber: 1n, timeSeconds: nowSeconds, nextSeconds: nowSeconds }),
      live: () => Promise.resolve(parts.grants ?? keys.map(grantOf)),
    },
    account: {
      usdcUnits: () => Promise.resolve(usdcUnits(0n)),
      held: () => parts.heldOf?.(keys[heldCount++ % count] ?? '') ?? Promise.resolve(balances),
    },
    books: {
      of: (key: string) => parts.booksOf?.(key) ?? Promise.resolve({ market, yes: book, no: book }),
    },
    clock: { nowMs: () => parts.nowMs ?? nowSeconds * 1_000 },
    float: new Float(usdcUnits(0n)),
    terms: { marginBps: rateBps(0n), gasUsdcUnits: usdcUnits(0n), maximumFillUsdcUnits: usdcUnits(0n), restMs: 0 },
    logger: createLogger({ name: 'filler', level: 'silent' }),
    metrics,
  };
  const filler = new Filler(all as object as FillerParts, { stopFile: '/nonexistent/stop', maxHeadAgeMs: 20_000 });
  const decisions = async (): Promise<Record<string, number>> =>
    Object.fromEntries((await metrics.decisions.get()).values.map(({ labels, value }) => [labels.result, value]));
  return { filler, decisions };
}

describe('one of several live grants', () => {
  test.each(['grant', 'markPricePips', 'tokenId'] as const)(
    'its %s cannot be read → the others are considered, and the round succeeds',
    async (field) => {
      const throwing = (): never => {
        throw new TypeError('poison');
      };
      const poison = Object.defineProperty(grantOf(keys[3] ?? '0x'), field, { get: throwing });
      const { filler, decisions } = fillerOf({
        grants: keys.map((key, index) => (index === 3 ? poison : grantOf(key))),
      });
      await filler.round();
      expect(await decisions()).toEqual({ over: count - 1, failed: 1 });
    },
  );

  test.each(['booksOf', 'heldOf'] as const)('%s throws for its market → the others are considered', async (read) => {
    const items = new PoisonedItems({ keys, kind: 'throws_always', rubbish: null });
    const answer = read === 'heldOf' ? balances : { market, yes: book, no: book };
    const { filler, decisions } = fillerOf({ [read]: (key: string) => items.serve(key, () => answer) });
    await filler.round();
    expect(await decisions()).toEqual({ over: count - 1, no_book: 1 });
  });
});

/** Reads of the vault's grants by a node that fails for one of them in a way. */
async function readGrants(kind: PoisonKind) {
  const items = new PoisonedItems({ keys, kind, rubbish: null });
  const live = {
    purpose: 1,
    endsAt: nowSeconds + 5,
    startsAt: nowSeconds - 1,
    startPips: 5_000,
    limitPips: 5_250,
    venueFeeBps: 0,
    validFor: 10,
    markPips: 5_000,
    mostUnits: 1n,
    filledUnits: 0n,
  };
  const position = {
    notionalUsdcUnits: 1n,
    filledUsdcUnits: 0n,
    minFillBps: 1,
    minPositionTokenUnits: 1n,
    tokenUnits: 0n,
  };
  const client = {
    getContractEvents: () => Promise.resolve(keys.map((positionKey) => ({ args: { positionKey } }))),
    readContract: ({ functionName, args }: { readonly functionName: string; readonly args: readonly [string] }) => {
      if (functionName === 'grantOf') return items.serve(args[0], () => live);
      return Promise.resolve(
        functionName === 'positionOf' ? { ...position, outcomeId: 1 } : { conditionId: '0x1', tokenId: 1n },
      );
    },
  };
  const grants = new VaultGrants(client as object as PublicClient, '0x1');
  const head = { blockNumber: 100n, timeSeconds: nowSeconds, nextSeconds: nowSeconds };
  const first = await grants.live(head);
  const later = await grants.live({ ...head, timeSeconds: nowSeconds + 60 });
  return { first: first.map(({ positionKey }) => positionKey), laterCount: later.length };
}

test.each(poisonKinds.filter((kind) => kind !== 'hangs'))(
  'the grant of one position %s when it is read → the others are returned, and none is followed for ever',
  async (kind) => {
    const { first, laterCount } = await readGrants(kind);
    expect(first).toEqual(keys.filter((_, index) => index !== 3));
    expect(laterCount).toBe(0);
  },
);

test.each([
  ['current', nowSeconds * 1_000 + 10_000, true],
  ['older than it may be', nowSeconds * 1_000 + 30_000, false],
] as const)('rounds succeed and the head is %s → the filler says so', async (_name, nowMs, isCurrent) => {
  const { filler } = fillerOf({ nowMs });
  expect(filler.head.isCurrent).toBe(false);
  await filler.round();
  expect(filler.head).toMatchObject({ headAgeMs: nowMs - nowSeconds * 1_000, isCurrent });
});

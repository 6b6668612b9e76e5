import {
  type BookLevel,
  midPriceOf,
  type OrderBook,
  pricePips,
  rateBps,
  raw,
  tokenUnits,
  toShareStep,
  usdcUnits,
  walkAsksByTokens,
  walkBids,
} from '@core/pricing';
import { createLogger, NodeHealth } from '@core/runtime';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LiveGrant } from '../chain/vaultGrants.ts';
import { createFillerMetrics } from '../http/fillerMetrics.ts';
import { chooseFills, groupsOf, type ReservedFill } from './chooseFills.ts';
import { Float } from './float.ts';
import { MarketClaims } from './marketClaims.ts';

const conditionId = '0x0c';
const [yesTokenId, noTokenId] = [1n, 2n];
const nowSeconds = 1_000;
const noFees = { ratePpm: 0n, exponent: 1n };
const purposes = ['open', 'close', 'unwind', 'liquidate'] as const;
const metrics = createFillerMetrics(new NodeHealth(1));
const logger = createLogger({ name: 'filler', level: 'silent' });
const terms = {
  marginBps: rateBps(0n),
  gasUsdcUnits: usdcUnits(0n),
  maximumFillUsdcUnits: usdcUnits(10n ** 12n),
  restMs: 0,
};

const anySizes = fc.array(fc.bigInt({ min: 10_000n, max: 300_000_000n }), { minLength: 1, maxLength: 8 });

/** Book whose levels are ten pips apart, and that of the other token: its mirror, or one with sizes of its own. */
const anyBooks = fc
  .record({
    mid: fc.bigInt({ min: 2_000n, max: 8_000n }),
    bidSizes: anySizes,
    askSizes: anySizes,
    ownSizes: fc.option(anySizes),
  })
  .map(({ mid, bidSizes, askSizes, ownSizes }) => {
    const levels = (sizes: readonly bigint[], priceOf: (step: bigint) => bigint): readonly BookLevel[] =>
      sizes.map((size, index) => ({
        pricePips: pricePips(priceOf(BigInt(index) * 10n + 5n)),
        sizeTokenUnits: tokenUnits(size),
      }));
    const yes = { bids: levels(bidSizes, (step) => mid - step), asks: levels(askSizes, (step) => mid + step) };
    const no = {
      bids: levels(ownSizes ?? askSizes, (step) => 10_000n - mid - step),
      asks: levels(bidSizes, (step) => 10_000n - mid + step),
    };
    return { yes, no };
  });

const anyGrant = fc.record({
  isYes: fc.boolean(),
  purpose: fc.constantFrom(...purposes),
  units: fc.bigInt({ min: 5_000_000n, max: 400_000_000n }),
  slopePips: fc.bigInt({ min: 0n, max: 300n }),
  ageSeconds: fc.integer({ min: 0, max: 10 }),
});

type Drawn = typeof anyGrant extends fc.Arbitrary<infer Value> ? Value : never;

function liveOf({ isYes, purpose, units, slopePips, ageSeconds }: Drawn, markPips: bigint, index: number): LiveGrant {
  const startPricePips = pricePips(markPips);
  const path = { startPricePips, venueFeeBps: rateBps(0n), validForSeconds: 10 };
  const grant: LiveGrant['grant'] =
    purpose === 'open'
      ? {
          ...path,
          side: 'purchase',
          limitPricePips: pricePips(markPips + slopePips),
          maximumUsdcUnits: usdcUnits(units),
          filledUsdcUnits: usdcUnits(0n),
          minimumFirstUsdcUnits: null,
          notionalUsdcUnits: usdcUnits(units),
          minimumTokenUnits: tokenUnits(0n),
        }
      : {
          ...path,
          side: 'sale',
          limitPricePips: pricePips(markPips - slopePips),
          maximumTokenUnits: tokenUnits(units),
          filledTokenUnits: tokenUnits(0n),
          heldTokenUnits: tokenUnits(units),
        };
  return {
    positionKey: `0x${index.toString(16).padStart(64, '0')}`,
    purpose,
    conditionId,
    tokenId: isYes ? yesTokenId : noTokenId,
    grant,
    markPricePips: startPricePips,
    startsAtSeconds: nowSeconds - ageSeconds,
    endsAtSeconds: nowSeconds + 10 - ageSeconds,
  };
}

interface Case {
  readonly books: { readonly yes: OrderBook; readonly no: OrderBook };
  readonly drawn: readonly Drawn[];
  readonly balance: bigint;
}

const anyCase: fc.Arbitrary<Case> = fc.record({
  books: anyBooks,
  drawn: fc.array(anyGrant, { minLength: 2, maxLength: 12 }),
  balance: fc.bigInt({ min: 0n, max: 2_000_000_000n }),
});

const market = { conditionId, yesTokenId, noTokenId, tickPricePips: pricePips(10n), feeSchedule: noFees } as const;

/** Round of a filler with this balance and without tokens. */
function roundOf(books: Case['books'], balance: bigint) {
  const noBalances = { yesTokenUnits: tokenUnits(0n), noTokenUnits: tokenUnits(0n) };
  return {
    head: { blockNumber: 1n, timeSeconds: nowSeconds, nextSeconds: nowSeconds },
    usdc: usdcUnits(balance),
    markets: new Map([[conditionId, { books: { market, ...books }, held: noBalances }]] as const),
    claims: new MarketClaims(),
    isDoubted: () => false,
  };
}

const partsOf = () => ({ float: new Float(usdcUnits(10n ** 12n)), terms, metrics, logger });

/** Choose in rounds, in each of which one part of the grants is live: fills of earlier rounds are in progress then. */
function chosenOf({ books, drawn, balance }: Case, roundCount: number): readonly ReservedFill[] {
  const mids = [books.yes, books.no].map((book) => raw(midPriceOf(book) ?? pricePips(5_000n)));
  const grants = drawn.map((one, index) => liveOf(one, mids[one.isYes ? 0 : 1] ?? 5_000n, index));
  const [round, parts] = [roundOf(books, balance), partsOf()];
  return Array.from({ length: roundCount }, (_, index) =>
    chooseFills(
      parts,
      grants.filter((_grant, at) => at % roundCount === index),
      round,
    ),
  ).flat();
}

const sumOf = (fills: readonly ReservedFill[], unitsOf: (fill: ReservedFill) => bigint): bigint =>
  fills.reduce((sum, fill) => sum + unitsOf(fill), 0n);
const tokensOf = ({ chosen }: ReservedFill): bigint => raw(chosen.fill.tokenUnits);
const worthOf = ({ chosen }: ReservedFill): bigint => raw(chosen.worthUsdcUnits);

test('fills chosen together: all that count on the bids of a token bring no more than one walk of them', () => {
  let sharedCount = 0;
  fc.assert(
    fc.property(anyCase, fc.integer({ min: 1, max: 3 }), (drawn, roundCount) => {
      const fills = chosenOf(drawn, roundCount);
      for (const [tokenId, { bids }] of [
        [yesTokenId, drawn.books.yes],
        [noTokenId, drawn.books.no],
      ] as const) {
        const sales = fills.filter(({ chosen, live }) => chosen.way === 'resell' && live.tokenId === tokenId);
        const pairs = fills.filter(({ chosen, live }) => chosen.way === 'pair' && live.tokenId !== tokenId);
        const tokens = sumOf([...sales, ...pairs], tokensOf);
        // A pair costs a dollar less the proceeds of its other token.
        const proceeds = sumOf(sales, worthOf) + sumOf(pairs, tokensOf) - sumOf(pairs, worthOf);
        const walk = walkBids({ bids, tokenUnits: tokenUnits(tokens) });
        const soldTokens = sumOf([...sales, ...pairs], (fill) => raw(toShareStep(fill.chosen.fill.tokenUnits, 'down')));
        expect(soldTokens <= tokens - raw(walk.restTokenUnits)).toBe(true);
        expect(proceeds <= raw(walk.proceedsUsdcUnits)).toBe(true);
        if (sales.length + pairs.length > 1) sharedCount += 1;
      }
    }),
    { numRuns: 1_000 },
  );
  expect(sharedCount).toBeGreaterThan(100);
});

test('fills chosen together: purchases cost no less than one walk of the asks that bids of pairs and sales mirror', () => {
  let buyCount = 0;
  fc.assert(
    fc.property(anyCase, (drawn) => {
      const fills = chosenOf(drawn, 1);
      for (const [tokenId, { asks }] of [
        [yesTokenId, drawn.books.yes],
        [noTokenId, drawn.books.no],
      ] as const) {
        const buys = fills.filter(({ chosen, live }) => chosen.way === 'buy' && live.tokenId === tokenId);
        const tokens = sumOf(buys, tokensOf);
        const walk = walkAsksByTokens({ asks, tokenUnits: tokenUnits(tokens) });
        buyCount += buys.length;
        expect([raw(walk.restTokenUnits), sumOf(buys, worthOf) * 10_000n >= walk.exactUsdcUnitsE4]).toEqual([0n, true]);
      }
    }),
    { numRuns: 1_000 },
  );
  expect(buyCount).toBeGreaterThan(20);
});

test('fills chosen together: within the balance, the most urgent first, and that one as if there were no others', () => {
  fc.assert(
    fc.property(anyCase, (drawn) => {
      const fills = chosenOf(drawn, 1);
      expect(sumOf(fills, ({ reservation }) => raw(reservation.usdcUnits)) <= drawn.balance).toBe(true);
      const orderOf = (purpose: LiveGrant['purpose']) => ['liquidate', 'unwind', 'close', 'open'].indexOf(purpose);
      const rankOf = ({ live }: ReservedFill): number => orderOf(live.purpose);
      const startOf = ({ live }: ReservedFill): number => live.startsAtSeconds;
      expect(fills).toEqual(
        fills.toSorted((left, right) => rankOf(left) - rankOf(right) || startOf(left) - startOf(right)),
      );
      const urgency = ({ purpose, ageSeconds }: Drawn): number => orderOf(purpose) * 100 - ageSeconds;
      const [first] = drawn.drawn.toSorted((left, right) => urgency(left) - urgency(right));
      const index = first === undefined ? 0 : drawn.drawn.indexOf(first);
      const alone = chosenOf({ ...drawn, drawn: drawn.drawn.slice(index, index + 1) }, 1);
      const together = fills.filter(({ live }) => Number(live.positionKey) === index);
      expect(alone.map(({ chosen }) => chosen)).toEqual(together.map(({ chosen }) => chosen));
    }),
    { numRuns: 500 },
  );
});

test('sales of a batch: all are filled, none of them with the bids of one before it, at any interval of blocks', () => {
  const levels = (prices: readonly bigint[]) =>
    prices.map((price) => ({ pricePips: pricePips(price), sizeTokenUnits: tokenUnits(100_000_000n) }));
  const prices = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n].map((rank) => 5_000n - 100n * rank);
  const books = { yes: { bids: levels(prices), asks: levels([5_100n]) }, no: { bids: [], asks: [] } };
  // The limit of each is the price of its own bids, less a filler's cost and a tick.
  const grants = prices.map((price, index) => {
    const units = { units: 100_000_000n, slopePips: 5_050n - price + 110n };
    return liveOf({ isYes: true, purpose: 'liquidate', ageSeconds: 0, ...units }, 5_050n, index);
  });
  for (const interval of [1, 2, 3]) {
    const [round, parts] = [roundOf(books, 10n ** 12n), partsOf()];
    const fills: ReservedFill[] = [];
    for (let second = interval; second <= 10; second += interval) {
      const head = { ...round.head, nextSeconds: nowSeconds + second };
      const remaining = grants.filter((grant) => !fills.some(({ live }) => live === grant));
      fills.push(...chooseFills(parts, remaining, { ...round, head }));
    }
    const worthOfRank = grants.map((grant) => fills.filter(({ live }) => live === grant).map(worthOf));
    expect(worthOfRank).toEqual(prices.map((price) => [price * 10_000n]));
  }
});

test('groups: sales of one token together, at most 32; every other fill alone; each fill in one group', () => {
  fc.assert(
    fc.property(anyBooks, fc.array(anyGrant, { minLength: 1, maxLength: 80 }), (books, drawn) => {
      const deep = (levels: readonly BookLevel[]) =>
        levels.map((one) => ({ ...one, sizeTokenUnits: tokenUnits(10n ** 12n) }));
      const deepOf = ({ bids, asks }: OrderBook) => ({ bids: deep(bids), asks: deep(asks) });
      const fills = chosenOf(
        { books: { yes: deepOf(books.yes), no: deepOf(books.no) }, drawn, balance: 10n ** 12n },
        1,
      );
      const groups = groupsOf(fills);
      expect(new Set(groups.flat())).toEqual(new Set(fills));
      expect(groups.flat().length).toBe(fills.length);
      for (const group of groups) {
        const [{ live, chosen }] = group;
        const isTogether = group.every((one) => one.chosen.way === 'resell' && one.live.tokenId === live.tokenId);
        expect([group.length === 1 || isTogether, group.length <= 32]).toEqual([true, true]);
        const same = groups.filter(([one]) => one.live.tokenId === live.tokenId && one.chosen.way === 'resell');
        const sales = fills.filter((one) => one.live.tokenId === live.tokenId && one.chosen.way === 'resell');
        expect(chosen.way !== 'resell' || same.length === Math.ceil(sales.length / 32)).toBe(true);
      }
    }),
    { numRuns: 100 },
  );
});

import { partnerTermsOf } from '@core/policy';
import { raw, usdcUnits, usdPips } from '@core/pricing';
import { openStore, type Store } from '@core/store';
import { openTestStore, releaseDue, reserveQuote, sampleReserve, type TestStore } from '@core/store/testing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quoteBody } from '../../testing/quoteBody.ts';
import { codeOf, fieldOf, startTestApi, type TestAnswer, type TestApi } from '../../testing/startTestApi.ts';

const usd = (dollars: bigint) => usdPips(dollars * 10_000n);
const usdc = (dollars: bigint) => usdcUnits(dollars * 1_000_000n);

/** Caps that a few dozen quotes fill. */
const limits = {
  ...partnerTermsOf().limits,
  userNotionalUsdPips: usd(6_000n),
  sideNotionalUsdPips: usd(14_000n),
  marketNotionalUsdPips: usd(20_000n),
  marketBorrowUsdcUnits: usdc(12_000n),
};
const terms = { ...partnerTermsOf(), limits };
const wallets = Array.from({ length: 6 }, (_, index) => `0x${String(index + 1).repeat(40)}`);
const connectionCount = 64;

let shared: TestStore;
/** Two processes on one database. */
let apis: readonly TestApi[];
let users: readonly { readonly api: TestApi; readonly authorization: string }[];
/** Releases reservations as a keeper does, on connections of its own. */
let keeper: Store;
let later: number;
let marketId: string;
/** Called around each statement of the first process. */
let interleaved = { before: () => Promise.resolve(), after: () => Promise.resolve() };
const alone = interleaved;

beforeAll(async () => {
  shared = await openTestStore(12);
  const { databaseUrl } = shared.database;
  const { admit } = shared.store.admission;
  const first: Store = {
    ...shared.store,
    admission: {
      admit: async (request) => {
        await interleaved.before();
        const admission = await admit(request);
        await interleaved.after();
        return admission;
      },
    },
  };
  const second = openStore({ databaseUrl });
  // Names of partners are unique in a database.
  const { create } = second.partners;
  const partners: Store['partners'] = {
    ...second.partners,
    create: (partner) => create({ ...partner, name: `${partner.name} of the second` }),
  };
  const [one, two] = [
    await startTestApi({ terms, store: { store: first, close: () => Promise.resolve() } }),
    await startTestApi({ terms, store: { store: { ...second, partners }, close: () => second.close() } }),
  ];
  apis = [one, two];
  users = await Promise.all(
    apis.flatMap((api) => wallets.map(async (wallet) => ({ api, authorization: await api.userOf(wallet) }))),
  );
  keeper = openStore({ databaseUrl });
  later = one.clock.nowMs() + 3_600_000;
  marketId = (await shared.store.markets.byTicker(quoteBody.market_ticker))?.id ?? '';
});
afterAll(async () => {
  await Promise.all(apis.map((api) => api.close()));
  await keeper.close();
  await shared.close();
});

const anyQuote = fc.record({
  user: fc.nat(2 * wallets.length - 1),
  leverage_bps: fc.constantFrom(20_000, 30_000),
  notional_amount_usd_pips: fc.integer({ min: 100, max: 2_500 }).map((dollars) => String(dollars * 10_000)),
  effective_side: fc.constantFrom('yes', 'no'),
  allow_revision: fc.boolean(),
});
type AnyQuote = typeof anyQuote extends fc.Arbitrary<infer Quote> ? Quote : never;

async function quoteOf({ user, ...body }: AnyQuote): Promise<TestAnswer> {
  const caller = users[user];
  if (caller === undefined) throw new RangeError('no such user');
  return caller.api.call('/quotes', { authorization: caller.authorization, body: { ...quoteBody, ...body } });
}

async function marketNow() {
  const scope = { partnerId: '', walletAddress: '', marketId, clusterKey: null };
  const { inFlightNotionalUsdPips, inFlightBorrowUsdcUnits } = (await keeper.usage.read(scope)).market;
  return { notional: raw(inFlightNotionalUsdPips), borrow: raw(inFlightBorrowUsdcUnits) };
}

/** Return true for a refusal by a cap whose numbers leave less room than was asked for. */
function namesTheRoom(answer: TestAnswer, quote: AnyQuote): boolean {
  const params = fieldOf(answer.body, 'error', 'params');
  const roomPips =
    fieldOf(params, 'available_capacity_usd_pips') ?? Number(fieldOf(params, 'available_notional_usdc_units')) / 100;
  const isOfCap = /^quote_\w+_(position_limit|capital)_exceeded$/.test(String(codeOf(answer)));
  return answer.status === 400 && isOfCap && Number(roomPips) < Number(quote.notional_amount_usd_pips);
}

test('at the caps each quote is granted or refused with the room that is left, while others are released', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyQuote, { minLength: 400, maxLength: 400 }), async (quotes) => {
      const released = new Set<string>();
      const answers = new Map<AnyQuote, TestAnswer>();
      const highest = { notional: 0n, borrow: 0n };
      const waiting = [...quotes];
      const connection = async (): Promise<void> => {
        for (let quote = waiting.pop(); quote !== undefined; quote = waiting.pop()) {
          answers.set(quote, await quoteOf(quote));
        }
      };
      const releaser = async (): Promise<void> => {
        while (answers.size < quotes.length) {
          for (const key of await keeper.usage.dueReservations({ nowMs: later, except: [], limit: 2 })) {
            if (await keeper.usage.releaseReservation(key, later)) released.add(key);
          }
          const { notional, borrow } = await marketNow();
          if (notional > highest.notional) highest.notional = notional;
          if (borrow > highest.borrow) highest.borrow = borrow;
        }
      };
      await Promise.all([...Array.from({ length: connectionCount }, connection), releaser(), releaser(), releaser()]);
      const unexplained = [...answers].filter(
        ([quote, answer]) => answer.status !== 201 && !namesTheRoom(answer, quote),
      );
      expect(unexplained.map(([quote, { status, body }]) => ({ quote, status, body }))).toEqual([]);
      const live = [...answers.values()].filter(
        ({ status, body }) => status === 201 && !released.has(String(fieldOf(body, 'on_chain_position_key'))),
      );
      const livePips = live.map(({ body }) => BigInt(String(fieldOf(body, 'notional_amount_usd_pips'))));
      expect((await marketNow()).notional).toBe(livePips.reduce((sum, one) => sum + one, 0n));
      expect(highest.notional <= raw(limits.marketNotionalUsdPips)).toBe(true);
      expect(highest.borrow <= raw(limits.marketBorrowUsdcUnits)).toBe(true);
      await releaseDue(keeper.usage, later);
      expect(await marketNow()).toEqual({ notional: 0n, borrow: 0n });
    }),
    // An interleaving does not shrink.
    { numRuns: 2, endOnFailure: true },
  );
});

test('a quote that another outruns each time gets the room that its own statement saw', async () => {
  let number = 0;
  interleaved = {
    before: async () => {
      number += 1;
      const notionalUsdPips = usdPips(raw(limits.marketNotionalUsdPips) - 70_000n);
      await reserveQuote(keeper, sampleReserve(number, { notionalUsdPips, releaseAtMs: later, quote: { marketId } }));
    },
    after: async () => {
      await releaseDue(keeper.usage, later);
    },
  };
  const answer = await quoteOf({
    user: 0,
    leverage_bps: 20_000,
    notional_amount_usd_pips: '1000000',
    effective_side: 'yes',
    allow_revision: true,
  });
  interleaved = alone;
  expect([answer.status, codeOf(answer), fieldOf(answer.body, 'error', 'params')]).toEqual([
    400,
    'quote_market_position_limit_exceeded',
    { available_capacity_usd_pips: '70000', current_notional_usd_pips: '199930000', limit_usd_pips: '200000000' },
  ]);
});

import { z } from 'zod';
import { makeLargeHolder } from '../market/holders.ts';
import { parseDecimal } from '../units/decimals.ts';
import { type Scenario, type ScenarioContext, ScenarioRefusal, scenario, tradingMarketOf } from './scenario.ts';

const secondsOf = (byDefault: number) => z.number().positive().max(604_800).default(byDefault);
const sideOf = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['yes', 'no']))
  .default('yes');
const count = z.int().min(1).max(1_000).default(1);

const priceText = z.union([z.string(), z.number()]).transform((written, context) => {
  const pips = parseDecimal(String(written), 4);
  if (pips === null || pips < 10n || pips > 9_990n) {
    context.addIssue({ code: 'custom', message: 'must be a price between 0.001 and 0.999' });
    return z.NEVER;
  }
  return Number(pips) / 10_000;
});

const moveParams = z.strictObject({
  side: sideOf,
  /** Move of the price, dollars per token. */
  by: priceText.optional(),
  /** Target price of the side; overrides `by`. */
  to: priceText.optional(),
  over_seconds: z.number().min(0).max(86_400).default(0),
  hold_seconds: secondsOf(1_800),
  fade_seconds: secondsOf(60),
});

/** Move the fair price of one side down (crash) or up (pump). */
function move(direction: 1 | -1, params: z.output<typeof moveParams>, context: ScenarioContext): { untilMs: number } {
  const running = tradingMarketOf(context);
  const { venue, nowMs } = context;
  const view = running.making.fairAt(nowMs);
  const recorded = view.kind === 'recorded' ? (view.bidPricePips ?? view.askPricePips ?? 5_000n) : null;
  const fairOfYes = view.kind === 'model' ? view.fair : Number(recorded) / 10_000;
  const sign = params.side === 'yes' ? 1 : -1;
  const fair = params.side === 'yes' ? fairOfYes : 1 - fairOfYes;
  const target = params.to ?? Math.min(0.995, Math.max(0.005, fair + direction * (params.by ?? 0.3)));
  if (direction * (target - fair) <= 0) {
    throw new ScenarioRefusal(
      `the price of ${params.side} is ${fair.toFixed(3)} already: ` +
        `"to" must lie ${direction < 0 ? 'below' : 'above'} it`,
    );
  }
  const rampMs = params.over_seconds * 1000;
  const holdMs = params.hold_seconds * 1000;
  const fadeMs = params.fade_seconds * 1000;
  running.market.effects.shift({ fromMs: nowMs, rampMs, holdMs, fadeMs, dollars: sign * (target - fair) });
  venue.tick(running);
  return { untilMs: nowMs + rampMs + holdMs + fadeMs };
}

/** Scenarios of prices and books. */
export const bookScenarios: readonly Scenario[] = [
  scenario({
    name: 'crash',
    summary: 'the price of a side falls (by 0.30, or to a price), stays there and comes back',
    needsMarket: true,
    params: moveParams,
    play: (params, context) => move(-1, params, context),
  }),
  scenario({
    name: 'pump',
    summary: 'the price of a side rises (by 0.30, or to a price), stays there and comes back',
    needsMarket: true,
    params: moveParams,
    play: (params, context) => move(1, params, context),
  }),
  scenario({
    name: 'pin',
    summary: 'the price of YES stands still where it is, or where it is put: only crash and pump move it',
    needsMarket: true,
    params: z.strictObject({ to: priceText.optional(), seconds: secondsOf(3_600) }),
    play: (params, context) => {
      const running = tradingMarketOf(context);
      const { market } = running;
      const { nowMs, venue } = context;
      const view = market.definition.fairSource.fairAt(nowMs);
      if (view.kind !== 'model') throw new ScenarioRefusal('a recorded price moves as it was recorded');
      const untilMs = nowMs + params.seconds * 1000;
      market.effects.pin(untilMs, params.to ?? market.effects.pinnedAt(nowMs) ?? view.fair);
      venue.tick(running);
      return { untilMs };
    },
  }),
  scenario({
    name: 'spread_blow_out',
    summary: 'makers quote this many cents further apart',
    needsMarket: true,
    params: z.strictObject({ cents: z.number().min(1).max(80).default(20), seconds: secondsOf(60) }),
    play: (params, context) => {
      const running = tradingMarketOf(context);
      const untilMs = context.nowMs + params.seconds * 1000;
      running.market.effects.spread(untilMs, BigInt(Math.round(params.cents * 50)));
      context.venue.tick(running);
      return { untilMs };
    },
  }),
  scenario({
    name: 'depth_drain',
    summary: 'only this percentage of the usual size is shown; 0 empties the side',
    needsMarket: true,
    params: z.strictObject({
      remaining_pct: z.number().min(0).max(100).default(5),
      book_side: z.enum(['bids', 'asks', 'both']).default('both'),
      seconds: secondsOf(60),
    }),
    play: (params, context) => {
      const running = tradingMarketOf(context);
      const untilMs = context.nowMs + params.seconds * 1000;
      const share = params.remaining_pct / 100;
      running.market.effects.drain(untilMs, {
        bidShare: params.book_side === 'asks' ? 1 : share,
        askShare: params.book_side === 'bids' ? 1 : share,
      });
      context.venue.tick(running);
      return { untilMs };
    },
  }),
  scenario({
    name: 'cancel_storm',
    summary: 'at every tick makers take all quotes out and put half of them back',
    needsMarket: true,
    params: z.strictObject({ seconds: secondsOf(20) }),
    play: (params, context) => {
      const running = tradingMarketOf(context);
      const untilMs = context.nowMs + params.seconds * 1000;
      running.market.effects.storm(untilMs);
      context.venue.tick(running);
      return { untilMs };
    },
  }),
  scenario({
    name: 'large_holder',
    summary: 'one holder owns this percentage of a token',
    needsMarket: true,
    params: z.strictObject({ side: sideOf, share_pct: z.int().min(1).max(99).default(80) }),
    play: (params, context) => {
      makeLargeHolder(tradingMarketOf(context).market, params.side === 'yes' ? 0 : 1, params.share_pct);
      return { untilMs: null };
    },
  }),
  scenario({
    name: 'feed_freeze',
    summary: 'sockets fall silent about the market; REST continues',
    needsMarket: true,
    params: z.strictObject({ seconds: secondsOf(30) }),
    play: (params, context) => {
      const untilMs = context.nowMs + params.seconds * 1000;
      tradingMarketOf(context).market.effects.freeze(untilMs);
      return { untilMs };
    },
  }),
  scenario({
    name: 'stale_book',
    summary: 'the book stands still on every channel',
    needsMarket: true,
    params: z.strictObject({ seconds: secondsOf(30) }),
    play: (params, context) => {
      const untilMs = context.nowMs + params.seconds * 1000;
      tradingMarketOf(context).market.effects.stale(untilMs);
      return { untilMs };
    },
  }),
  scenario({
    name: 'book_without_hash',
    summary: 'books on the socket come without their hash, as at times at the real venue',
    needsMarket: true,
    params: z.strictObject({ seconds: secondsOf(60) }),
    play: (params, context) => {
      const untilMs = context.nowMs + params.seconds * 1000;
      tradingMarketOf(context).market.effects.leaveOutHashes(untilMs);
      return { untilMs };
    },
  }),
  scenario({
    name: 'ghost_fill',
    summary: 'the next matches are answered as matched and revert on chain, after this many retries for good',
    needsMarket: true,
    params: z.strictObject({ count, retries: z.int().min(0).max(5).default(1) }),
    play: (params, context) => {
      tradingMarketOf(context).market.effects.armGhosts(params.count, params.retries);
      return { untilMs: null };
    },
  }),
  scenario({
    name: 'partial_match',
    summary: 'the next orders fill at most this percentage of their size; FOK orders are killed',
    needsMarket: true,
    params: z.strictObject({ count, fill_pct: z.int().min(0).max(99).default(50) }),
    play: (params, context) => {
      tradingMarketOf(context).market.effects.armPartials(params.count, params.fill_pct);
      return { untilMs: null };
    },
  }),
  scenario({
    name: 'slow_settle',
    summary: 'matches of the market wait this long before they are sent to the chain',
    needsMarket: true,
    params: z.strictObject({ delay_seconds: secondsOf(20), seconds: secondsOf(300) }),
    play: (params, context) => {
      const untilMs = context.nowMs + params.seconds * 1000;
      tradingMarketOf(context).market.effects.slowSettle(untilMs, params.delay_seconds * 1000);
      return { untilMs };
    },
  }),
];

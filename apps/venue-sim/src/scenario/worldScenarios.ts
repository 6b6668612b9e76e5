import { z } from 'zod';
import { marketOf, type Scenario, ScenarioRefusal, scenario, tradingMarketOf } from './scenario.ts';

const secondsOf = (byDefault: number) => z.number().positive().max(2_592_000).default(byDefault);

/** Scenarios of the world behind the market, of the oracle and of the whole venue. */
export const worldScenarios: readonly Scenario[] = [
  scenario({
    name: 'lead_change',
    summary: 'the two sides of the game swap their scores',
    needsMarket: true,
    params: z.strictObject({}),
    play: (_params, context) => {
      const running = tradingMarketOf(context);
      const { gameSlug } = running.market.definition.event;
      const fixture = gameSlug === null ? undefined : context.venue.fixture(gameSlug);
      if (fixture === undefined) throw new ScenarioRefusal(`${running.market.slug} is not about a game`);
      if (fixture.secondsPlayed === 0) throw new ScenarioRefusal(`${fixture.slug} has not started`);
      fixture.model.swapScores();
      context.venue.tick(running);
      return { untilMs: null };
    },
  }),
  scenario({
    name: 'spot_move',
    summary: 'the reference price of the market’s asset jumps by this percentage',
    needsMarket: true,
    params: z.strictObject({ pct: z.number().min(-90).max(500) }),
    play: (params, context) => {
      const running = tradingMarketOf(context);
      const { asset } = running.market.definition;
      if (asset === null) throw new ScenarioRefusal(`${running.market.slug} has no reference price`);
      context.venue.spot.multiply(asset, 1 + params.pct / 100);
      context.venue.tick(running);
      return { untilMs: null };
    },
  }),
  scenario({
    name: 'dispute',
    summary: 'the proposed outcome is disputed for so long, then proposed again',
    needsMarket: true,
    params: z.strictObject({ seconds: secondsOf(120) }),
    play: (params, context) => {
      const { market, steps } = marketOf(context);
      if (market.stage !== 'proposed' || steps.isReporting) {
        throw new ScenarioRefusal(`only a proposal can be disputed: ${market.slug} is ${market.stage}`);
      }
      const untilMs = context.nowMs + params.seconds * 1000;
      steps.dispute(untilMs);
      return { untilMs };
    },
  }),
  scenario({
    name: 'propose',
    summary: 'trading ends and the oracle proposes an outcome, which may then be disputed or flipped',
    needsMarket: true,
    params: z.strictObject({
      outcome: z
        .string()
        .toLowerCase()
        .pipe(z.enum(['yes', 'no', 'void'])),
    }),
    play: (params, context) => {
      const running = marketOf(context);
      const { market, steps } = running;
      if (market.stage === 'resolved' || steps.isReporting) throw new ScenarioRefusal(`${market.slug} is resolved`);
      context.venue.endTrading(running, context.nowMs);
      steps.propose(params.outcome === 'void' ? 'void' : params.outcome === 'yes' ? 0 : 1, context.nowMs);
      return { untilMs: context.nowMs + context.venue.options.oracleTimes.livenessMs };
    },
  }),
  scenario({
    name: 'flip',
    summary: 'the proposed outcome becomes its opposite',
    needsMarket: true,
    params: z.strictObject({}),
    play: (_params, context) => {
      const { market, steps } = marketOf(context);
      const isProposed = market.stage === 'proposed' || market.stage === 'disputed';
      if (!isProposed || steps.isReporting || market.proposed === 'void') {
        throw new ScenarioRefusal(`only a proposed winner can be flipped: ${market.slug} is ${market.stage}`);
      }
      steps.flip(context.nowMs);
      return { untilMs: null };
    },
  }),
  scenario({
    name: 'void',
    summary: 'trading ends and both tokens pay half, at once',
    needsMarket: true,
    params: z.strictObject({}),
    play: async (_params, context) => {
      const running = marketOf(context);
      if (running.market.stage === 'resolved' || running.steps.isReporting) {
        throw new ScenarioRefusal(`${running.market.slug} is resolved`);
      }
      await context.venue.resolveNow(running, 'void');
      return { untilMs: null };
    },
  }),
  scenario({
    name: 'resolve',
    summary: 'trading ends and the outcome pays, at once',
    needsMarket: true,
    params: z.strictObject({
      outcome: z
        .string()
        .toLowerCase()
        .pipe(z.enum(['yes', 'no'])),
    }),
    play: async (params, context) => {
      const running = marketOf(context);
      if (running.market.stage === 'resolved' || running.steps.isReporting) {
        throw new ScenarioRefusal(`${running.market.slug} is resolved`);
      }
      await context.venue.resolveNow(running, params.outcome === 'yes' ? 0 : 1);
      return { untilMs: null };
    },
  }),
  scenario({
    name: 'restart_425',
    summary: 'the engine restarts: orders answer 425, then for some time all but resting ones 503',
    needsMarket: false,
    params: z.strictObject({
      seconds: secondsOf(90),
      /** The profile's when absent. */
      post_only_seconds: z.number().min(0).max(604_800).optional(),
    }),
    play: (params, { nowMs, venue }) => {
      const untilMs = nowMs + params.seconds * 1000;
      const { post_only_seconds: postOnlySeconds = venue.options.profile.postOnlyMs / 1000 } = params;
      const postOnlyUntilMs = untilMs + postOnlySeconds * 1000;
      venue.outages.restart(untilMs, postOnlyUntilMs);
      return { untilMs: postOnlyUntilMs };
    },
  }),
  scenario({
    name: 'trading_stop',
    summary: 'orders are refused: trading disabled (cancels too), cancel-only, by region, or openings alone',
    needsMarket: false,
    params: z.strictObject({
      seconds: secondsOf(60),
      kind: z.enum(['disabled', 'cancel_only', 'region', 'closed_only']).default('disabled'),
    }),
    play: (params, context) => {
      const untilMs = context.nowMs + params.seconds * 1000;
      context.venue.outages.stopTrading(untilMs, params.kind);
      return { untilMs };
    },
  }),
  scenario({
    name: 'price_feed',
    summary: 'the venue’s price socket repeats one price, sends wrong ones, or falls silent; exchanges continue',
    needsMarket: false,
    params: z.strictObject({ seconds: secondsOf(60), kind: z.enum(['frozen', 'wrong', 'silent']) }),
    play: (params, context) => {
      const untilMs = context.nowMs + params.seconds * 1000;
      context.venue.outages.breakPrices(untilMs, params.kind);
      return { untilMs };
    },
  }),
  scenario({
    name: 'throttle_429',
    summary: 'the venue answers 429, to everything or to orders only',
    needsMarket: false,
    params: z.strictObject({ seconds: secondsOf(30), scope: z.enum(['all', 'orders']).default('all') }),
    play: (params, context) => {
      const untilMs = context.nowMs + params.seconds * 1000;
      context.venue.outages.throttle(untilMs, params.scope);
      return { untilMs };
    },
  }),
  scenario({
    name: 'calm',
    summary: 'ends every effect: of the market, or of the whole venue when no market is named',
    needsMarket: false,
    params: z.strictObject({}),
    play: (_params, context) => {
      const { venue, running } = context;
      if (running === null) venue.outages.calm();
      for (const one of running === null ? venue.markets.listed : [running]) one.market.effects.calm();
      return { untilMs: null };
    },
  }),
];

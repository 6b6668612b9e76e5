import { setTimeout as delay } from 'node:timers/promises';
import { json, type Response, Router, text } from 'express';
import { z } from 'zod';
import type { VenueJournal } from '../journal/venueJournal.ts';
import { ReplayRefusal } from '../replay/parseReplay.ts';
import { playReplay } from '../scenario/playReplay.ts';
import { playScenario, scenarios } from '../scenario/playScenario.ts';
import { ScenarioRefusal } from '../scenario/scenario.ts';
import type { SimVenue } from '../venue/simVenue.ts';

const advanceSchema = z.strictObject({ advance_seconds: z.int().positive().max(2_592_000) });

/** Delay after which all followers of the clock, which poll it every 200 ms, have read a change. */
const followersMs = 500;

const refuse = (response: Response, message: string): void => {
  response.status(400).json({ error: message });
};

/**
 * Advance the clock of venue and chain. Every book ticks immediately, and again once all followers of the clock have
 * polled it. No feed is stale for a client when the call returns.
 */
async function advanceClock(venue: SimVenue, journal: VenueJournal | null, seconds: number): Promise<void> {
  const { clock, settlement } = venue.options;
  await settlement.advance(seconds);
  clock.advance(seconds * 1000);
  journal?.write({ kind: 'lead', leadMs: clock.nowMs() - Date.now() });
  venue.advanceWorlds();
  venue.tickAll();
  await Promise.all([delay(followersMs), venue.markets.listingDone(), venue.reportingDone()]);
  venue.advanceWorlds();
  venue.tickAll();
  await venue.markets.listingDone();
  venue.tickAll();
}

function clockRoutes(venue: SimVenue, journal: VenueJournal | null, router: Router): void {
  router.get('/control/clock', (_request, response) => {
    response.json({ now_ms: venue.nowMs });
  });
  // Serialised: concurrent advances would tick books between the chain's step and the venue's.
  let last: Promise<void> = Promise.resolve();
  router.post('/control/clock', async (request, response) => {
    const parsed = advanceSchema.safeParse(request.body);
    if (!parsed.success) {
      refuse(response, 'advance_seconds must be a whole number from 1 to 2592000 (30 days)');
      return;
    }
    const moved = last.then(() => advanceClock(venue, journal, parsed.data.advance_seconds));
    last = moved.catch(() => undefined);
    await moved;
    response.json({ now_ms: venue.nowMs });
  });
}

function scenarioRoutes(venue: SimVenue, journal: VenueJournal | null, router: Router): void {
  router.get('/control/scenarios', (_request, response) => {
    response.json({
      scenarios: scenarios.map(({ name, summary, needsMarket, params }) => ({
        name,
        summary,
        needs_market: needsMarket,
        params: z.toJSONSchema(params, { io: 'input' }),
      })),
    });
  });
  router.post('/control/scenarios', async (request, response) => {
    try {
      const scenario = await playScenario(venue, request.body);
      journal?.write({ kind: 'scenario', atMs: scenario.now_ms, body: request.body });
      response.json(scenario);
    } catch (error) {
      if (!(error instanceof ScenarioRefusal)) throw error;
      refuse(response, error.message);
    }
  });
}

function replayRoutes(venue: SimVenue, journal: VenueJournal | null, router: Router): void {
  router.post('/control/replays', text({ type: () => true, limit: '16mb' }), async (request, response) => {
    try {
      const { nowMs } = venue;
      const replay = { query: request.query, csv: String(request.body) };
      const markets = await playReplay(venue, replay);
      journal?.write({ kind: 'replay', atMs: nowMs, ...replay });
      response.status(201).json({ markets });
    } catch (error) {
      if (!(error instanceof ReplayRefusal)) throw error;
      refuse(response, error.message);
    }
  });
}

/** Routes that only a simulator has: clock, scenarios, replays and accounts. */
export function controlRoutes(venue: SimVenue, journal: VenueJournal | null): Router {
  const router = Router();
  replayRoutes(venue, journal, router);
  router.use('/control', json({ limit: '64kb' }));
  clockRoutes(venue, journal, router);
  scenarioRoutes(venue, journal, router);
  router.get('/control/accounts', (_request, response) => {
    const { accounts } = venue.options.accounts;
    const of = (role: 'maker' | 'taker'): string[] =>
      accounts.filter((account) => account.role === role).map(({ address }) => address);
    response.json({
      makers: of('maker'),
      takers: of('taker'),
      oracle: venue.options.oracle,
      operator: venue.options.operator,
      fee_recipient: venue.options.feeRecipient,
      exchange: venue.options.domain.exchange,
    });
  });
  router.get('/control/markets', (_request, response) => {
    response.json({
      markets: venue.markets.listed.map(({ market }) => ({
        slug: market.slug,
        stage: market.stage,
        proposed: market.proposed,
        resolution: market.resolution,
        accepting_orders: market.isAcceptingOrders,
        tick_size_pips: Number(market.tickPricePips),
        mid_pips: market.midPips() === null ? null : Number(market.midPips()),
      })),
      open_settlements: venue.queue.openCount,
    });
  });
  return router;
}

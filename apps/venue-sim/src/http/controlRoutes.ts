import { setTimeout as delay } from 'node:timers/promises';
import { json, type Request, type Response, Router, text } from 'express';
import { z } from 'zod';
import { parseReplay, ReplayRefusal } from '../replay/parseReplay.ts';
import { type ReplaySettings, replayDraft } from '../replay/replayDraft.ts';
import { playScenario, scenarios } from '../scenario/playScenario.ts';
import { ScenarioRefusal } from '../scenario/scenario.ts';
import type { SimVenue } from '../simVenue.ts';

const advanceSchema = z.strictObject({ advance_seconds: z.int().positive().max(2_592_000) });

/** Followers of the clock poll it every 200 ms: after this long all of them have seen it move. */
const followersMs = 500;

const replayQuerySchema = z.strictObject({
  market: z.string().optional(),
  lambda_usd_per_cent: z.coerce.number().positive().max(1e6).default(200),
  category: z.enum(['crypto', 'sport']).optional(),
  asset: z.enum(['BTC', 'ETH', 'SOL', 'XRP']).default('BTC'),
  league: z
    .string()
    .regex(/^[a-z0-9]{1,12}$/)
    .default('mlb'),
  outcome: z.enum(['yes', 'no', 'void']).optional(),
  title: z.string().max(200).optional(),
  fee_rate: z
    .string()
    .regex(/^0(\.\d{1,6})?$/)
    .optional(),
});

const refuse = (response: Response, message: string): void => {
  response.status(400).json({ error: message });
};

/**
 * Moves the clock of venue and chain. Every book ticks at once and again when all followers of the clock have had the
 * time to notice, so that no feed looks old to anybody when the call returns.
 */
async function advanceClock(venue: SimVenue, seconds: number): Promise<void> {
  const { clock, settlement } = venue.options;
  await settlement.advance(seconds);
  clock.advance(seconds * 1000);
  venue.advanceWorlds();
  venue.tickAll();
  await Promise.all([delay(followersMs), venue.listingDone(), venue.reportingDone()]);
  venue.advanceWorlds();
  venue.tickAll();
  await venue.listingDone();
  venue.tickAll();
}

function clockRoutes(venue: SimVenue, router: Router): void {
  router.get('/control/clock', (_request, response) => {
    response.json({ now_ms: venue.nowMs });
  });
  // One move after the other: two at once would tick books between the chain's move and the venue's.
  let last: Promise<void> = Promise.resolve();
  router.post('/control/clock', async (request, response) => {
    const parsed = advanceSchema.safeParse(request.body);
    if (!parsed.success) {
      refuse(response, 'advance_seconds must be a whole number from 1 to 2592000 (30 days)');
      return;
    }
    const moved = last.then(() => advanceClock(venue, parsed.data.advance_seconds));
    last = moved.catch(() => undefined);
    await moved;
    response.json({ now_ms: venue.nowMs });
  });
}

function scenarioRoutes(venue: SimVenue, router: Router): void {
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
      response.json(await playScenario(venue, request.body));
    } catch (error) {
      if (!(error instanceof ScenarioRefusal)) throw error;
      refuse(response, error.message);
    }
  });
}

async function listReplays(venue: SimVenue, request: Request, replayCount: number): Promise<unknown[]> {
  const query = replayQuerySchema.safeParse(request.query);
  if (!query.success) {
    const [issue] = query.error.issues;
    throw new ReplayRefusal(`query ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  const { market, category, outcome, title, fee_rate: feeRate } = query.data;
  const settings: ReplaySettings = {
    usdPerCent: query.data.lambda_usd_per_cent,
    category: category ?? null,
    asset: query.data.asset,
    league: query.data.league,
    outcome: outcome ?? null,
    title: title ?? null,
    feeRatePpm: feeRate === undefined ? null : BigInt(Math.round(Number(feeRate) * 1e6)),
  };
  const { nowMs } = venue;
  const listed = parseReplay(String(request.body), market ?? null).map((series) => {
    const id = series.marketId.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const draft = replayDraft({ series, settings, nowMs, name: `${id}-${replayCount}` });
    return { series, running: venue.list(draft) };
  });
  await venue.listingDone();
  return listed.map(({ series, running }) => {
    venue.tick(running, true);
    const { definition } = running.market;
    return {
      market_id: series.marketId,
      slug: definition.slug,
      condition_id: definition.conditionId,
      token_ids: definition.tokenIds.map(String),
      rows: series.quotes.length,
      starts_at_ms: nowMs,
      last_row_at_ms: nowMs + (series.quotes.at(-1)?.afterMs ?? 0),
      ends_at_ms: definition.endDateMs,
    };
  });
}

function replayRoutes(venue: SimVenue, router: Router): void {
  let replayCount = 0;
  router.post('/control/replays', text({ type: () => true, limit: '16mb' }), async (request, response) => {
    try {
      replayCount += 1;
      response.status(201).json({ markets: await listReplays(venue, request, replayCount) });
    } catch (error) {
      if (!(error instanceof ReplayRefusal)) throw error;
      refuse(response, error.message);
    }
  });
}

/** Everything only a simulator has: its clock, scenarios, replays and accounts. */
export function controlRoutes(venue: SimVenue): Router {
  const router = Router();
  replayRoutes(venue, router);
  router.use('/control', json({ limit: '64kb' }));
  clockRoutes(venue, router);
  scenarioRoutes(venue, router);
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
      markets: venue.listed.map(({ market }) => ({
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

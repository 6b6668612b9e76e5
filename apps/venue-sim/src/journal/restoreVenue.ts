import type { TradeRecord } from '../orders/records.ts';
import { playReplay } from '../scenario/playReplay.ts';
import { playScenario } from '../scenario/playScenario.ts';
import { ScenarioRefusal } from '../scenario/scenario.ts';
import type { HeldClock } from '../venue/simClock.ts';
import type { SimVenue } from '../venue/simVenue.ts';
import type { VenueHistory } from './venueJournal.ts';

/** What is armed for the next match and has no end by time: a restart disarms it. */
const armedScenarios: ReadonlySet<string> = new Set(['ghost_fill', 'partial_match']);

/**
 * Brings a venue whose clock is held at the opening of the one before it to the present: the worlds pass through the
 * same instants and everything put into them is put into them again; then the orders and trades of outsiders return,
 * and what was being settled is settled.
 */
export async function restoreVenue(venue: SimVenue, history: VenueHistory, clock: HeldClock): Promise<void> {
  venue.begin();
  for (const input of history.inputs) {
    clock.hold(input.atMs);
    venue.advanceWorlds();
    if (input.kind === 'listing') continue;
    await venue.markets.listingDone();
    if (input.kind === 'replay') await playReplay(venue, input);
    else await playAgain(venue, input.body);
    await venue.reportingDone();
  }
  clock.release();
  for (const { slug, resolution, closedMs } of history.resolved.values()) {
    venue.markResolved(slug, { resolution, closedMs });
  }
  venue.advanceWorlds();
  await venue.markets.listingDone();
  venue.markets.fillHistories();
  restoreOrders(venue, history);
  await restoreTrades(venue, history);
}

async function playAgain(venue: SimVenue, body: unknown): Promise<void> {
  const { name, market } = body as { readonly name: string; readonly market: string | null };
  if (armedScenarios.has(name)) return;
  const running = market === null ? undefined : venue.markets.bySlug(market);
  // Its stage is as far as it was then.
  if (running !== undefined) venue.tick(running);
  try {
    await playScenario(venue, body);
  } catch (error) {
    // The market may have come further than it had then, by a report that was under way.
    if (!(error instanceof ScenarioRefusal)) throw error;
  }
}

function restoreOrders(venue: SimVenue, { orders }: VenueHistory): void {
  for (const { market: slug, ...kept } of orders) {
    const market = venue.markets.bySlug(slug)?.market;
    if (market !== undefined) venue.orders.restore({ ...kept, market });
  }
}

async function restoreTrades(venue: SimVenue, { trades, matches }: VenueHistory): Promise<void> {
  for (const { market: slug, ...kept } of trades) {
    const market = venue.markets.bySlug(slug)?.market;
    if (market === undefined) continue;
    const trade: TradeRecord = { ...kept, market };
    venue.orders.ledger.addTrade(trade);
    const match = matches.get(trade.id);
    if (match === undefined || trade.status === 'CONFIRMED' || trade.status === 'FAILED') continue;
    const settled = { ...match, market: market.definition };
    // A transaction may have been mined after the last line was written.
    const isMined = trade.status === 'MINED' || (await venue.options.settlement.isSettled(trade.takerOrderId));
    venue.queue.resume(trade, settled, isMined);
  }
}

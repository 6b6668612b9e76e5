import { z } from 'zod';
import type { TradeRecord } from '../orders/records.ts';
import { playReplay } from '../scenario/playReplay.ts';
import { playScenario } from '../scenario/playScenario.ts';
import { ScenarioRefusal } from '../scenario/scenario.ts';
import type { HeldClock } from '../venue/simClock.ts';
import type { SimVenue } from '../venue/simVenue.ts';
import type { VenueHistory } from './venueJournal.ts';

/** Scenarios armed for the next match, without an end time. A restart disarms them. */
const armedScenarios: ReadonlySet<string> = new Set(['ghost_fill', 'partial_match']);

/**
 * Restore a venue whose clock starts at the opening of the previous run. The worlds are replayed through the same
 * instants with the same inputs. Then the orders and trades of outside accounts are restored, and pending settlements
 * resume.
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

/** Part of a played scenario that restoring it needs; the scenario reads the rest. */
const playedSchema = z.looseObject({ name: z.string(), market: z.string().nullable() });

async function playAgain(venue: SimVenue, body: unknown): Promise<void> {
  const { name, market } = playedSchema.parse(body);
  if (armedScenarios.has(name)) return;
  const running = market === null ? undefined : venue.markets.bySlug(market);
  // The stage is restored as recorded.
  if (running !== undefined) venue.tick(running);
  try {
    await playScenario(venue, body);
  } catch (error) {
    // A pending report may have advanced the market beyond the recorded stage.
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
    const settlement = { ...match, market: market.definition };
    // A transaction may have been mined after the last line was written.
    const isMined = trade.status === 'MINED' || (await venue.options.settlement.isSettled(trade.takerOrderId));
    venue.queue.resume(trade, settlement, isMined);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { FriendlyError } from '@core/runtime';
import type { MarketWire } from '@core/wire';
import { ApiRefusal } from '../clients/apiClient.ts';
import { codePlaces } from '../codePlaces.ts';
import type { StepPrinter } from '../stepPrinter.ts';
import { bestCandidate, type Candidate, type CandidateCriteria } from '../steps/candidates.ts';
import type { DemoPosition } from '../steps/driver.ts';
import { openPosition } from '../steps/openPosition.ts';
import { PositionCancelled } from '../steps/waitForStatus.ts';
import type { Stage } from './stage.ts';

const shownMarkets = 8;
const notionalUsdPips = '1500000';

/** A stack that has just started registers its outcomes for some seconds; until then few markets take positions. */
const candidatePatienceMs = 90_000;
const candidatePollMs = 2_000;

/**
 * Lists the markets and chooses a side of one that no scenario has used yet.
 * @throws FriendlyError when none takes positions for a minute and a half.
 */
export async function chooseCandidate(
  { driver: { api, printer }, usedTickers }: Stage,
  criteria: CandidateCriteria,
): Promise<Candidate> {
  printer.step('Markets that take new positions', codePlaces.listMarkets);
  const query = { category: 'crypto', accepting_new_positions: 'true', expand: 'prices', limit: '100' };
  const startMs = Date.now();
  for (;;) {
    const markets = await api.markets(query);
    const candidate = bestCandidate(markets, criteria, usedTickers);
    if (candidate !== null) {
      if (usedTickers.size === 0) printMarkets(printer, markets);
      printer.line(`chosen: ${candidate.side} of ${candidate.market.ticker}`);
      return candidate;
    }
    if (Date.now() - startMs > candidatePatienceMs) {
      throw new FriendlyError('No crypto market takes positions now: wait a minute and run the demo again.');
    }
    await delay(candidatePollMs);
  }
}

function printMarkets(printer: StepPrinter, markets: readonly MarketWire[]): void {
  for (const { ticker, leverage, latest_enter_at: until } of markets.slice(0, shownMarkets)) {
    const [yes, no] = [leverage.max_yes_bps / 10_000, leverage.max_no_bps / 10_000];
    printer.line(`${ticker.padEnd(44)} yes ${yes}x  no ${no}x  until ${until}`);
  }
  if (markets.length > shownMarkets) printer.line(`… and ${markets.length - shownMarkets} more`);
}

const maximumOpenings = 4;

/**
 * Opens a position on the candidate that is found. Prices move while a user decides: a quote may be refused, and a
 * position given back unfilled, both without a loss; then the next candidate is tried, as a partner's program would.
 */
export async function openInMarket(
  { driver, wallet, usedTickers }: Stage,
  name: string,
  find: () => Promise<Candidate>,
): Promise<{ readonly candidate: Candidate; readonly opened: DemoPosition }> {
  for (let opening = 1; ; opening++) {
    const candidate = await find();
    const { side, leverageBps } = candidate;
    const marketTicker = candidate.market.ticker;
    usedTickers.add(marketTicker);
    try {
      const plan = { marketTicker, side, leverageBps, notionalUsdPips };
      return { candidate, opened: await openPosition(driver, wallet(name), plan) };
    } catch (error) {
      const isOfMarket = error instanceof PositionCancelled || (error instanceof ApiRefusal && error.status === 400);
      if (!isOfMarket || opening === maximumOpenings) throw error;
      driver.printer.line(`not opened: ${error.message}`);
    }
  }
}

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

/** A new stack registers outcomes for some seconds; until then few markets accept positions. */
const candidatePatienceMs = 90_000;
const candidatePollMs = 2_000;

/**
 * Choose a side of a market that no scenario uses yet.
 *
 * @throws FriendlyError when no market accepts positions for 90 s.
 */
export async function chooseCandidate(
  { driver: { api, printer }, usedTickers }: Stage,
  criteria: CandidateCriteria,
): Promise<Candidate> {
  printer.step('Markets that accept new positions', codePlaces.listMarkets);
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
      throw new FriendlyError('No crypto market accepts positions now: wait a minute and run the demo again.');
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
 * Open a position on the candidate found. Prices move meanwhile: after a refused quote or a refunded position, both
 * without a loss, the next candidate is tried, as the program of a partner would.
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

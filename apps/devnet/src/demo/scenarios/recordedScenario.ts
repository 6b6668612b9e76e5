import { setTimeout as delay } from 'node:timers/promises';
import { FriendlyError } from '@core/runtime';
import type { MarketWire, PositionWire } from '@core/wire';
import { codePlaces } from '../codePlaces.ts';
import { type Candidate, candidatesOf } from '../steps/candidates.ts';
import { askToClose } from '../steps/closePosition.ts';
import type { DemoPosition, Driver } from '../steps/driver.ts';
import { printResult } from '../steps/printPosition.ts';
import { endedStatuses, statusWithin, waitForStatus } from '../steps/waitForStatus.ts';
import { openInMarket } from './openInMarket.ts';
import type { ScenarioResult, Stage } from './stage.ts';

/** Playback advances by one recorded row. */
const rowSeconds = 60;
const maximumRows = { untilOpened: 40, untilClose: 10, untilEnded: 90 } as const;
/** Health at which the user of the recorded market closes at a loss. */
const minimumHealthBps = 6_000;
/** Time for the books to follow a row before a side is chosen. */
const settleDelayMs = 3_000;
/** Wait for a close before another recorded minute is played. */
const closePatienceMs = 3_000;

/** Play a recorded market from its first row: open when possible, close after ten minutes or at poor health. */
export async function recordedScenario(
  stage: Stage,
  recorded: { readonly csv: string; readonly marketId: string },
): Promise<ScenarioResult> {
  const { driver, venue } = stage;
  const { printer, api } = driver;
  printer.scenario(`Sixth position: recorded market ${recorded.marketId}`);
  printer.step('List the recorded quotes as a market', codePlaces.replay);
  const [listed] = await venue.replay(recorded.csv, { market: recorded.marketId });
  if (listed === undefined) throw new FriendlyError(`The recording has no market ${recorded.marketId}.`);
  printer.figures({ market: listed.slug, rows: listed.rows });
  const { opened } = await openInMarket(stage, 'dave', () => whenOpen(stage, listed.slug));
  printer.step('Play up to ten recorded minutes', codePlaces.venueClock);
  for (let row = 0; row < maximumRows.untilClose; row++) {
    await venue.advance(rowSeconds);
    const now = await api.positionOfKey(opened.token, opened.key);
    if (now === null || !('current' in now)) break;
    printer.line(`mark ${now.current.mark_price_usd}   health ${now.risk.health_bps / 100} %   ${now.status}`);
    if (now.risk.health_bps < minimumHealthBps) break;
  }
  await askToClose(driver, opened);
  const ended = await endOfRecorded(stage, opened);
  printResult(printer, ended);
  return { name: 'recorded', wallet: opened.wallet, position: ended };
}

/**
 * Follow the close to its end. A close may wait, because no request sells below the debt; playback continues until it
 * is sold, or until the market ends and settles it.
 */
async function endOfRecorded({ driver, venue }: Stage, opened: DemoPosition): Promise<PositionWire> {
  for (let row = 0; row < maximumRows.untilEnded; row++) {
    const ended = await statusWithin(driver, opened, { statuses: endedStatuses, withinMs: closePatienceMs });
    if (ended !== null) return ended;
    await venue.advance(rowSeconds);
  }
  return waitForStatus(driver, opened, endedStatuses);
}

/** Play the record until a side accepts positions. */
async function whenOpen({ driver, venue }: Stage, ticker: string): Promise<Candidate> {
  for (let row = 0; row < maximumRows.untilOpened; row++) {
    await delay(settleDelayMs);
    const market = await findMarket(driver, ticker);
    const best = market === null ? undefined : candidatesOf(market)[0];
    if (best !== undefined) return best;
    driver.printer.line(`no side accepts positions yet: ${market?.rejection_reason_code ?? 'not listed'}`);
    await venue.advance(rowSeconds);
  }
  throw new FriendlyError(`No side of ${ticker} accepted positions: choose another recorded market.`);
}

async function findMarket({ api }: Driver, ticker: string): Promise<MarketWire | null> {
  const markets = await api.markets({ query: ticker, expand: 'prices' });
  return markets.find((market) => market.ticker === ticker) ?? null;
}

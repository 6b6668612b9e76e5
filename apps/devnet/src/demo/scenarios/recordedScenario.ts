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

/** One recorded row passes at a time. */
const rowSeconds = 60;
const maximumRows = { untilOpened: 40, untilClose: 10, untilEnded: 90 } as const;
/** Health under which the user of the recorded market closes at a loss. */
const minimumHealthBps = 6_000;
/** Time for the books to follow a row before a side is looked for. */
const settleDelayMs = 3_000;
/** How long a close is given before another recorded minute passes. */
const closePatienceMs = 3_000;

/**
 * A recorded market, played back from its first row: opened when it can be, and closed ten minutes later, or as soon as
 * its health is poor.
 */
export async function recordedScenario(
  stage: Stage,
  recorded: { readonly csv: string; readonly marketId: string },
): Promise<ScenarioResult> {
  const { driver, venue } = stage;
  const { printer, api } = driver;
  printer.scenario(`Sixth position: recorded market ${recorded.marketId}`);
  printer.step('The recorded quotes are listed as a market', codePlaces.replay);
  const [listed] = await venue.replay(recorded.csv, { market: recorded.marketId });
  if (listed === undefined) throw new FriendlyError(`The recording holds no market ${recorded.marketId}.`);
  printer.figures({ market: listed.slug, rows: listed.rows });
  const { opened } = await openInMarket(stage, 'dave', () => whenOpen(stage, listed.slug));
  printer.step('Up to ten recorded minutes pass', codePlaces.venueClock);
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
 * A close may have to wait, because no request sells a position below its debt. The record goes on until it is sold, or
 * until the market ends and settles it.
 */
async function endOfRecorded({ driver, venue }: Stage, opened: DemoPosition): Promise<PositionWire> {
  for (let row = 0; row < maximumRows.untilEnded; row++) {
    const ended = await statusWithin(driver, opened, { statuses: endedStatuses, withinMs: closePatienceMs });
    if (ended !== null) return ended;
    await venue.advance(rowSeconds);
  }
  return waitForStatus(driver, opened, endedStatuses);
}

/** Plays the record until a side takes positions. */
async function whenOpen({ driver, venue }: Stage, ticker: string): Promise<Candidate> {
  for (let row = 0; row < maximumRows.untilOpened; row++) {
    await delay(settleDelayMs);
    const market = await findMarket(driver, ticker);
    const best = market === null ? undefined : candidatesOf(market)[0];
    if (best !== undefined) return best;
    driver.printer.line(`no side takes positions yet: ${market?.rejection_reason_code ?? 'not listed'}`);
    await venue.advance(rowSeconds);
  }
  throw new FriendlyError(`No side of ${ticker} took positions: choose another recorded market.`);
}

async function findMarket({ api }: Driver, ticker: string): Promise<MarketWire | null> {
  const found = await api.markets({ query: ticker, expand: 'prices' });
  return found.find((market) => market.ticker === ticker) ?? null;
}

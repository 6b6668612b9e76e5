import { setTimeout as delay } from 'node:timers/promises';
import { add, formatUsd, pricePips } from '@core/pricing';
import { codePlaces } from '../codePlaces.ts';
import type { Candidate } from '../steps/candidates.ts';
import { askToClose } from '../steps/closePosition.ts';
import { printResult } from '../steps/printPosition.ts';
import { printUnwinds, untilUnwound } from '../steps/unwinds.ts';
import { endedStatuses, waitForStatus } from '../steps/waitForStatus.ts';
import { chooseCandidate, openInMarket } from './openInMarket.ts';
import type { ScenarioResult, Stage } from './stage.ts';

/** Dear enough that fee and spread take little of a sale. */
const dearPips = 7_000;
/** How far above the liquidation price the market stops: debts are repaid long before they are liquidated. */
const abovePips = pricePips(250n);
const fall = { hold_seconds: 30, fade_seconds: 5 } as const;
const watchedDelayMs = 4_000;

/** Opened, the price falls, the keeper repays the debt with a sale, the price recovers, the user closes the rest. */
export async function unwoundScenario(stage: Stage): Promise<ScenarioResult> {
  const { driver, venue } = stage;
  const { printer, api } = driver;
  printer.scenario('Fifth position: unwound, and held through the recovery');
  // With an hour or two to go a fall breaks the cover of a debt well above its liquidation price.
  const isHourly = ({ market }: Candidate) => (market.event.series_ticker ?? '').includes('hourly');
  const hourly = { nearPips: dearPips, isWanted: isHourly };
  const { candidate, opened } = await openInMarket(stage, 'bob', () => chooseCandidate(stage, hourly));
  const held = await api.positionOfKey(opened.token, opened.key);
  if (held === null || !('current' in held)) throw new Error('the position is not open');
  // The keeper has to have seen the debt covered before it can say what broke the cover.
  await delay(watchedDelayMs);
  const target = add(pricePips(BigInt(held.risk.current_liquidation_price_usd_pips)), abovePips);
  printer.step(`The price falls to ${formatUsd(target)} USD, above that of a liquidation`, codePlaces.unwindDecision);
  await venue.play('crash', candidate.market.ticker, { side: candidate.side, to: formatUsd(target), ...fall });
  printUnwinds(driver, await untilUnwound(driver, opened));
  printer.step('The price recovers: what is left is the user’s, and owes nothing', codePlaces.priceScenarios);
  await delay((fall.hold_seconds + fall.fade_seconds) * 1_000);
  await askToClose(driver, opened);
  const closed = await waitForStatus(driver, opened, endedStatuses);
  printResult(printer, closed);
  return { name: 'unwound', wallet: opened.wallet, position: closed };
}

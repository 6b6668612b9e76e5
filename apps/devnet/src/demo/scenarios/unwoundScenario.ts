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

/** High enough that fee and spread take little of a sale. */
const dearPips = 7_000;
/** Distance above the liquidation price at which the fall stops: debts are repaid long before liquidation. */
const abovePips = pricePips(250n);
const watchedDelayMs = 4_000;
/** Time for the books to follow the recovery. */
const settleDelayMs = 2_000;

/** Play a position through a fall: the keeper repays the debt with a sale, the price recovers, the user closes. */
export async function unwoundScenario(stage: Stage): Promise<ScenarioResult> {
  const { driver, venue } = stage;
  const { printer, api } = driver;
  printer.scenario('Fifth position: unwound, then closed after the recovery');
  // With an hour or two left, a fall breaks the cover of a debt well above its liquidation price.
  const isHourly = ({ market }: Candidate) => (market.event.series_ticker ?? '').includes('hourly');
  const hourly = { nearPips: dearPips, isWanted: isHourly };
  const { candidate, opened } = await openInMarket(stage, 'bob', () => chooseCandidate(stage, hourly));
  const position = await api.positionOfKey(opened.token, opened.key);
  if (position === null || !('current' in position)) throw new Error('the position is not open');
  // The keeper names the input that broke the cover only after it observed a covered debt.
  await delay(watchedDelayMs);
  const { side } = candidate;
  const { ticker } = candidate.market;
  const markUsd = position.current.mark_price_usd;
  const target = add(pricePips(BigInt(position.risk.current_liquidation_price_usd_pips)), abovePips);
  printer.step(`The price falls to ${formatUsd(target)} USD, above the liquidation price`, codePlaces.unwindDecision);
  await venue.play('crash', ticker, { side, to: formatUsd(target) });
  printUnwinds(driver, await untilUnwound(driver, opened));
  printer.step('The price recovers; the remaining tokens carry no debt', codePlaces.priceScenarios);
  await venue.play('pump', ticker, { side, to: markUsd });
  await delay(settleDelayMs);
  await askToClose(driver, opened);
  const result = await waitForStatus(driver, opened, endedStatuses);
  printResult(printer, result);
  return { name: 'unwound', wallet: opened.wallet, position: result };
}

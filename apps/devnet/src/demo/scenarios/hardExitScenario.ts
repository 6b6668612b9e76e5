import { codePlaces } from '../codePlaces.ts';
import type { Candidate } from '../steps/candidates.ts';
import { askToClose } from '../steps/closePosition.ts';
import { printResult } from '../steps/printPosition.ts';
import { printUnwinds, untilUnwound } from '../steps/unwinds.ts';
import { endedStatuses, waitForStatus } from '../steps/waitForStatus.ts';
import { chooseCandidate, openInMarket } from './openInMarket.ts';
import type { ScenarioResult, Stage } from './stage.ts';

const evenPips = 5_000;
/** Just past the hard exit of crypto markets, five minutes before the end. */
const leftSeconds = 290;

/** Play a position that is repaid by time alone: a covered debt is sold before the jump at the end. */
export async function hardExitScenario(stage: Stage): Promise<ScenarioResult> {
  const { driver, venue } = stage;
  const { printer } = driver;
  printer.scenario('Last position: debt repaid before the end');
  const isHourly = ({ market }: Candidate) => (market.event.series_ticker ?? '').includes('hourly');
  const hourly = { nearPips: evenPips, isWanted: isHourly };
  const { candidate, opened } = await openInMarket(stage, 'carol', () => chooseCandidate(stage, hourly));
  const { ticker } = candidate.market;
  await venue.play('pin', ticker, { seconds: 86_400 });
  const closeTime = (await driver.api.market(ticker)).close_time;
  const aheadSeconds = Math.floor((Date.parse(closeTime ?? '') - (await venue.nowMs())) / 1_000) - leftSeconds;
  printer.step(`The price stays and the clock moves to ${leftSeconds} s before the end`, codePlaces.hardExit);
  if (aheadSeconds > 0) await venue.advance(aheadSeconds);
  // Tokens expire after an hour on the same clock.
  const demoPosition = { ...opened, token: await driver.api.token(opened.wallet.address) };
  printUnwinds(driver, await untilUnwound(driver, demoPosition));
  await askToClose(driver, demoPosition);
  const position = await waitForStatus(driver, demoPosition, endedStatuses);
  printResult(printer, position);
  return { name: 'hard exit', wallet: opened.wallet, position };
}

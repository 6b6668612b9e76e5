import { setTimeout as delay } from 'node:timers/promises';
import { formatUsd, pricePips, subtract } from '@core/pricing';
import { codePlaces } from '../codePlaces.ts';
import type { Candidate } from '../steps/candidates.ts';
import { askToClose } from '../steps/closePosition.ts';
import { printResult } from '../steps/printPosition.ts';
import { endedStatuses, waitForStatus } from '../steps/waitForStatus.ts';
import { chooseCandidate, openInMarket } from './openInMarket.ts';
import type { ScenarioResult, Stage } from './stage.ts';

const evenPips = 5_000;
/** High enough that fee and spread take little of a sale, and below the upper bound of entry prices. */
const dearPips = 7_000;

/** Time after a move until every average has followed. */
const settleDelayMs = 3_000;

/** Play a position that its user closes after the price has moved. */
export async function closedScenario(stage: Stage): Promise<ScenarioResult> {
  const { driver, venue } = stage;
  const { printer, api } = driver;
  printer.scenario('First position: opened and closed');
  const isDaily = ({ market }: Candidate) => (market.event.series_ticker ?? '').includes('daily');
  const daily = { nearPips: evenPips, isWanted: isDaily };
  const { candidate, opened } = await openInMarket(stage, 'alice', () => chooseCandidate(stage, daily));
  printer.step('The price moves in favour of the position', codePlaces.priceScenarios);
  await venue.play('pump', candidate.market.ticker, { side: candidate.side, by: '0.08' });
  await delay(settleDelayMs);
  const moved = await api.positionOfKey(opened.token, opened.key);
  if (moved !== null && 'current' in moved) {
    const { current, risk } = moved;
    printer.figures({
      mark: `${current.mark_price_usd} USD`,
      'net result now': `${current.net_unrealized_pnl_usd} USD`,
      health: `${risk.health_bps / 100} %`,
    });
  }
  await askToClose(driver, opened);
  const position = await waitForStatus(driver, opened, endedStatuses);
  printResult(printer, position);
  return { name: 'closed', wallet: opened.wallet, position };
}

/** Play a position that the payout of its market settles. */
export async function settledScenario(
  stage: Stage,
  { name, outcome }: { readonly name: 'bob' | 'carol'; readonly outcome: 'yes' | 'void' },
): Promise<ScenarioResult> {
  const { driver, venue } = stage;
  const { printer } = driver;
  printer.scenario(
    outcome === 'yes' ? 'Second position: settled YES' : 'Third position: voided, half a dollar per token',
  );
  // A market resolved YES is won by YES; a void one pays both sides alike.
  const isWanted = ({ side }: Candidate) => outcome === 'void' || side === outcome;
  const even = { nearPips: evenPips, isWanted };
  const { candidate, opened } = await openInMarket(stage, name, () => chooseCandidate(stage, even));
  const { ticker } = candidate.market;
  printer.step(`The market resolves: ${outcome}`, codePlaces.resolution);
  if (outcome === 'void') await venue.play('void', ticker, {});
  else await venue.play('resolve', ticker, { outcome });
  const position = await waitForStatus(driver, opened, ['settled']);
  printResult(printer, position);
  return { name: outcome === 'void' ? 'voided' : 'settled YES', wallet: opened.wallet, position };
}

/** Distance of the fall below the liquidation price: more than the half cent by which a mid may exceed it. */
const fallPips = pricePips(60n);

/** Play a position that the keeper liquidates before its debt is uncovered. */
export async function liquidatedScenario(stage: Stage): Promise<ScenarioResult> {
  const { driver, venue } = stage;
  const { printer, api } = driver;
  printer.scenario('Fourth position: liquidated');
  const dear = { nearPips: dearPips };
  const { candidate, opened } = await openInMarket(stage, 'erin', () => chooseCandidate(stage, dear));
  const position = await api.positionOfKey(opened.token, opened.key);
  if (position === null || !('current' in position)) throw new Error('the position is not open');
  const { risk } = position;
  printer.step(`The price falls below ${risk.current_liquidation_price_usd} USD`, codePlaces.liquidationWatch);
  const target = subtract(pricePips(BigInt(risk.current_liquidation_price_usd_pips)), fallPips);
  // The price of a market that ends soon would move on from the target.
  await venue.play('pin', candidate.market.ticker, {});
  await venue.play('crash', candidate.market.ticker, { side: candidate.side, to: formatUsd(target) });
  const liquidated = await waitForStatus(driver, opened, ['liquidated']);
  printResult(printer, liquidated);
  return { name: 'liquidated', wallet: opened.wallet, position: liquidated };
}

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
/** Dear enough that fee and spread take little of a sale, and not so dear that the range of entry is near. */
const dearPips = 7_000;

/** Time the books need after a move until every average has followed. */
const settleDelayMs = 3_000;

/** Opened, the price moves, closed by the user. */
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
  const closed = await waitForStatus(driver, opened, endedStatuses);
  printResult(printer, closed);
  return { name: 'closed', wallet: opened.wallet, position: closed };
}

/** Opened, the market resolves, settled by the payout. */
export async function settledScenario(
  stage: Stage,
  { name, outcome }: { readonly name: 'bob' | 'carol'; readonly outcome: 'yes' | 'void' },
): Promise<ScenarioResult> {
  const { driver, venue } = stage;
  const { printer } = driver;
  printer.scenario(
    outcome === 'yes' ? 'Second position: settled YES' : 'Third position: voided, half a dollar per token',
  );
  // A market that resolves YES is won by the YES side; one that is voided pays both alike.
  const isWanted = ({ side }: Candidate) => outcome === 'void' || side === outcome;
  const even = { nearPips: evenPips, isWanted };
  const { candidate, opened } = await openInMarket(stage, name, () => chooseCandidate(stage, even));
  const { ticker } = candidate.market;
  printer.step(`The market resolves: ${outcome}`, codePlaces.resolution);
  if (outcome === 'void') await venue.play('void', ticker, {});
  else await venue.play('resolve', ticker, { outcome });
  const settled = await waitForStatus(driver, opened, ['settled']);
  printResult(printer, settled);
  return { name: outcome === 'void' ? 'voided' : 'settled YES', wallet: opened.wallet, position: settled };
}

/** How far under the liquidation price the market falls: more than the half cent by which a mid may lie above it. */
const fallPips = pricePips(60n);

/** Opened, the market falls under the liquidation price, and the keeper sells before the debt is uncovered. */
export async function liquidatedScenario(stage: Stage): Promise<ScenarioResult> {
  const { driver, venue } = stage;
  const { printer, api } = driver;
  printer.scenario('Fourth position: liquidated');
  const dear = { nearPips: dearPips };
  const { candidate, opened } = await openInMarket(stage, 'erin', () => chooseCandidate(stage, dear));
  const held = await api.positionOfKey(opened.token, opened.key);
  if (held === null || !('current' in held)) throw new Error('the position is not open');
  const { risk } = held;
  printer.step(`The price falls under ${risk.current_liquidation_price_usd} USD`, codePlaces.liquidationWatch);
  const target = subtract(pricePips(BigInt(risk.current_liquidation_price_usd_pips)), fallPips);
  await venue.play('crash', candidate.market.ticker, { side: candidate.side, to: formatUsd(target) });
  const liquidated = await waitForStatus(driver, opened, ['liquidated']);
  printResult(printer, liquidated);
  return { name: 'liquidated', wallet: opened.wallet, position: liquidated };
}

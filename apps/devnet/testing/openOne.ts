import { expect } from 'vitest';
import { ApiClient, ApiRefusal } from '../src/demo/clients/apiClient.ts';
import { Wallet } from '../src/demo/clients/wallet.ts';
import { StepPrinter } from '../src/demo/stepPrinter.ts';
import { bestCandidate, type Candidate } from '../src/demo/steps/candidates.ts';
import type { DemoPosition, Driver } from '../src/demo/steps/driver.ts';
import { type OpeningPlan, openPosition } from '../src/demo/steps/openPosition.ts';
import { PositionCancelled } from '../src/demo/steps/waitForStatus.ts';
import type { StackFile } from '../src/stack/state/stackFile.ts';
import { startTimeoutMs } from './runningStack.ts';

const printer = new StepPrinter(() => undefined);

/** Return what the demo drives a stack with, without its printed lines. */
export async function driverOf(stack: StackFile): Promise<Driver> {
  const api = new ApiClient(stack, printer);
  return { api, printer, contractInfo: await api.contractInfo() };
}

/** A position of a test, and the order that opened it. */
export interface OpenedPosition {
  readonly opened: DemoPosition;
  readonly plan: OpeningPlan;
}

/**
 * Open a position at twice its collateral, in a market that lasts for hours.
 *
 * @param usedTickers Markets of earlier positions, which are passed over; the chosen one is added.
 */
export async function openOne(stack: StackFile, user: string, usedTickers: Set<string>): Promise<OpenedPosition> {
  const driver = await driverOf(stack);
  const query = { category: 'crypto', accepting_new_positions: 'true', expand: 'prices', limit: '100' };
  const criteria = {
    nearPips: 5_000,
    isWanted: ({ market, leverageBps }: Candidate) =>
      leverageBps >= 20_000 && (market.event.series_ticker?.includes('daily') ?? false),
  };
  const candidates: Candidate[] = [];
  const find = async () => {
    const candidate = bestCandidate(await driver.api.markets(query), criteria, usedTickers);
    if (candidate !== null) candidates.push(candidate);
    return candidates.length;
  };
  // A new stack registers its outcomes for some seconds.
  await expect.poll(find, { timeout: startTimeoutMs, interval: 1_000 }).toBeGreaterThan(0);
  const [candidate] = candidates;
  if (candidate === undefined) throw new Error('no market');
  const { market, side } = candidate;
  usedTickers.add(market.ticker);
  const plan = { marketTicker: market.ticker, side, leverageBps: 20_000, notionalUsdPips: '1500000' } as const;
  try {
    return { opened: await openPosition(driver, new Wallet(stack, user, printer), plan), plan };
  } catch (error) {
    // A book ages between draft and promotion, or a price leaves the quote's range: another quote is requested.
    const isOfMarket = error instanceof PositionCancelled || (error instanceof ApiRefusal && error.status === 400);
    if (!isOfMarket) throw error;
    return openOne(stack, user, usedTickers);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { MarketWire, PositionWire } from '@core/wire';
import { FriendlyError } from '../stack/friendlyError.ts';
import type { Story } from './story.ts';
import { type DemoPosition, type Desk, openPosition, waitForStatus } from './trade.ts';
import type { VenueControl } from './venueControl.ts';
import type { Wallet } from './wallet.ts';

/** A position that has ended, under the name of its chapter. */
export interface Finished {
  readonly name: string;
  readonly wallet: Wallet;
  readonly position: PositionWire;
}

export interface Stage {
  readonly desk: Desk;
  readonly venue: VenueControl;
  readonly wallet: (name: string) => Wallet;
}

const highestLeverageBps = 30_000;
const notionalUsdPips = '1500000';
/** Time the books need after a move until every average has followed. */
const settleDelayMs = 3_000;

/** The side that takes positions with the most leverage, or null. */
export function bestSideOf(market: MarketWire): { readonly side: 'yes' | 'no'; readonly leverageBps: number } | null {
  const { yes, no } = market.sided_eligibility;
  const offers = [
    { side: 'yes', isOpen: yes.accepting_new_positions, maxBps: market.leverage.max_yes_bps },
    { side: 'no', isOpen: no.accepting_new_positions, maxBps: market.leverage.max_no_bps },
  ] as const;
  const open = offers.filter(({ isOpen }) => isOpen).toSorted((a, b) => b.maxBps - a.maxBps);
  const best = open[0];
  return best === undefined ? null : { side: best.side, leverageBps: Math.min(best.maxBps, highestLeverageBps) };
}

/** Markets the story may use, daily ones first, most leverage first. */
export async function listMarkets({ desk }: Stage): Promise<readonly MarketWire[]> {
  const { story, api } = desk;
  story.step('Markets that take new positions', 'apps/api/src/handlers/listMarkets.ts');
  const markets = await api.markets({
    category: 'crypto',
    accepting_new_positions: 'true',
    expand: 'prices',
    limit: '100',
  });
  const isDaily = (market: MarketWire) => (market.event.series_ticker ?? '').includes('daily');
  const most = (market: MarketWire) => bestSideOf(market)?.leverageBps ?? 0;
  const sorted = markets.toSorted((a, b) => Number(isDaily(b)) - Number(isDaily(a)) || most(b) - most(a));
  for (const market of sorted.slice(0, 6)) {
    const { max_yes_bps: yes, max_no_bps: no } = market.leverage;
    story.line(`${market.ticker.padEnd(44)} yes ${yes / 10_000}x  no ${no / 10_000}x  until ${market.latest_enter_at}`);
  }
  return sorted;
}

async function open({ desk, wallet }: Stage, name: string, market: MarketWire): Promise<DemoPosition> {
  const best = bestSideOf(market);
  if (best === null) throw new FriendlyError(`${market.ticker} takes no positions any more: run the demo again.`);
  return openPosition(desk, wallet(name), { market, notionalUsdPips, ...best });
}

function printResult(story: Story, position: PositionWire): void {
  if (!('result' in position)) return;
  const { result, fees } = position;
  story.figures({
    'close reason': position.close_reason,
    proceeds: `${result.proceeds_usd} USD`,
    'realized result': `${result.realized_pnl_usd} USD`,
    'net of all fees': `${result.net_realized_pnl_usd} USD`,
    'all fees': `${fees.total_fees_usd} USD`,
  });
}

/** Opened, the price moves, closed by the user. */
export async function closedChapter(stage: Stage, market: MarketWire): Promise<Finished> {
  const { desk, venue } = stage;
  const { story } = desk;
  story.chapter('First position: opened and closed');
  const opened = await open(stage, 'alice', market);
  const side = bestSideOf(market)?.side ?? 'yes';
  story.step('The price moves in her favour', 'apps/venue-sim/src/scenario/bookScenarios.ts');
  await venue.play('pump', market.ticker, { side, by: '0.03' });
  await delay(settleDelayMs);
  const moved = await desk.api.positionOfKey(opened.token, opened.key);
  if (moved !== null && 'current' in moved) {
    const { current, risk } = moved;
    story.figures({
      mark: `${current.mark_price_usd} USD`,
      'net result now': `${current.net_unrealized_pnl_usd} USD`,
      health: `${risk.health_bps / 100} %`,
    });
  }
  return { name: 'closed', wallet: opened.wallet, position: await close(stage, opened) };
}

async function close({ desk }: Stage, opened: DemoPosition): Promise<PositionWire> {
  const { story } = desk;
  story.step(`${opened.wallet.name} asks to close`, 'apps/keeper/src/position/closePosition.ts');
  const held = await desk.api.positionOfKey(opened.token, opened.key);
  if (held === null || !('current' in held)) throw new Error('the position is not open');
  await opened.wallet.callVault('requestClose', [opened.key, BigInt(held.current.position_token_units), 1n]);
  const closed = await waitForStatus(desk, opened, ['closed', 'settled', 'liquidated']);
  printResult(story, closed);
  return closed;
}

/** Opened, the market resolves, settled by the payout. */
export async function settledChapter(
  stage: Stage,
  market: MarketWire,
  { name, outcome }: { readonly name: 'bob' | 'carol'; readonly outcome: 'yes' | 'void' },
): Promise<Finished> {
  const { desk, venue } = stage;
  const { story } = desk;
  story.chapter(outcome === 'yes' ? 'Second position: settled YES' : 'Third position: voided, half a dollar per token');
  const opened = await open(stage, name, market);
  story.step(`The market resolves: ${outcome}`, 'apps/venue-sim/src/market/resolutionSteps.ts');
  if (outcome === 'void') await venue.play('void', market.ticker, {});
  else await venue.play('resolve', market.ticker, { outcome });
  const settled = await waitForStatus(desk, opened, ['settled']);
  printResult(story, settled);
  return { name: outcome === 'void' ? 'voided' : 'settled YES', wallet: opened.wallet, position: settled };
}

const replaySteps = { seconds: 60, mostToOpen: 40, afterOpening: 10 } as const;

/** A recorded market, played back from its first row: opened when it can be, closed ten minutes later. */
export async function replayChapter(
  stage: Stage,
  recorded: { readonly csv: string; readonly marketId: string },
): Promise<Finished> {
  const { desk, venue } = stage;
  const { story } = desk;
  story.chapter(`Fourth position: recorded market ${recorded.marketId}`);
  story.step('The recorded quotes are listed as a market', 'apps/venue-sim/src/replay/replayDraft.ts');
  const [listed] = await venue.replay(recorded.csv, { market: recorded.marketId });
  if (listed === undefined) throw new FriendlyError(`The recording holds no market ${recorded.marketId}.`);
  story.figures({ market: listed.slug, rows: listed.rows });
  const market = await whenOpen(stage, listed.slug);
  const opened = await open(stage, 'dave', market);
  story.step('Ten recorded minutes pass', 'apps/venue-sim/src/http/controlRoutes.ts');
  for (let minute = 0; minute < replaySteps.afterOpening; minute++) {
    await venue.advance(replaySteps.seconds);
    const now = await desk.api.positionOfKey(opened.token, opened.key);
    if (now === null || !('current' in now)) break;
    story.line(`mark ${now.current.mark_price_usd}   health ${now.risk.health_bps / 100} %   ${now.status}`);
  }
  return { name: 'recorded', wallet: opened.wallet, position: await close(stage, opened) };
}

/** Plays the record until a side takes positions. */
async function whenOpen({ desk, venue }: Stage, ticker: string): Promise<MarketWire> {
  for (let minute = 0; minute < replaySteps.mostToOpen; minute++) {
    await delay(settleDelayMs);
    const market = await findMarket(desk, ticker);
    if (market !== null && bestSideOf(market) !== null) return market;
    desk.story.line(`no side takes positions yet: ${market?.rejection_reason_code ?? 'not listed'}`);
    await venue.advance(replaySteps.seconds);
  }
  throw new FriendlyError(`No side of ${ticker} took positions: choose another recorded market.`);
}

async function findMarket({ api }: Desk, ticker: string): Promise<MarketWire | null> {
  const found = await api.markets({ query: ticker, expand: 'prices' });
  return found.find((market) => market.ticker === ticker) ?? null;
}

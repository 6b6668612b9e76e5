import { setTimeout as delay } from 'node:timers/promises';
import type { MarketWire, PositionWire } from '@core/wire';
import { FriendlyError } from '../stack/friendlyError.ts';
import { ApiRefusal } from './apiCustomer.ts';
import { bestOffer, type Offer, offersOf, type Wish } from './offers.ts';
import type { Story } from './story.ts';
import { type DemoPosition, type Desk, openPosition, PositionCancelled, statusWithin, waitForStatus } from './trade.ts';
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
  /** Tickers of the markets a chapter has used: each has its own. */
  readonly taken: Set<string>;
}

const shownMarkets = 8;
const notionalUsdPips = '1500000';
/** Time the books need after a move until every average has followed. */
const settleDelayMs = 3_000;

/** A stack that has just started registers its outcomes for some seconds; until then few markets take positions. */
const offerPatienceMs = 90_000;
const offerPollMs = 2_000;

/**
 * Lists what the story may use and chooses a side of a market no chapter has used yet.
 * @throws FriendlyError when none takes positions for a minute and a half.
 */
async function chooseOffer({ desk, taken }: Stage, wish: Wish): Promise<Offer> {
  const { story, api } = desk;
  story.step('Markets that take new positions', 'apps/api/src/handlers/listMarkets.ts');
  const query = { category: 'crypto', accepting_new_positions: 'true', expand: 'prices', limit: '100' };
  const startMs = Date.now();
  for (;;) {
    const markets = await api.markets(query);
    const offer = bestOffer(markets, wish, taken);
    if (offer !== null) {
      if (taken.size === 0) listMarkets(story, markets);
      story.line(`chosen: ${offer.side} of ${offer.market.ticker}`);
      return offer;
    }
    if (Date.now() - startMs > offerPatienceMs) {
      throw new FriendlyError('No crypto market takes positions now: wait a minute and run the demo again.');
    }
    await delay(offerPollMs);
  }
}

function listMarkets(story: Story, markets: readonly MarketWire[]): void {
  for (const market of markets.slice(0, shownMarkets)) {
    const { max_yes_bps: yes, max_no_bps: no } = market.leverage;
    story.line(`${market.ticker.padEnd(44)} yes ${yes / 10_000}x  no ${no / 10_000}x  until ${market.latest_enter_at}`);
  }
  if (markets.length > shownMarkets) story.line(`… and ${markets.length - shownMarkets} more`);
}

const mostOpenings = 4;

/**
 * Opens a position on the offer that is found. Prices move while a user decides: a quote may be refused, and a position
 * given back unfilled, both without a loss; then the next offer is tried, as a partner's program would.
 */
async function open(
  { desk, wallet, taken }: Stage,
  name: string,
  find: () => Promise<Offer>,
): Promise<{ readonly offer: Offer; readonly opened: DemoPosition }> {
  for (let opening = 1; ; opening++) {
    const offer = await find();
    const { side, leverageBps } = offer;
    const marketTicker = offer.market.ticker;
    taken.add(marketTicker);
    try {
      const plan = { marketTicker, side, leverageBps, notionalUsdPips };
      return { offer, opened: await openPosition(desk, wallet(name), plan) };
    } catch (error) {
      const isOfMarket = error instanceof PositionCancelled || (error instanceof ApiRefusal && error.status === 400);
      if (!isOfMarket || opening === mostOpenings) throw error;
      desk.story.line(`not opened: ${error.message}`);
    }
  }
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

const evenPips = 5_000;
/** Dear enough that fee and spread take little of a sale, and not so dear that the range of entry is near. */
const dearPips = 7_000;

/** Opened, the price moves, closed by the user. */
export async function closedChapter(stage: Stage): Promise<Finished> {
  const { desk, venue } = stage;
  const { story } = desk;
  story.chapter('First position: opened and closed');
  const isDaily = ({ market }: Offer) => (market.event.series_ticker ?? '').includes('daily');
  const daily = { nearPips: evenPips, isWanted: isDaily };
  const { offer, opened } = await open(stage, 'alice', () => chooseOffer(stage, daily));
  story.step('The price moves in her favour', 'apps/venue-sim/src/scenario/bookScenarios.ts');
  await venue.play('pump', offer.market.ticker, { side: offer.side, by: '0.08' });
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
  await askToClose(desk, opened);
  const closed = await waitForStatus(desk, opened, endings);
  printResult(story, closed);
  return { name: 'closed', wallet: opened.wallet, position: closed };
}

const endings = ['closed', 'settled', 'liquidated'] as const;

/** Asks for the whole position at any price. One that has ended meanwhile is left as it is. */
async function askToClose(desk: Desk, opened: DemoPosition): Promise<void> {
  const held = await desk.api.positionOfKey(opened.token, opened.key);
  if (held === null || !('current' in held)) return;
  desk.story.step(`${opened.wallet.name} asks to close`, 'apps/keeper/src/position/closePosition.ts');
  await opened.wallet.callVault('requestClose', [opened.key, BigInt(held.current.position_token_units), 1n]);
}

/** Opened, the market resolves, settled by the payout. */
export async function settledChapter(
  stage: Stage,
  { name, outcome }: { readonly name: 'bob' | 'carol'; readonly outcome: 'yes' | 'void' },
): Promise<Finished> {
  const { desk, venue } = stage;
  const { story } = desk;
  story.chapter(outcome === 'yes' ? 'Second position: settled YES' : 'Third position: voided, half a dollar per token');
  // A market that resolves YES is won by the YES side; one that is voided pays both alike.
  const isWanted = ({ side }: Offer) => outcome === 'void' || side === outcome;
  const { offer, opened } = await open(stage, name, () => chooseOffer(stage, { nearPips: evenPips, isWanted }));
  const { ticker } = offer.market;
  story.step(`The market resolves: ${outcome}`, 'apps/venue-sim/src/market/resolutionSteps.ts');
  if (outcome === 'void') await venue.play('void', ticker, {});
  else await venue.play('resolve', ticker, { outcome });
  const settled = await waitForStatus(desk, opened, ['settled']);
  printResult(story, settled);
  return { name: outcome === 'void' ? 'voided' : 'settled YES', wallet: opened.wallet, position: settled };
}

/** How far under the liquidation price the market falls, dollars: more than the half cent by which a mid may lie above it. */
const fallUsd = 0.006;

/** Opened, the market falls under the liquidation price, and the keeper sells before the debt is uncovered. */
export async function liquidatedChapter(stage: Stage): Promise<Finished> {
  const { desk, venue } = stage;
  const { story } = desk;
  story.chapter('Fourth position: liquidated');
  const { offer, opened } = await open(stage, 'erin', () => chooseOffer(stage, { nearPips: dearPips }));
  const held = await desk.api.positionOfKey(opened.token, opened.key);
  if (held === null || !('current' in held)) throw new Error('the position is not open');
  const price = held.risk.current_liquidation_price_usd;
  story.step(`The price falls under ${price} USD`, 'apps/keeper/src/debt/debtWatch.ts');
  await venue.play('crash', offer.market.ticker, { side: offer.side, to: (Number(price) - fallUsd).toFixed(4) });
  const liquidated = await waitForStatus(desk, opened, ['liquidated']);
  printResult(story, liquidated);
  return { name: 'liquidated', wallet: opened.wallet, position: liquidated };
}

const replaySteps = { seconds: 60, mostToOpen: 40, afterOpening: 10, mostToEnd: 90 } as const;
/** Health under which the user of the recorded market takes his loss. */
const leastHealthBps = 6_000;
/** How long a close is given before another recorded minute passes. */
const closePatienceMs = 3_000;

/**
 * A recorded market, played back from its first row: opened when it can be, and closed ten minutes later, or as soon as
 * its health is poor.
 */
export async function replayChapter(
  stage: Stage,
  recorded: { readonly csv: string; readonly marketId: string },
): Promise<Finished> {
  const { desk, venue } = stage;
  const { story } = desk;
  story.chapter(`Fifth position: recorded market ${recorded.marketId}`);
  story.step('The recorded quotes are listed as a market', 'apps/venue-sim/src/replay/replayDraft.ts');
  const [listed] = await venue.replay(recorded.csv, { market: recorded.marketId });
  if (listed === undefined) throw new FriendlyError(`The recording holds no market ${recorded.marketId}.`);
  story.figures({ market: listed.slug, rows: listed.rows });
  const { opened } = await open(stage, 'dave', () => whenOpen(stage, listed.slug));
  story.step('Up to ten recorded minutes pass', 'apps/venue-sim/src/http/controlRoutes.ts');
  for (let minute = 0; minute < replaySteps.afterOpening; minute++) {
    await venue.advance(replaySteps.seconds);
    const now = await desk.api.positionOfKey(opened.token, opened.key);
    if (now === null || !('current' in now)) break;
    story.line(`mark ${now.current.mark_price_usd}   health ${now.risk.health_bps / 100} %   ${now.status}`);
    if (now.risk.health_bps < leastHealthBps) break;
  }
  await askToClose(desk, opened);
  const ended = await endOfRecorded(stage, opened);
  printResult(story, ended);
  return { name: 'recorded', wallet: opened.wallet, position: ended };
}

/**
 * A close may have to wait: nobody's wish sells a position below its debt. The record goes on until it is sold, or until
 * the market ends and settles it.
 */
async function endOfRecorded({ desk, venue }: Stage, opened: DemoPosition): Promise<PositionWire> {
  for (let minute = 0; minute < replaySteps.mostToEnd; minute++) {
    const ended = await statusWithin(desk, opened, { statuses: endings, withinMs: closePatienceMs });
    if (ended !== null) return ended;
    await venue.advance(replaySteps.seconds);
  }
  return waitForStatus(desk, opened, endings);
}

/** Plays the record until a side takes positions. */
async function whenOpen({ desk, venue }: Stage, ticker: string): Promise<Offer> {
  for (let minute = 0; minute < replaySteps.mostToOpen; minute++) {
    await delay(settleDelayMs);
    const market = await findMarket(desk, ticker);
    const best = market === null ? undefined : offersOf(market)[0];
    if (best !== undefined) return best;
    desk.story.line(`no side takes positions yet: ${market?.rejection_reason_code ?? 'not listed'}`);
    await venue.advance(replaySteps.seconds);
  }
  throw new FriendlyError(`No side of ${ticker} took positions: choose another recorded market.`);
}

async function findMarket({ api }: Desk, ticker: string): Promise<MarketWire | null> {
  const found = await api.markets({ query: ticker, expand: 'prices' });
  return found.find((market) => market.ticker === ticker) ?? null;
}

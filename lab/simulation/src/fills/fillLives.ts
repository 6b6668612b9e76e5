import { setTimeout as delay } from 'node:timers/promises';
import type { Position } from '@core/sdk';
import { Purpose, testUsdcAbi, vaultAbi } from '@core/vault';
import { encodeFunctionData, type Hex, keccak256, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type TakenQuote, Trader } from '../actors/trader.ts';
import type { Say } from '../faults/fault.ts';
import { kindOf, type MarketKind } from '../world/markets.ts';
import { paceOf } from '../world/physics.ts';
import type { World } from '../world/startWorld.ts';
import { type AskedStep, type FillRow, fillLineOf, fillRowOf, fillSteps } from './fillRows.ts';
import { type GrantTry, grantTriesOf, readGrantEvents } from './grantTries.ts';

const endings = ['close', 'unwind', 'liquidation'] as const;

/** A market in which all positions end in one way. */
interface Place {
  readonly market: MarketKind;
  readonly ending: (typeof endings)[number];
  readonly ticker: string;
}

/** A position that is open. */
interface Life {
  readonly place: Place;
  readonly trader: Trader;
  readonly trade: TakenQuote;
  readonly position: Position;
}

/** A user, and the market in which the user opens a position. */
interface Plan {
  readonly place: Place;
  readonly trader: Trader;
}

interface Diary {
  readonly say: Say;
  /** Steps that users asked for, or that a fall demands. */
  readonly asked: AskedStep[];
}

/** Money of a user, in USDC units: a thousand dollars. */
const userUsdcUnits = 1_000_000_000n;
/** Virtual times: between two users, two polls, for one quote, and for all markets and all exits. */
const apartMs = 3_000;
const pollMs = 2_000;
const limitMs = { places: 60_000, quote: 30_000, exits: 120_000 } as const;
/** Further openings of one position. */
const maxRepeats = 2;
/** Distances from liquidation prices, in pips: beyond the rounding of a mid, and near enough for a cover to break. */
const underPips = 60;
const abovePips = 150;

/**
 * Open positions, close some, let others fall until they are unwound or liquidated, and count the grants that were
 * filled. Positions that did not open are opened again where each transaction is mined at once, uncounted, so that
 * there are exits to measure.
 * @param options.users Positions in each market.
 */
export async function fillLives(
  world: World,
  { say, users }: { readonly say: Say; readonly users: number },
): Promise<readonly FillRow[]> {
  const diary: Diary = { say, asked: [] };
  const places = await placesOf(world, say);
  await world.chain.begin('instant');
  const plans: Plan[] = [];
  for (const place of places) {
    for (let user = 0; user < users; user += 1) plans.push({ place, trader: await newTrader(world, plans.length + 1) });
  }
  const pace = paceOf(world.settings.physics);
  await world.chain.begin(pace);
  const first = await runApart(plans, (plan) => opened(plan, diary));
  await world.chain.begin('instant');
  const uncounted: Diary = { say, asked: [] };
  const missing = plans.filter((_, index) => first[index] === null);
  const second = await runApart(missing, async (plan) => {
    let life: Life | null = null;
    for (let round = 0; life === null && round < maxRepeats; round += 1) life = await opened(plan, uncounted);
    return life;
  });
  await world.chain.begin(pace);
  const lives = [...first, ...second].filter((life) => life !== null);
  await runApart(places, (place) =>
    endAll(
      world,
      lives.filter((life) => life.place === place),
      diary,
    ),
  );
  return countFills(world, lives, diary);
}

/** Do something for each item, seconds apart. */
function runApart<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  return Promise.all(
    items.map(async (item, index) => {
      await delay(index * apartMs);
      return work(item);
    }),
  );
}

/** Return a user of their own, with money: the service limits the requests of each. */
async function newTrader(world: World, number: number): Promise<Trader> {
  const { driver, deployment } = world;
  const privateKey = keccak256(toHex(`user ${number}`));
  const { address } = privateKeyToAccount(privateKey);
  await driver.rpc.client.request<{ Parameters: [Hex, Hex]; ReturnType: true }>({
    method: 'hardhat_setBalance',
    params: [address, toHex(10n ** 19n)],
  });
  const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [address, userUsdcUnits] });
  await driver.rpc.send(deployment.roles.owner, { to: deployment.contracts.usdc, data });
  return new Trader(world, `user ${number}`, { address, privateKey });
}

/** Choose a market for each kind and ending, the deepest first. */
async function placesOf(world: World, say: Say): Promise<readonly Place[]> {
  const { deployment, venue, settings } = world;
  const kinds = new Map(
    venue.venue.markets.listed.map(({ market }) => [market.slug, kindOf(market.definition)] as const),
  );
  const scout = new Trader(world, 'carol', deployment.roles.carol);
  let tickers: readonly string[] = [];
  const ofKind = (kind: MarketKind): readonly string[] => tickers.filter((ticker) => kinds.get(ticker) === kind);
  for (let waitedMs = 0; waitedMs < limitMs.places; waitedMs += pollMs) {
    tickers = (await scout.openMarkets()).map(({ ticker }) => ticker);
    if (settings.markets.every((kind) => ofKind(kind).length >= endings.length)) break;
    await delay(pollMs);
  }
  return settings.markets.flatMap((market) => {
    const open = ofKind(market);
    if (open.length < endings.length) say(`only ${open.length} ${market} markets take positions`);
    return open.slice(0, endings.length).flatMap((ticker, index) => {
      const ending = endings[index];
      return ending === undefined ? [] : [{ market, ending, ticker }];
    });
  });
}

/** Open a position, and return null where it does not come to be. */
async function opened({ trader, place }: Plan, { say, asked }: Diary): Promise<Life | null> {
  const { market, ticker } = place;
  let key: Hex | null = null;
  try {
    const trade = await trader.quote((open) => open.find((one) => one.ticker === ticker), limitMs.quote);
    ({ key } = trade);
    const position = await trader.open(trade);
    say(`${trader.name} opened in ${ticker}`);
    return { place, trader, trade, position };
  } catch (error) {
    say(`${trader.name} did not open in ${ticker}: ${String(error).slice(0, 160)}`);
    return null;
  } finally {
    asked.push({ market, step: 'opening', key });
  }
}

/** Begin the end of the positions of one market. */
async function endAll(world: World, lives: readonly Life[], { say, asked }: Diary): Promise<void> {
  const [life] = lives;
  if (life === undefined) return;
  const { place, trade } = life;
  const { market, ending: step } = place;
  // A price that falls for one side rises for the other.
  const ending = step === 'close' ? lives : lives.filter((one) => one.trade.side === trade.side);
  for (const one of ending) asked.push({ market, step, key: one.trade.key });
  if (step === 'close') {
    for (const { trader, position } of lives) {
      trader
        .close(position)
        .catch((error: unknown) => say(`${trader.name} did not close: ${String(error).slice(0, 160)}`));
    }
    return;
  }
  try {
    const prices = await Promise.all(ending.map((one) => liquidationPipsOf(world, one.trade.key)));
    const sorted = prices.toSorted((left, right) => left - right);
    const pips = step === 'unwind' ? (sorted.at(-1) ?? 0) + abovePips : (sorted[0] ?? 0) - underPips;
    await world.control.play('crash', place.ticker, { side: trade.side, to: (pips / 10_000).toFixed(4) });
    say(`${place.ticker} falls to ${pips} pips`);
  } catch (error) {
    say(`${place.ticker} does not fall: ${String(error).slice(0, 160)}`);
  }
}

async function liquidationPipsOf({ driver, deployment }: World, key: Hex): Promise<number> {
  const address = deployment.contracts.vault;
  const call = { address, abi: vaultAbi, functionName: 'liquidationPriceOf', args: [key] } as const;
  return Number(await driver.rpc.client.readContract(call));
}

/** Wait until every position was sold once, or long enough, and count. */
async function countFills(world: World, lives: readonly Life[], { say, asked }: Diary): Promise<readonly FillRow[]> {
  let tries: readonly GrantTry[] = [];
  for (let waitedMs = 0; waitedMs < limitMs.exits; waitedMs += pollMs) {
    tries = grantTriesOf(await readGrantEvents(world));
    const sales = tries.filter(({ purpose, filledAt }) => purpose !== Purpose.Open && filledAt !== null);
    const sold = new Set(sales.map(({ key }) => key));
    if (asked.every(({ step, key }) => step === 'opening' || (key !== null && sold.has(key)))) break;
    await delay(pollMs);
  }
  const openings = new Map(asked.flatMap(({ step, key, market }) => (step === 'opening' ? [[key, market]] : [])));
  const exits = new Map<Hex | null, MarketKind>(lives.map(({ trade, place }) => [trade.key, place.market]));
  const rows = [...world.settings.markets, 'all' as const].flatMap((market) =>
    fillSteps.map((step) => {
      const markets = step === 'opening' ? openings : exits;
      return fillRowOf({ tries, markets, asked }, { market, step });
    }),
  );
  for (const row of rows) say(fillLineOf(row));
  return rows;
}

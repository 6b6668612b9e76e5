import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore, type Store } from '@core/store';
import { steadyTimeOfDay } from '@core/testkit';
import { VenueControl } from '@core/venue-sim/control';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../src/demo/clients/apiClient.ts';
import { Wallet } from '../src/demo/clients/wallet.ts';
import { chooseCandidate } from '../src/demo/scenarios/openInMarket.ts';
import type { Stage } from '../src/demo/scenarios/stage.ts';
import { StepPrinter } from '../src/demo/stepPrinter.ts';
import type { Candidate } from '../src/demo/steps/candidates.ts';
import type { DemoPosition } from '../src/demo/steps/driver.ts';
import { openPosition } from '../src/demo/steps/openPosition.ts';
import { Progress } from '../src/progress.ts';
import { type Stack, startStack } from '../src/stack/startStack.ts';
import { openStateFolder } from '../src/stack/state/stateFolder.ts';

const patienceMs = 240_000;
/** A wallet has 60 requests a minute; one that asks more often is refused and waits longer. */
const polling = { timeout: patienceMs, interval: 1_500 };
const hourSeconds = 3_600;
/** A mid is at most half a cent tick from the price of a scenario. */
const belowTriggerPips = 70;
let stateDir = '';
let stack: Stack;
let store: Store;
/** A user of the first partner, and one of the second, whose positions are committed. */
let adaptive: Stage;
let committed: Stage;

beforeAll(async () => {
  stateDir = mkdtempSync(path.join(tmpdir(), 'kept-'));
  stack = await startStack({
    folder: openStateFolder(stateDir),
    portBase: 16_000 + (process.pid % 400) * 10,
    databaseServerUrl: null,
    seed: 'kept debts',
    isFresh: false,
    route: 'direct',
    startTime: steadyTimeOfDay,
    paceSeconds: 0,
    signal: new AbortController().signal,
    progress: new Progress({ write: () => undefined, isTerminal: false, nowMs: () => performance.now() }),
  });
  const { databaseUrl, partners } = stack.file;
  store = openStore({ databaseUrl });
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const change = `UPDATE partners SET terms = jsonb_set(terms, '{riskMode}', '"committed"') WHERE name = $1`;
  await database.query(change, [partners[1]?.name]);
  await database.end();
  adaptive = await stageOf(partners[0]?.apiKey ?? '');
  committed = await stageOf(partners[1]?.apiKey ?? '');
  // Starts at the full hour: no hourly market ends before its test does.
  const secondsOfHour = Math.floor((await adaptive.venue.nowMs()) / 1_000) % hourSeconds;
  await adaptive.venue.advance(hourSeconds - secondsOfHour);
}, patienceMs);

afterAll(async () => {
  await store.close();
  await stack.stop();
  rmSync(stateDir, { recursive: true, force: true });
}, patienceMs);

async function stageOf(apiKey: string): Promise<Stage> {
  const printer = new StepPrinter(() => undefined);
  const api = new ApiClient({ apiUrl: stack.file.apiUrl, partner: { apiKey } }, printer);
  return {
    driver: { api, printer, contractInfo: await api.contractInfo() },
    venue: new VenueControl(stack.file.venueUrl),
    wallet: (name) => new Wallet(stack.file, name, printer),
    usedTickers: adaptive?.usedTickers ?? new Set<string>(),
  };
}

/** Return a side of an unused hourly market with this leverage, whose price stands still from now on. */
async function pinnedCandidate(stage: Stage, minimumLeverageBps = 20_000): Promise<Candidate> {
  const isWanted = ({ market, leverageBps }: Candidate) =>
    (market.event.series_ticker ?? '').includes('hourly') && leverageBps >= minimumLeverageBps;
  const candidate = await chooseCandidate(stage, { nearPips: 6_000, isWanted });
  stage.usedTickers.add(candidate.market.ticker);
  await stage.venue.play('pin', candidate.market.ticker, { seconds: 86_400 });
  return candidate;
}

interface Opening {
  readonly name: string;
  readonly candidate: Candidate;
  readonly usd: number;
}

function openAt(stage: Stage, { name, candidate, usd }: Opening): Promise<DemoPosition> {
  const { market, side } = candidate;
  const size = { leverageBps: 20_000, notionalUsdPips: String(usd * 10_000) };
  return openPosition(stage.driver, stage.wallet(name), { marketTicker: market.ticker, side, ...size });
}

async function get(pathName: string, authorization?: string): Promise<unknown> {
  const origin = new URL(stack.file.apiUrl).origin;
  const url = authorization === undefined ? `${origin}${pathName}` : `${stack.file.apiUrl}${pathName}`;
  return (await fetch(url, authorization === undefined ? {} : { headers: { authorization } })).json();
}

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly current: { readonly book_leverage_bps: number; readonly leverage_bps: number };
  readonly risk: { readonly current_liquidation_price_usd_pips: string };
  readonly unwinds: { readonly data: readonly { readonly after_leverage_bps: number; readonly reason: string }[] };
  readonly planned_unwinds: {
    readonly data: readonly {
      readonly rung: number;
      readonly trigger: { readonly price_usd_pips: string };
      readonly target_leverage_bps: number;
      readonly status: string;
      readonly triggered_at: string | null;
      readonly executed_unwind_id: string | null;
    }[];
  };
}

/** Shown positions by key. */
const idOfKey = new Map<string, string>();

async function shown({ token, key }: DemoPosition, stage: Stage): Promise<Shown> {
  const id = idOfKey.get(key) ?? (await stage.driver.api.positionOfKey(token, key))?.id;
  if (id === undefined) throw new Error('the position is not listed');
  idOfKey.set(key, id);
  return (await get(`/positions/${id}?expand=unwinds,planned_unwinds`, token)) as Shown;
}

const priceText = (pips: number) => (pips / 10_000).toFixed(4);

test('committed position: follows the ladder of its quote, the cover takes the rest', async () => {
  // With leverage to spare the rungs of a debt are far above its cover, and a fall between them leaves it covered.
  const candidate = await pinnedCandidate(committed, 30_000);
  const position = await openAt(committed, { name: 'alice', candidate, usd: 150 });
  const { market, side } = candidate;
  const before = await shown(position, committed);
  const rungs = before.planned_unwinds.data;
  expect(rungs.map(({ rung, target_leverage_bps, status }) => [rung, target_leverage_bps, status])).toEqual([
    [1, 15_000, 'planned'],
    [2, 12_500, 'planned'],
  ]);
  const [trigger = 0, nextTrigger = 0] = rungs.map(({ trigger: at }) => Number(at.price_usd_pips));
  // No lower than needed: a steep fall in a new market is high variance, to which the cover reacts.
  const between = trigger - belowTriggerPips;
  expect(between).toBeGreaterThan(nextTrigger + belowTriggerPips);
  const crash = { side, hold_seconds: hourSeconds };
  await committed.venue.play('crash', market.ticker, { ...crash, to: priceText(between) });
  await expect
    .poll(async () => (await shown(position, committed)).planned_unwinds.data[0]?.status, polling)
    .toBe('triggered');
  await expect.poll(async () => (await shown(position, committed)).status, polling).toBe('open');
  const lower = await shown(position, committed);
  const [first, second] = lower.planned_unwinds.data;
  expect(first).toMatchObject({
    triggered_at: expect.any(String),
    executed_unwind_id: expect.stringMatching(/^unw_/),
  });
  expect(second).toMatchObject({ status: 'planned', triggered_at: null, executed_unwind_id: null });
  expect(lower.current.leverage_bps).toBeLessThanOrEqual(15_000);
  expect(lower.current.book_leverage_bps).toBeGreaterThan(10_000);
  expect(lower.unwinds.data.length).toBeGreaterThan(0);
  const ladder = (await get(`/positions/${lower.id}/unwinds?status=all`, position.token)) as { data: unknown[] };
  expect(ladder.data.slice(-2)).toEqual(lower.planned_unwinds.data);
  // Below both rungs the cover is gone, and with it the whole debt.
  const liquidation = Number(lower.risk.current_liquidation_price_usd_pips);
  await committed.venue.play('crash', market.ticker, { ...crash, to: priceText(liquidation + 250) });
  await expect.poll(async () => (await shown(position, committed)).current.book_leverage_bps, polling).toBe(10_000);
  const after = await shown(position, committed);
  expect(after.planned_unwinds.data.map(({ status }) => status)).not.toContain('planned');
}, 600_000);

interface Exit {
  readonly category: string;
  readonly sale_count: number;
  readonly p95_ms: number;
  readonly exit_seconds: number;
  readonly is_open: boolean;
}

async function cryptoExit(): Promise<Exit | undefined> {
  const { keepers } = (await get('/readyz')) as { readonly keepers: readonly { readonly exits: readonly Exit[] }[] };
  return keepers[0]?.exits.find(({ category }) => category === 'crypto');
}

let recordedCount = 0;

/** Record sales of this duration, as a keeper does: a busy machine does not make them slower. */
async function recordSales(count: number, durationMs: number): Promise<void> {
  const nowMs = await adaptive.venue.nowMs();
  await store.exits.add(
    Array.from({ length: count }, () => {
      recordedCount += 1;
      const positionKey = `0x${recordedCount.toString(16).padStart(64, '0')}`;
      return { positionKey, category: 'crypto', dueAtMs: nowMs - hourSeconds * 1_000 + recordedCount, durationMs };
    }),
  );
}

test('slow sales: lower the leverage, close the category, and let it reopen', async () => {
  // The keeper has recorded the sales of the committed position.
  await expect.poll(async () => (await cryptoExit())?.sale_count, polling).toBeGreaterThan(0);
  await recordSales(100, 3_000);
  const nowMs = await adaptive.venue.nowMs();
  await store.exits.setTime({ category: 'crypto', exitSeconds: 20, changedAtMs: nowMs });
  await expect.poll(cryptoExit, polling).toMatchObject({ exit_seconds: 20, is_open: true });

  const { market: probe, side } = await pinnedCandidate(adaptive);
  const maximum = async () => {
    const { leverage } = await adaptive.driver.api.market(probe.ticker, true);
    return leverage.max_market_leverage_per_notional[side].at100_usd_bps;
  };
  const token = await adaptive.driver.api.token(adaptive.wallet('dave').address);
  const draft = () =>
    adaptive.driver.api
      .draft(token, {
        market_ticker: probe.ticker,
        effective_side: side,
        leverage_bps: 20_000,
        notional_amount_usd_pips: '500000',
        slippage_bps: 500,
        allow_revision: true,
      })
      .then(
        () => 'quoted',
        (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
      );
  const quick = await maximum();
  expect(await draft()).toBe('quoted');

  await recordSales(20, 12_000);
  await expect.poll(async () => (await cryptoExit())?.exit_seconds, polling).toBe(35);
  expect((await cryptoExit())?.is_open).toBe(true);
  await expect.poll(maximum, polling).toBeLessThan(quick);
  expect(await draft()).toBe('quoted');

  await recordSales(20, 31_000);
  await expect.poll(async () => (await cryptoExit())?.is_open, polling).toBe(false);
  expect((await cryptoExit())?.p95_ms).toBeGreaterThan(30_000);
  await expect.poll(draft, polling).toBe('quote_creation_disabled');

  // A day later none of these sales counts any more.
  const exitADayLater = async () => {
    await store.exits.removeOlderThan((await adaptive.venue.nowMs()) + 1, 1_000);
    return await cryptoExit();
  };
  await expect.poll(exitADayLater, polling).toMatchObject({ is_open: true, sale_count: 0 });
  await expect.poll(draft, polling).toBe('quoted');
  // Leverage comes back by one step an hour.
  expect((await cryptoExit())?.exit_seconds).toBeGreaterThanOrEqual(60);
}, 900_000);

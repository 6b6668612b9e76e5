import { setTimeout as delay } from 'node:timers/promises';
import { doctor } from '@core/api/testing';
import { AlertWatch } from '@core/console/alerts';
import { samplesOf } from '@core/console/metrics';
import { PositionState, vaultAbi } from '@core/vault';
import { z } from 'zod';
import { type TakenQuote, Trader } from '../actors/trader.ts';
import type { Say } from '../faults/fault.ts';
import type { World } from '../world/startWorld.ts';
import { until } from '../world/until.ts';
import { type DayName, worstDays } from './worstDays.ts';

/** A worst day as users and the operator see it. Seconds count from its beginning. */
export interface DayRow {
  readonly day: DayName;
  /** Seconds in which no quote was given, and at its longest. */
  readonly quotelessSeconds: number;
  /** Seconds from a fall of the price to the end of the liquidation; null where it did not end. */
  readonly liquidatedSeconds: number | null;
  /** Statuses and needs of `/readyz` of the API, by the second in which each was first seen. */
  readonly readiness: Readonly<Record<string, number>>;
  /** Checks of `operate doctor` that failed in the middle of the day. */
  readonly doctor: readonly string[];
  /** Alerts that fired, by the second in which each did. */
  readonly alerts: Readonly<Record<string, number>>;
  /** Alerts that fired before the day began. */
  readonly earlier: readonly string[];
}

/** Virtual times. A scrape comes as often as that of the shipped configuration. */
const pollMs = 3_000;
const scrapeMs = 15_000;
const times = { quietMs: 20_000, fallMs: 30_000, doctorMs: 90_000, dayMs: 240_000, afterMs: 90_000 } as const;
/** Time for one request. */
const requestMs = 2_500;
/** Pips under the price of liquidation: more than the half cent that a mid may lie above it. */
const underPips = 60n;

const readiness = z.object({ missing: z.array(z.string()) });
const checks = z.object({ checks: z.array(z.object({ name: z.string(), state: z.string(), detail: z.string() })) });

/** Run a day: a quiet minute, the fault and a fall of the price within it, and the time after it. */
export async function measureDay(world: World, { day, say }: { readonly day: DayName; readonly say: Say }) {
  const observer = new Observer(world, say);
  const owner = new Trader(world, 'alice', world.deployment.roles.alice);
  const trade = await owner.quote(([deepest]) => deepest);
  await owner.open(trade);
  await observer.watch(times.quietMs);
  say(`begins: ${day}`);
  observer.begin();
  const end = await worstDays[day].begin(world);
  await observer.watch(times.fallMs);
  void fall(world, trade).catch((error: unknown) => say(`no fall: ${String(error)}`));
  const liquidation = liquidated(world, trade, observer);
  await observer.watch(times.doctorMs - times.fallMs);
  const failing = await observer.askDoctor();
  await observer.watch(times.dayMs - times.doctorMs);
  say(`ends: ${day}`);
  await end();
  await observer.watch(times.afterMs);
  const row: DayRow = { day, ...observer.seen(), doctor: failing, liquidatedSeconds: await liquidation };
  say(JSON.stringify(row));
  const [fired, expected] = [Object.keys(row.alerts), worstDays[day].alerts].map((names) =>
    names.toSorted().join(', '),
  );
  if (fired !== expected) say(`BROKEN alerts: ${fired} in place of ${expected}`);
  return row;
}

async function fall({ driver, deployment, control }: World, { key, market, side }: TakenQuote): Promise<void> {
  const address = deployment.contracts.vault;
  const call = { address, abi: vaultAbi, functionName: 'liquidationPriceOf', args: [key] } as const;
  const pips = await driver.rpc.client.readContract(call);
  await control.play('crash', market.ticker, { side, to: (Number(pips - underPips) / 10_000).toFixed(4) });
}

/** Wait until the position owes nothing, and return the seconds since now. */
async function liquidated(world: World, { key }: TakenQuote, observer: Observer): Promise<number | null> {
  const { driver, deployment } = world;
  const address = deployment.contracts.vault;
  const startMs = observer.elapsedMs;
  const position = { address, abi: vaultAbi, functionName: 'positionOf', args: [key] } as const;
  return until(
    'end of the debt',
    async () => {
      const { state, principalUsdcUnits } = await driver.rpc.client.readContract(position);
      const isRepaid = state !== PositionState.Open || principalUsdcUnits === 0n;
      return isRepaid ? Math.round((observer.elapsedMs - startMs) / 1_000) : null;
    },
    times.dayMs + times.afterMs - times.fallMs - pollMs,
  ).catch(() => null);
}

/** Watches a world as its users, its operator and Prometheus do. */
class Observer {
  readonly #world: World;
  readonly #say: Say;
  readonly #alerts = new AlertWatch();
  readonly #scouts: readonly Trader[];
  readonly #seenReadiness = new Map<string, number>();
  readonly #fired = new Map<string, number>();
  #earlier: readonly string[] = [];
  #begunAtMs: number | null = null;
  #quotelessMs = 0;
  #scrapedAtMs = Number.NEGATIVE_INFINITY;
  #ticker: string | null = null;
  #polls = 0;

  constructor(world: World, say: Say) {
    this.#world = world;
    this.#say = say;
    const { bob, carol, dave, erin } = world.deployment.roles;
    this.#scouts = Object.entries({ bob, carol, dave, erin }).map(([name, role]) => new Trader(world, name, role));
  }

  /** Virtual milliseconds since the start of the world. */
  get elapsedMs(): number {
    return this.#world.edge.scheduler.elapsedMs;
  }

  /** Count from now on: what fires already is another day's. */
  begin(): void {
    this.#earlier = [...this.#fired.keys()];
    this.#begunAtMs = this.elapsedMs;
    this.#fired.clear();
    this.#seenReadiness.clear();
    this.#quotelessMs = 0;
  }

  seen(): Pick<DayRow, 'quotelessSeconds' | 'readiness' | 'alerts' | 'earlier'> {
    return {
      quotelessSeconds: Math.round(this.#quotelessMs / 1_000),
      readiness: Object.fromEntries(this.#seenReadiness),
      alerts: Object.fromEntries([...this.#fired].filter(([name]) => !this.#earlier.includes(name))),
      earlier: this.#earlier,
    };
  }

  /** Look again and again for so long. */
  async watch(forMs: number): Promise<void> {
    const endMs = this.elapsedMs + forMs;
    while (this.elapsedMs < endMs) {
      const startMs = this.elapsedMs;
      const isQuoted = await this.#isQuoted();
      await this.#readReadiness();
      if (startMs - this.#scrapedAtMs >= scrapeMs) {
        this.#scrapedAtMs = startMs;
        await this.#scrape();
      }
      await delay(Math.max(0, pollMs - (this.elapsedMs - startMs)));
      if (!isQuoted) this.#quotelessMs += this.elapsedMs - startMs;
    }
  }

  async askDoctor(): Promise<readonly string[]> {
    const { programs, environment } = this.#world;
    const { value, text = '' } = await programs.start('operator', () => doctor({ environment }));
    for (const line of text.split('\n')) if (/^[✖ ]/u.test(line)) this.#say(`doctor: ${line}`);
    return checks.parse(value).checks.flatMap((check) => (isFailed(check) ? [check.name] : []));
  }

  get #second(): number {
    return Math.round((this.elapsedMs - (this.#begunAtMs ?? this.elapsedMs)) / 1_000);
  }

  async #isQuoted(): Promise<boolean> {
    this.#polls += 1;
    const scout = this.#scouts[this.#polls % this.#scouts.length];
    if (scout === undefined) return false;
    return withinRequest(this.#draft(scout)).catch((error: unknown) => {
      if (this.#begunAtMs !== null && this.#quotelessMs === 0) this.#say(`no quote: ${String(error).slice(0, 200)}`);
      return false;
    });
  }

  async #draft(scout: Trader): Promise<boolean> {
    this.#ticker ??= (await scout.openMarkets())[1]?.ticker ?? null;
    if (this.#ticker === null) return false;
    const order = { ticker: this.#ticker, side: 'yes', leverage: '2', notionalUsd: '20', allowRevision: true } as const;
    await scout.user.quotes.draft(order);
    return true;
  }

  async #readReadiness(): Promise<void> {
    const url = new URL('/readyz', this.#world.apiUrl);
    const facts = await fetch(url, { signal: AbortSignal.timeout(requestMs) })
      .then(async (response) => [String(response.status), ...readiness.parse(await response.json()).missing])
      .catch(() => ['no answer']);
    for (const fact of facts) if (!this.#seenReadiness.has(fact)) this.#seenReadiness.set(fact, this.#second);
  }

  async #scrape(): Promise<void> {
    const { operations, settings } = this.#world;
    const isThere = ([name]: readonly [string, string]): boolean => name !== 'keeper 2' || settings.keepers === 2;
    await Promise.all(
      Object.entries(operations)
        .filter(isThere)
        .map(async ([name, origin]) => {
          const instance = { job: jobOf(name), instance: name };
          try {
            const response = await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(requestMs) });
            this.#alerts.record(instance, samplesOf(await response.text()), Date.now());
          } catch {
            this.#alerts.drop(instance, Date.now());
          }
        }),
    );
    for (const { name, state } of this.#alerts.judge(Date.now())) {
      if (state === 'firing' && !this.#fired.has(name)) this.#fired.set(name, this.#second);
    }
  }
}

/** Return true for a check that fails for more than the database's clock, which is a real one. */
function isFailed({ state, name, detail }: z.output<typeof checks>['checks'][number]): boolean {
  const isOwn = (clock: string): boolean => !clock.startsWith('database ');
  return state === 'failed' && (name !== 'clocks' || detail.split('; ').some(isOwn));
}

function jobOf(name: string): 'api' | 'keeper' | 'filler' | 'price-signer' {
  if (name.startsWith('signer')) return 'price-signer';
  if (name.startsWith('keeper')) return 'keeper';
  return name === 'api' ? 'api' : 'filler';
}

function withinRequest<Value>(work: Promise<Value>): Promise<Value> {
  return Promise.race([
    work,
    delay(requestMs).then((): never => {
      throw new Error('no answer in time');
    }),
  ]);
}

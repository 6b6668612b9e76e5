import { presentPosition } from '@core/api/testing';
import { policyDefaults } from '@core/policy';
import { foldPosition, type Position as StoredPosition, valuePosition } from '@core/position';
import { context } from '@core/position/testing';
import {
  anyLife,
  anyStep,
  openedVaultOf,
  playStep,
  type ReferenceStep,
} from '@core/position/testing/referenceLives.ts';
import { pricePips, raw } from '@core/pricing';
import {
  type ClosedPosition,
  debtFiguresOf,
  type OpenPosition,
  type Position,
  type PricesFrame,
  type StreamEvent,
} from '@core/sdk';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followService, type ServiceStreams } from '../web/src/live/followService.ts';
import { livePositionOf } from '../web/src/live/livePosition.ts';
import { recordLivePrices } from '../web/src/live/livePrices.ts';
import { debtAt } from '../web/src/live/positionAt.ts';
import { queryKeys } from '../web/src/queryKeys.ts';

const ticker = 'btc-up';
const wholePips = 10_000n;

/** State of a position at the service after one of its events, and what its owner has paid and received by then. */
interface ServiceState {
  readonly stored: StoredPosition;
  readonly atMs: number;
  /** Payout per token of the determined market; null before. */
  readonly payoutPips: bigint | null;
  /** True while the owner has sold no part: a part takes its profit out of the figures of the rest. */
  readonly isWhole: boolean;
  readonly paidInUnits: bigint;
  readonly paidOutUnits: bigint;
}

interface Moment {
  readonly markPips: bigint;
  readonly nowMs: number;
}

/** Return the answer of the service about a state; events have neither basis nor expansions. */
function presentedAt(state: ServiceState, { markPips, nowMs }: Moment, kind: 'answer' | 'event'): Position {
  const isAnswer = kind === 'answer';
  const mark = state.payoutPips ?? markPips;
  const payouts = { payoutNumerators: [mark, wholePips - mark], payoutDenominator: wholePips };
  const status = state.payoutPips === null ? 'active' : 'determined';
  return presentPosition(
    {
      position: { ...state.stored, marketTicker: ticker, marketTitle: null },
      market: { record: { status, closeTimeMs: null, ...payouts }, snapshot: null },
      nowMs,
      unwinds: isAnswer ? [] : null,
      executed: null,
      ledger: null,
      isBasisAsked: isAnswer,
      policy: policyDefaults,
    },
    'ns',
  ) as Position;
}

/** Random lives of a position in a vault in which no one donates money and no payment fails. */
const anyStates: fc.Arbitrary<readonly ServiceState[]> = fc
  .tuple(anyLife, fc.array(anyStep, { minLength: 1, maxLength: 5 }), fc.constantFrom(null, 0n, wholePips))
  .map(([life, steps, payoutPips]) => {
    const vault = openedVaultOf({ ...life, end: 'open', isRefundBlocked: false });
    let isWhole = true;
    const stateNow = (payout: bigint | null): ServiceState => {
      const folded = foldPosition(vault.events, context);
      if (folded === null) throw new Error('a life has a creation');
      const { position: stored } = folded;
      const { entry } = valuePosition(stored, { markPricePips: null, nowMs: vault.nowMs });
      const fees = raw(stored.totalOriginationFeeUsdcUnits) + raw(stored.totalOpenVenueFeeUsdcUnits);
      return {
        stored,
        atMs: vault.nowMs,
        payoutPips: payout,
        isWhole,
        paidInUnits: raw(entry.collateralUsdcUnits) + vault.user.repaid + fees,
        paidOutUnits: vault.user.proceeds,
      };
    };
    const states = [stateNow(null)];
    for (const step of steps) {
      if (vault.state !== 'open' || vault.basis.collateral <= 0n) break;
      isWhole &&= step.kind !== 'close';
      playStep(vault, { ...step, given: 0n, isBlocked: false } satisfies ReferenceStep);
      states.push(stateNow(null));
    }
    if (vault.state !== 'open' || payoutPips === null) return states;
    states.push(stateNow(payoutPips));
    vault.pass(60);
    vault.settle((vault.tokens * payoutPips) / wholePips, false);
    return [...states, stateNow(payoutPips)];
  });

/** Something that a page meets: the order of the commands is the order in which it meets them. */
type Command =
  | { readonly kind: 'change' | 'event' | 'repeat' | 'answer'; readonly index: number }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'price'; readonly markPips: bigint };

const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constantFrom('change', 'event', 'repeat', 'answer'), index: fc.nat(9) }),
  fc.record({ kind: fc.constant('pass'), ms: fc.integer({ min: 1, max: 2_500 }) }),
  fc.record({ kind: fc.constant('price'), markPips: fc.bigInt(1n, 9_999n) }),
);

/** A page that shows a position, its service, and the network between them. */
class Scene {
  readonly queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  readonly states: readonly ServiceState[];
  readonly #ending = new AbortController();
  /** Each lets the answer of one read arrive. */
  readonly #pendingReads: (() => void)[] = [];
  #waitingEvents: number[] = [];
  readonly #sentEvents: number[] = [];
  #listener: ((event: StreamEvent<'user'>) => void) | null = null;
  #stateIndex = 0;
  #markPips = 5_000n;

  constructor(states: readonly ServiceState[]) {
    this.states = states;
    vi.setSystemTime(this.state.atMs);
    this.#sendPrice();
    followService(
      { events: this.#streams(), positions: { get: () => Promise.reject(new Error('offline')) } },
      this.queries,
      this.#ending.signal,
    );
    const { id } = this.#answer();
    const list = () => this.#read((position): readonly Position[] => [position]);
    const one = () => this.#read((position) => position);
    new QueryObserver(this.queries, { queryKey: queryKeys.positionList, queryFn: list }).subscribe(() => undefined);
    new QueryObserver(this.queries, { queryKey: queryKeys.position(id), queryFn: one }).subscribe(() => undefined);
  }

  get state(): ServiceState {
    const state = this.states[this.#stateIndex];
    if (state === undefined) throw new Error('no such state');
    return state;
  }

  get moment(): Moment {
    return { markPips: this.#markPips, nowMs: Date.now() };
  }

  async play(command: Command): Promise<void> {
    switch (command.kind) {
      case 'change':
        return this.#change();
      case 'event':
        return this.#deliver(this.#waitingEvents.splice(command.index % (this.#waitingEvents.length || 1), 1)[0]);
      case 'repeat':
        return this.#deliver(this.#sentEvents[command.index % (this.#sentEvents.length || 1)]);
      case 'answer':
        return this.#pendingReads.splice(command.index % (this.#pendingReads.length || 1), 1)[0]?.();
      case 'pass':
        await vi.advanceTimersByTimeAsync(command.ms);
        return;
      case 'price':
        this.#markPips = command.markPips;
        this.#sendPrice();
    }
  }

  /** Deliver every event and answer every read, until the page asks for nothing more. */
  async rest(): Promise<void> {
    while (this.#waitingEvents.length > 0) await this.play({ kind: 'event', index: 0 });
    await vi.advanceTimersByTimeAsync(2_500);
    while (this.#pendingReads.length > 0) {
      await this.play({ kind: 'answer', index: 0 });
      await vi.advanceTimersByTimeAsync(2_500);
    }
  }

  /** Return the positions that the page shows now: that of its own page, and that of the list. */
  frames(): readonly Position[] {
    const { id } = this.#answer();
    const one = this.queries.getQueryData<Position>(queryKeys.position(id));
    const list = this.queries.getQueryData<readonly Position[]>(queryKeys.positionList) ?? [];
    return [...(one === undefined ? [] : [one]), ...list].map((position) => livePositionOf(position, false).position);
  }

  async end(): Promise<void> {
    await this.rest();
    this.#ending.abort();
    this.queries.clear();
    vi.clearAllTimers();
  }

  #change(): void {
    if (this.#stateIndex + 1 === this.states.length) return;
    this.#stateIndex += 1;
    if (this.state.atMs > Date.now()) vi.setSystemTime(this.state.atMs);
    this.#sendPrice();
    this.#waitingEvents.push(this.#stateIndex);
  }

  #answer(): Position {
    return presentedAt(this.state, this.moment, 'answer');
  }

  /** Read the state of now; the answer arrives by a command. */
  #read<Data>(dataOf: (position: Position) => Data): Promise<Data> {
    const data = dataOf(this.#answer());
    return new Promise((resolve) => {
      this.#pendingReads.push(() => resolve(data));
    });
  }

  #deliver(index: number | undefined): void {
    const state = index === undefined ? undefined : this.states[index];
    if (index === undefined || state === undefined) return;
    this.#sentEvents.push(index);
    const data = presentedAt(state, this.moment, 'event');
    this.#listener?.({ type: 'position.updated', data } as StreamEvent<'user'>);
  }

  #sendPrice(): void {
    const [yes, no] = [String(this.#markPips), String(wholePips - this.#markPips)];
    const prices = {
      yes_bid_price_usd_pips: yes,
      no_bid_price_usd_pips: no,
    } as PricesFrame['markets'][number]['prices'];
    const market = { ticker, prices, yes_mark_price_usd_pips: yes, no_mark_price_usd_pips: no };
    recordLivePrices({ at: new Date(Date.now()).toISOString(), markets: [market] }, Date.now());
  }

  #streams(): ServiceStreams {
    const nothing = { next: () => new Promise<never>(() => undefined) };
    const markets = { followPrices: () => undefined, [Symbol.asyncIterator]: () => nothing };
    return { stream: () => this.#stream(), markets: () => markets };
  }

  async *#stream(): AsyncGenerator<StreamEvent<'user'>> {
    const waiting: StreamEvent<'user'>[] = [];
    let wake = (): void => undefined;
    this.#listener = (event) => {
      waiting.push(event);
      wake();
    };
    for (;;) {
      yield* waiting.splice(0);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pips = (units: bigint): bigint => units / 100n;
const isNear = (left: bigint, right: bigint): boolean => left - right <= roundingPips && right - left <= roundingPips;

/** Rounding of a sum of figures to pips. */
const roundingPips = 5n;

function figuresOf(position: Position) {
  const { status, entry, fees } = position;
  if (!('current' in position)) return { status, entry, fees, result: position.result };
  const { current, risk, timing, basis, unwinds } = position;
  return { status, entry, fees, current, risk, market: timing.market_status, basis, unwinds };
}

/** Return the last state that the service shows like a frame, at the same mark and moment; undefined without one. */
function stateOf(frame: Position, { states, moment }: Scene): ServiceState | undefined {
  const text = JSON.stringify(figuresOf(frame));
  return states.findLast((state) => JSON.stringify(figuresOf(presentedAt(state, moment, 'answer'))) === text);
}

/** Return the laws that the figures of a frame break: what a position has, owes, paid and received adds up. */
function brokenLawsOf(frame: Position, scene: Scene): readonly string[] {
  const state = stateOf(frame, scene);
  const laws = 'current' in frame ? openLawsOf(frame, state, scene.moment) : closedLawsOf(frame, state);
  return Object.entries({ 'is a state of the service': state !== undefined, ...laws })
    .filter(([, isKept]) => !isKept)
    .map(([law]) => law);
}

function closedLawsOf({ result }: ClosedPosition, state: ServiceState | undefined) {
  const profit = pips((state?.paidOutUnits ?? 0n) - (state?.paidInUnits ?? 0n));
  return {
    'profit is paid out less paid in': isNear(BigInt(result.net_realized_pnl_usd_pips), profit),
  };
}

function openLawsOf(frame: OpenPosition, state: ServiceState | undefined, moment: Moment) {
  const { current, risk, basis } = frame;
  const owed = debtAt(frame, moment.nowMs);
  const figures = owed && debtFiguresOf(owed, pricePips(BigInt(current.mark_price_usd_pips)));
  const debt = figures === null ? -1n : pips(raw(figures.owedUsdcUnits));
  const value = BigInt(current.position_value_usd_pips);
  const equity = BigInt(current.effective_collateral_usd_pips);
  const profit = BigInt(current.net_unrealized_pnl_usd_pips);
  const opening = BigInt(basis?.origination_fee_usdc_units ?? 0n) + BigInt(basis?.open_venue_fee_usdc_units ?? 0n);
  const paid = pips((state?.paidOutUnits ?? 0n) - (state?.paidInUnits ?? 0n));
  return {
    'the mark is the streamed one, or the outcome':
      BigInt(current.mark_price_usd_pips) === (state?.payoutPips ?? moment.markPips),
    'the figures of the debt are those of the position':
      figures === null ||
      (pips(raw(figures.equityUsdcUnits)) === equity &&
        (figures.leverageBps && Number(raw(figures.leverageBps))) === current.market_leverage_bps &&
        String(raw(figures.liquidationPricePips)) === risk.current_liquidation_price_usd_pips),
    'equity and debt are the value': isNear(equity, value > debt ? value - debt : 0n),
    'the liquidation price is at most 100 cents': BigInt(risk.current_liquidation_price_usd_pips) <= wholePips,
    'the loss is at most collateral and fees':
      -profit <= BigInt(current.collateral_usd_pips) + pips(opening) + roundingPips,
    'profit is paid out and equity less paid in': state?.isWhole === false || isNear(profit, paid + equity),
  };
}

test('a page shows only states that the service had, whatever order events and answers arrive in', async () => {
  let shownCount = 0;
  await fc.assert(
    fc.asyncProperty(anyStates, fc.array(anyCommand, { minLength: 12, maxLength: 40 }), async (states, commands) => {
      const scene = new Scene(states);
      try {
        for (const command of commands) {
          await scene.play(command);
          await vi.advanceTimersByTimeAsync(0);
          const frames = scene.frames();
          shownCount += frames.length;
          expect(frames.map((frame) => brokenLawsOf(frame, scene))).toEqual(frames.map(() => []));
        }
        await scene.rest();
        const last = presentedAt(scene.state, scene.moment, 'answer');
        for (const frame of scene.frames()) expect(figuresOf(frame)).toEqual(figuresOf(last));
      } finally {
        await scene.end();
      }
    }),
    { numRuns: 300 },
  );
  expect(shownCount).toBeGreaterThan(1_000);
});

import type { CoverInputs, MarketSnapshot, PolicyConfig } from '@core/policy';
import { liquidationPriceAt, type Position, plannedPrincipalOf } from '@core/position';
import { compare, isZero, type PricePips, raw } from '@core/pricing';
import { CoverWatch, type WatchedDebt } from './coverWatch.ts';
import { DebtIndex } from './debtIndex.ts';
import { ExitTimer, type ExitTimerOptions } from './exitTimer.ts';
import { HardExits } from './hardExits.ts';

/** Fees raise a liquidation price with time: a place in the index holds for a day, and is renewed after half of it. */
const validMs = 24 * 3_600_000;
const renewedAfterMs = validMs / 2;

/** Positions by token. */
type Due = Map<string, Set<string>>;

/** Why a debt has to go, the most urgent first. */
export const dueReasons = ['liquidation', 'hard_exit', 'unwind'] as const;
export type DueReason = (typeof dueReasons)[number];

export interface FollowedDebt {
  readonly position: Position;
  /** Of its market. */
  readonly ticker: string;
  readonly keyedAtMs: number;
}

/** A token as it is seen now: null is what cannot be read. */
export interface TokenReading {
  /** That a forced sale may rest on. */
  readonly markPricePips: PricePips | null;
  readonly snapshot: MarketSnapshot | null;
  readonly nowMs: number;
}

/** The positions that owe something, and which of them are due at the last look at their token. */
export class FollowedDebts {
  readonly #index = new DebtIndex();
  /** Committed positions by the trigger of their next rung. */
  readonly #rungs = new DebtIndex();
  readonly #covers: CoverWatch;
  readonly #hardExits: HardExits;
  readonly #timer: ExitTimer;
  /** In the order of `keyedAtMs`, so that the oldest places come first. */
  readonly #followed = new Map<string, FollowedDebt>();
  /** Per token, the ticker of its market. */
  readonly #tickers = new Map<string, string>();
  /** What the last mark and the last readable cover made due: liquidations within a day, rungs, unwinds. */
  readonly #dueByMark: Due = new Map();
  readonly #dueByRung: Due = new Map();
  readonly #dueByCover: Due = new Map();
  /** Those due by mark that the vault lets be liquidated now. */
  readonly #liquidatable: Due = new Map();
  /** Taken in since the last look at their token. */
  readonly #changed: Due = new Map();

  constructor(policy: PolicyConfig, timing: ExitTimerOptions) {
    this.#covers = new CoverWatch(policy);
    this.#hardExits = new HardExits(policy);
    this.#timer = new ExitTimer(timing);
  }

  get size(): number {
    return this.#followed.size;
  }

  /** Every position that is followed. */
  get all(): readonly FollowedDebt[] {
    return [...this.#followed.values()];
  }

  get timer(): Pick<ExitTimer, 'measure' | 'waiting'> {
    return this.#timer;
  }

  /** Positions whose hard exit is in force. */
  get pastHardExit(): ReadonlySet<string> {
    return this.#hardExits.inForce;
  }

  of(positionKey: string): FollowedDebt | undefined {
    return this.#followed.get(positionKey);
  }

  /** Ticker of the market of a token that is owed on; null for any other. */
  tickerOf(tokenId: string): string | null {
    return this.#tickers.get(tokenId) ?? null;
  }

  /** Those whose place has grown old. Costs what there is to do. */
  agedAt(nowMs: number): readonly FollowedDebt[] {
    const aged: FollowedDebt[] = [];
    for (const followed of this.#followed.values()) {
      if (nowMs - followed.keyedAtMs < renewedAfterMs) break;
      aged.push(followed);
    }
    return aged;
  }

  /** Takes in a position that owes something, in place of what was known of it; the next look calls it when due. */
  put(
    debt: FollowedDebt,
    { snapshot, wasHardExitInForce }: Pick<TokenReading, 'snapshot'> & { readonly wasHardExitInForce: boolean },
  ): void {
    const { position, ticker, keyedAtMs } = debt;
    const { positionKey, venueTokenId: tokenId } = position;
    const aheadMs = keyedAtMs + validMs;
    this.#index.put({ positionKey, tokenId, dueAtOrBelow: raw(liquidationPriceAt(position, aheadMs)) });
    const trigger = nextTriggerOf(position);
    if (trigger === null) this.#rungs.remove(positionKey);
    else this.#rungs.put({ positionKey, tokenId, dueAtOrBelow: raw(trigger) });
    this.#covers.put(position, aheadMs);
    this.#hardExits.put(position, { marketKey: ticker, snapshot }, wasHardExitInForce);
    this.#followed.delete(positionKey);
    this.#followed.set(positionKey, debt);
    this.#tickers.set(tokenId, ticker);
    this.#changed.set(tokenId, (this.#changed.get(tokenId) ?? new Set()).add(positionKey));
  }

  remove(positionKey: string): void {
    const tokenId = this.#followed.get(positionKey)?.position.venueTokenId;
    if (tokenId === undefined) return;
    this.#index.remove(positionKey);
    this.#rungs.remove(positionKey);
    this.#covers.remove(positionKey);
    this.#hardExits.remove(positionKey);
    this.#timer.stop(positionKey);
    this.#followed.delete(positionKey);
    const sets = [...this.#dues, this.#liquidatable, this.#changed];
    for (const set of sets) set.get(tokenId)?.delete(positionKey);
    if (this.#index.holds(tokenId)) return;
    for (const byToken of [this.#tickers, ...sets]) byToken.delete(tokenId);
  }

  /** Looks at a token; the positions that have become due since the last look. */
  look(tokenId: string, { markPricePips, snapshot, nowMs }: TokenReading): readonly string[] {
    const marketKey = this.#tickers.get(tokenId);
    if (marketKey === undefined) return [];
    const before = new Set(this.#dues.flatMap((due) => [...(due.get(tokenId) ?? [])]));
    const changed = this.#changed.get(tokenId) ?? new Set();
    this.#changed.delete(tokenId);
    const mark = markPricePips === null ? null : raw(markPricePips);
    const byMark = mark === null ? null : this.#index.dueAt(tokenId, mark);
    const byRung = mark === null ? null : this.#rungs.dueAt(tokenId, mark);
    const byCover = this.#covers.look(tokenId, snapshot);
    const isLiquidatable = (positionKey: string): boolean => {
      const position = this.#followed.get(positionKey)?.position;
      return position !== undefined && mark !== null && raw(liquidationPriceAt(position, nowMs)) >= mark;
    };
    // What cannot be read says nothing: what was due stays so until its market recovers.
    if (byMark !== null) this.#dueByMark.set(tokenId, new Set(byMark));
    if (byMark !== null) this.#liquidatable.set(tokenId, new Set(byMark.filter(isLiquidatable)));
    if (byRung !== null) this.#dueByRung.set(tokenId, new Set(byRung));
    if (byCover !== null) this.#dueByCover.set(tokenId, new Set(byCover));
    this.#hardExits.look({ marketKey, snapshot });
    const due = new Set([...(byMark ?? []), ...(byRung ?? []), ...(byCover ?? [])]);
    for (const positionKey of new Set([...before, ...due, ...changed])) this.#time(positionKey);
    const added = [...due].filter((positionKey) => !before.has(positionKey) || changed.has(positionKey));
    return [...added, ...this.takeHardExits(nowMs)];
  }

  /** Positions whose hard exit has come into force since the last call. */
  takeHardExits(nowMs: number): readonly string[] {
    const found = this.#hardExits.takeNew(nowMs);
    for (const positionKey of found) this.#time(positionKey);
    return found;
  }

  /** Every position that is due. */
  dueNow(): readonly string[] {
    const due = [...this.#dues.flatMap((byToken) => [...byToken.values()]), this.#hardExits.inForce];
    return [...new Set(due.flatMap((positionKeys) => [...positionKeys]))];
  }

  /** Why the debt of a position is due, the most urgent reason; null while it is not. */
  dueBy(positionKey: string): DueReason | null {
    if (this.#isIn([this.#dueByMark], positionKey)) return 'liquidation';
    if (this.#hardExits.inForce.has(positionKey)) return 'hard_exit';
    return this.#isIn([this.#dueByCover, this.#dueByRung], positionKey) ? 'unwind' : null;
  }

  /**
   * Whether a sale may be forced now. By a mark alone a position is due a day of fees before the vault lets it be
   * liquidated: it is looked at, and no one waits for it.
   */
  isCalledFor(positionKey: string): boolean {
    const isInForce = this.#hardExits.inForce.has(positionKey);
    return isInForce || this.#isIn([this.#dueByCover, this.#dueByRung, this.#liquidatable], positionKey);
  }

  /** What the cover of a debt rested on when it last held; null when that was not seen. */
  lastCovered(tokenId: string, debt: WatchedDebt): CoverInputs | null {
    return this.#covers.lastCovered(tokenId, debt);
  }

  get #dues(): readonly Due[] {
    return [this.#dueByMark, this.#dueByRung, this.#dueByCover];
  }

  #isIn(dues: readonly Due[], positionKey: string): boolean {
    const tokenId = this.#followed.get(positionKey)?.position.venueTokenId ?? '';
    return dues.some((due) => due.get(tokenId)?.has(positionKey) === true);
  }

  /** Counts how long a forced sale has been called for, as long as one is. */
  #time(positionKey: string): void {
    if (this.isCalledFor(positionKey)) this.#timer.start(positionKey);
    else this.#timer.stop(positionKey);
  }
}

/** False when a position owes nothing that a sale could repay. */
export function isOwing(position: Position, nowMs: number): boolean {
  return position.chainState === 'open' && !isZero(liquidationPriceAt(position, nowMs + validMs));
}

/** Trigger of the first rung whose target the principal is still above; null without such a rung. */
function nextTriggerOf({ quotedRisk, collateralUsdcUnits, principalUsdcUnits }: Position): PricePips | null {
  const next = quotedRisk?.plannedUnwinds.find(
    ({ targetLeverageBps }) =>
      compare(plannedPrincipalOf(collateralUsdcUnits, targetLeverageBps), principalUsdcUnits) < 0,
  );
  return next?.triggerPricePips ?? null;
}

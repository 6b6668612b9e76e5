import type { MarketSnapshot } from '@core/market';
import type { CoverInputs, PolicyConfig } from '@core/policy';
import { liquidationPriceAt, type Position, plannedPrincipalOf } from '@core/position';
import { compare, isZero, type PricePips, raw } from '@core/pricing';
import type { Clock } from '@core/runtime';
import type { ExitSale } from '@core/store';
import { CoverWatch, type WatchedDebt } from './coverWatch.ts';
import { DebtIndex } from './debtIndex.ts';
import { HardExits } from './hardExits.ts';

/**
 * Validity of an index key: fees raise a liquidation price with time, so a key is exact a day ahead and renewed after
 * half of it.
 */
const validMs = 24 * 3_600_000;
const renewedAfterMs = validMs / 2;

/** Reasons why a debt is due, the most urgent first. */
export const dueReasons = ['liquidation', 'hard_exit', 'unwind'] as const;
export type DueReason = (typeof dueReasons)[number];

export interface FollowedDebt {
  readonly position: Position;
  /** Of its market. */
  readonly ticker: string;
  readonly keyedAtMs: number;
}

/** Market data of a token; null where it cannot be read. */
export interface TokenReading {
  /** Mark for a forced sale. */
  readonly markPricePips: PricePips | null;
  readonly snapshot: MarketSnapshot | null;
  readonly nowMs: number;
}

/** A debt that is due. */
export interface DueDebt {
  readonly positionKey: string;
  /** The most urgent reason. */
  readonly reason: DueReason;
  /** Service time since which a sale has been due; null while only the mark of a day ahead is reached. */
  readonly sinceMs: number | null;
}

export interface DueTiming {
  readonly clock: Clock;
  /** Monotonic milliseconds: moving the service clock makes no sale longer. */
  readonly now: () => number;
}

/** Start of a due sale, on the service clock and on the monotonic clock. */
interface DueSale {
  readonly dueAtMs: number;
  readonly startedAtMs: number;
}

/** Followed positions of a token, by the condition that made them due at the last evaluation. */
interface TokenDebts {
  ticker: string;
  /** Positions changed since the last evaluation. */
  changed: Set<string>;
  /** Positions at or above the mark a day ahead. */
  byMark: Set<string>;
  /** Those of them that the vault allows to be liquidated now. */
  liquidatable: Set<string>;
  /** Committed positions whose next rung is triggered. */
  byRung: Set<string>;
  byCover: Set<string>;
}

const setsOf = (debts: TokenDebts) => [debts.changed, debts.byMark, debts.liquidatable, debts.byRung, debts.byCover];

/**
 * Positions with debt, and the one answer to which of them are due, why, and since when: by mark, rung and cover at the
 * last evaluation of their token, and by the deadlines of their markets.
 */
export class DueDebts {
  readonly #timing: DueTiming;
  readonly #index = new DebtIndex();
  /** Committed positions by the trigger of their next rung. */
  readonly #rungs = new DebtIndex();
  readonly #covers: CoverWatch;
  readonly #hardExits: HardExits;
  /** Ordered by `keyedAtMs`, so that aged keys come first. */
  readonly #followed = new Map<string, FollowedDebt>();
  readonly #byToken = new Map<string, TokenDebts>();
  /** Sales that are due, by position. */
  readonly #sales = new Map<string, DueSale>();

  constructor(policy: PolicyConfig, timing: DueTiming) {
    this.#timing = timing;
    this.#covers = new CoverWatch(policy);
    this.#hardExits = new HardExits(policy);
  }

  get size(): number {
    return this.#followed.size;
  }

  /** Every followed position. */
  get all(): readonly FollowedDebt[] {
    return [...this.#followed.values()];
  }

  /** Positions whose hard exit is in force. */
  get pastHardExit(): ReadonlySet<string> {
    return this.#hardExits.inForce;
  }

  of(positionKey: string): FollowedDebt | undefined {
    return this.#followed.get(positionKey);
  }

  /** Return the ticker of a token with debt; null for any other. */
  tickerOf(tokenId: string): string | null {
    return this.#byToken.get(tokenId)?.ticker ?? null;
  }

  /** Return the positions with an aged key. Costs O(aged). */
  agedAt(nowMs: number): readonly FollowedDebt[] {
    const aged: FollowedDebt[] = [];
    for (const followed of this.#followed.values()) {
      if (nowMs - followed.keyedAtMs < renewedAfterMs) break;
      aged.push(followed);
    }
    return aged;
  }

  /** Add or replace a position with debt; the next evaluation reports it when due. */
  put(
    debt: FollowedDebt,
    { snapshot, wasHardExitInForce }: Pick<TokenReading, 'snapshot'> & { readonly wasHardExitInForce: boolean },
  ): void {
    const { position, ticker, keyedAtMs } = debt;
    const { positionKey, venueTokenId: tokenId } = position;
    const aheadMs = keyedAtMs + validMs;
    // Stored first, so that a debt that fails part-way is removed as a whole.
    this.#followed.delete(positionKey);
    this.#followed.set(positionKey, debt);
    const debts = this.#byToken.get(tokenId) ?? noneDue(ticker);
    debts.ticker = ticker;
    this.#byToken.set(tokenId, debts);
    this.#index.put({ positionKey, tokenId, dueAtOrBelow: raw(liquidationPriceAt(position, aheadMs)) });
    const trigger = nextTriggerOf(position);
    if (trigger === null) this.#rungs.remove(positionKey);
    else this.#rungs.put({ positionKey, tokenId, dueAtOrBelow: raw(trigger) });
    this.#covers.put(position, aheadMs);
    this.#hardExits.put(position, { marketKey: ticker, snapshot }, wasHardExitInForce);
    debts.changed.add(positionKey);
  }

  remove(positionKey: string): void {
    const tokenId = this.#followed.get(positionKey)?.position.venueTokenId;
    if (tokenId === undefined) return;
    this.#index.remove(positionKey);
    this.#rungs.remove(positionKey);
    this.#covers.remove(positionKey);
    this.#hardExits.remove(positionKey);
    this.#sales.delete(positionKey);
    this.#followed.delete(positionKey);
    const debts = this.#byToken.get(tokenId);
    for (const set of debts === undefined ? [] : setsOf(debts)) set.delete(positionKey);
    if (!this.#index.hasToken(tokenId)) this.#byToken.delete(tokenId);
  }

  /** Evaluate a token. Return the positions that became due since the last evaluation. */
  evaluate(tokenId: string, { markPricePips, snapshot, nowMs }: TokenReading): readonly string[] {
    const debts = this.#byToken.get(tokenId);
    if (debts === undefined) return [];
    const before = new Set([...debts.byMark, ...debts.byRung, ...debts.byCover]);
    const { changed } = debts;
    debts.changed = new Set();
    const byCover = this.#covers.evaluate(tokenId, snapshot);
    // An unreadable market changes nothing: due positions remain due until it recovers.
    if (byCover !== null) debts.byCover = new Set(byCover);
    if (markPricePips !== null) this.#evaluateMark(tokenId, debts, { mark: raw(markPricePips), nowMs });
    this.#hardExits.evaluate({ marketKey: debts.ticker, snapshot });
    const isRead = markPricePips !== null;
    const due = new Set([...(isRead ? [...debts.byMark, ...debts.byRung] : []), ...(byCover ?? [])]);
    for (const positionKey of new Set([...before, ...due, ...changed])) this.#timeSale(positionKey);
    const added = [...due].filter((positionKey) => !before.has(positionKey) || changed.has(positionKey));
    return [...added, ...this.takeHardExits(nowMs)];
  }

  /** Return the positions whose hard exit came into force since the last call. */
  takeHardExits(nowMs: number): readonly string[] {
    const positionKeys = this.#hardExits.takeNew(nowMs);
    for (const positionKey of positionKeys) this.#timeSale(positionKey);
    return positionKeys;
  }

  /** Return every due debt. */
  due(): readonly DueDebt[] {
    const byToken = [...this.#byToken.values()].flatMap(({ byMark, byRung, byCover }) => [byMark, byRung, byCover]);
    const positionKeys = new Set([...byToken, this.#hardExits.inForce].flatMap((keys) => [...keys]));
    return [...positionKeys].flatMap((positionKey) => this.dueOf(positionKey) ?? []);
  }

  /** Return the debt of a position while it is due; null otherwise. */
  dueOf(positionKey: string): DueDebt | null {
    const reason = this.#reasonOf(positionKey);
    return reason && { positionKey, reason, sinceMs: this.#sales.get(positionKey)?.dueAtMs ?? null };
  }

  /**
   * Return true when a sale may be forced now. By the mark alone a position is due a day of fees before the vault
   * allows its liquidation: it is polled, and its sale is not measured.
   */
  isSaleDue(positionKey: string): boolean {
    const debts = this.#debtsOf(positionKey);
    const isDue = [debts?.byCover, debts?.byRung, debts?.liquidatable].some((keys) => keys?.has(positionKey) === true);
    return isDue || this.#hardExits.inForce.has(positionKey);
  }

  /** Return the duration of a due sale so far; null when none is due. */
  saleOf(positionKey: string): Omit<ExitSale, 'category'> | null {
    const sale = this.#sales.get(positionKey);
    if (sale === undefined) return null;
    return { positionKey, dueAtMs: sale.dueAtMs, durationMs: this.#timing.now() - sale.startedAtMs };
  }

  /** Return every due sale. */
  sales(): readonly Omit<ExitSale, 'category'>[] {
    return [...this.#sales.keys()].flatMap((positionKey) => this.saleOf(positionKey) ?? []);
  }

  /** Return the cover inputs at which a debt was last covered; null when none was recorded. */
  lastCoverOf(tokenId: string, debt: WatchedDebt): CoverInputs | null {
    return this.#covers.lastCoverOf(tokenId, debt);
  }

  #evaluateMark(
    tokenId: string,
    debts: TokenDebts,
    { mark, nowMs }: { readonly mark: bigint; readonly nowMs: number },
  ): void {
    const isLiquidatable = (positionKey: string): boolean => {
      const position = this.#followed.get(positionKey)?.position;
      return position !== undefined && raw(liquidationPriceAt(position, nowMs)) >= mark;
    };
    debts.byMark = new Set(this.#index.dueAt(tokenId, mark));
    debts.liquidatable = new Set([...debts.byMark].filter(isLiquidatable));
    debts.byRung = new Set(this.#rungs.dueAt(tokenId, mark));
  }

  #debtsOf(positionKey: string): TokenDebts | undefined {
    return this.#byToken.get(this.#followed.get(positionKey)?.position.venueTokenId ?? '');
  }

  #reasonOf(positionKey: string): DueReason | null {
    const debts = this.#debtsOf(positionKey);
    if (debts?.byMark.has(positionKey)) return 'liquidation';
    if (this.#hardExits.inForce.has(positionKey)) return 'hard_exit';
    return debts?.byCover.has(positionKey) || debts?.byRung.has(positionKey) ? 'unwind' : null;
  }

  /** Measure a sale while it is due. */
  #timeSale(positionKey: string): void {
    if (!this.isSaleDue(positionKey)) this.#sales.delete(positionKey);
    else if (!this.#sales.has(positionKey)) {
      const { clock, now } = this.#timing;
      this.#sales.set(positionKey, { dueAtMs: clock.nowMs(), startedAtMs: now() });
    }
  }
}

const noneDue = (ticker: string): TokenDebts => ({
  ticker,
  changed: new Set(),
  byMark: new Set(),
  liquidatable: new Set(),
  byRung: new Set(),
  byCover: new Set(),
});

/** Return true when a position has debt that a sale could repay. */
export function isOwing(position: Position, nowMs: number): boolean {
  return position.chainState === 'open' && !isZero(liquidationPriceAt(position, nowMs + validMs));
}

/** Return the trigger of the first rung whose target is below the principal; null without one. */
function nextTriggerOf({ quotedRisk, collateralUsdcUnits, principalUsdcUnits }: Position): PricePips | null {
  const next = quotedRisk?.plannedUnwinds.find(
    ({ targetLeverageBps }) =>
      compare(plannedPrincipalOf(collateralUsdcUnits, targetLeverageBps), principalUsdcUnits) < 0,
  );
  return next?.triggerPricePips ?? null;
}

import type { Settlement, SettlementMatch, SettlementResult } from '../settlement/settlement.ts';
import type { TradeRecord, TradeStatus } from './records.ts';
import type { VenueFeed } from './venueFeed.ts';

interface SettlementTask {
  readonly trade: TradeRecord;
  readonly match: SettlementMatch;
  /** Number of attempts forced to revert; null for an honest match. */
  readonly ghostAttempts: number | null;
  attempts: number;
  dueMs: number;
  next: 'send' | 'confirm';
}

/** Attempts for a match that reverts and is not a ghost fill. */
const honestAttempts = 3;

export interface SettlementTimes {
  /** Delay between a reverted attempt and the next one. */
  readonly retryMs: number;
  /** Delay between MINED and CONFIRMED. */
  readonly confirmMs: number;
}

/** Settlement of matches through MATCHED → MINED → CONFIRMED, or RETRYING → FAILED, on the venue's clock. */
export class SettlementQueue {
  readonly #settlement: Settlement;
  readonly #feed: VenueFeed;
  readonly #nowMs: () => number;
  readonly #times: SettlementTimes;
  readonly #onFault: (what: string, error: unknown) => void;
  readonly #onQueued: (trade: TradeRecord, match: SettlementMatch) => void;
  #waiting: SettlementTask[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(parameters: {
    readonly settlement: Settlement;
    readonly feed: VenueFeed;
    readonly nowMs: () => number;
    readonly times: SettlementTimes;
    readonly onFault: (what: string, error: unknown) => void;
    /** Called with every match before it is queued. */
    readonly onQueued?: (trade: TradeRecord, match: SettlementMatch) => void;
  }) {
    this.#settlement = parameters.settlement;
    this.#feed = parameters.feed;
    this.#nowMs = parameters.nowMs;
    this.#times = parameters.times;
    this.#onFault = parameters.onFault;
    this.#onQueued = parameters.onQueued ?? (() => undefined);
  }

  /** Trades that are neither confirmed nor failed. */
  get openCount(): number {
    return this.#waiting.length + this.#running.size;
  }

  add(trade: TradeRecord, match: SettlementMatch): void {
    this.#onQueued(trade, match);
    const { effects } = trade.market;
    const nowMs = this.#nowMs();
    const ghost = effects.takeGhost();
    const ghostAttempts = ghost === null ? null : ghost.retries + 1;
    const dueMs = nowMs + effects.settleDelayMsAt(nowMs);
    this.#waiting.push({ trade, match, ghostAttempts, attempts: 0, dueMs, next: 'send' });
  }

  /** Resume a match of an earlier run: confirm it when mined, otherwise send it. */
  resume(trade: TradeRecord, match: SettlementMatch, isMined: boolean): void {
    if (isMined) this.#mark(trade, 'MINED');
    const next = isMined ? 'confirm' : 'send';
    this.#waiting.push({ trade, match, ghostAttempts: null, attempts: 0, dueMs: this.#nowMs(), next });
  }

  /** Start all steps that are due. */
  run(): void {
    const nowMs = this.#nowMs();
    const due = this.#waiting.filter((task) => task.dueMs <= nowMs);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter((task) => task.dueMs > nowMs);
    for (const task of due) {
      if (task.next === 'confirm') {
        this.#mark(task.trade, 'CONFIRMED');
        continue;
      }
      const running = this.#send(task).finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
  }

  /** Wait until all started steps have ended. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #send(task: SettlementTask): Promise<void> {
    const { trade, ghostAttempts } = task;
    task.attempts += 1;
    const { transactionHash, isSuccess } = await this.#attempt(task);
    trade.transactionHash = transactionHash;
    if (isSuccess) {
      this.#mark(trade, 'MINED');
      this.#again(task, 'confirm', this.#times.confirmMs);
      return;
    }
    if (task.attempts >= (ghostAttempts ?? honestAttempts)) {
      this.#mark(trade, 'FAILED');
      return;
    }
    this.#mark(trade, 'RETRYING');
    this.#again(task, 'send', this.#times.retryMs);
  }

  /** Send a match. An unreachable chain counts as a failed attempt. */
  async #attempt(task: SettlementTask): Promise<SettlementResult> {
    try {
      return await this.#settlement.settle(task.match, task.ghostAttempts !== null);
    } catch (error) {
      this.#onFault(`settling ${task.trade.id}`, error);
      return { transactionHash: null, isSuccess: false };
    }
  }

  #again(task: SettlementTask, next: SettlementTask['next'], afterMs: number): void {
    task.next = next;
    task.dueMs = this.#nowMs() + afterMs;
    this.#waiting.push(task);
  }

  #mark(trade: TradeRecord, status: TradeStatus): void {
    trade.status = status;
    trade.updatedMs = this.#nowMs();
    this.#feed.trade(trade);
  }
}

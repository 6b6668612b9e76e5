import type { OrderRecord } from './records.ts';

/** Accepted orders that the venue matches only after the taker delay of their market. */
export class DelayedOrders {
  readonly #dueMs = new Map<OrderRecord, number>();

  add(record: OrderRecord, dueMs: number): void {
    this.#dueMs.set(record, dueMs);
  }

  /** Remove an order; false when it was not delayed. */
  remove(record: OrderRecord): boolean {
    return this.#dueMs.delete(record);
  }

  /** Remove and return the orders whose delay is over, oldest first. */
  takeDue(nowMs: number): readonly OrderRecord[] {
    const due = [...this.#dueMs].filter(([, dueMs]) => dueMs <= nowMs).map(([record]) => record);
    for (const record of due) this.#dueMs.delete(record);
    return due;
  }
}

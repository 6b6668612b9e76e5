/** A callback at an instant. The order of equal instants is the order in which they were added. */
export interface QueuedEvent {
  readonly atUs: number;
  readonly order: number;
  /** False once it is cancelled: it leaves the queue without being run. */
  isWanted: boolean;
}

const isBefore = (left: QueuedEvent, right: QueuedEvent): boolean =>
  left.atUs < right.atUs || (left.atUs === right.atUs && left.order < right.order);

/** Events in the order of their instants: a binary heap. */
export class EventQueue<Event extends QueuedEvent> {
  readonly #heap: Event[] = [];

  get size(): number {
    return this.#heap.length;
  }

  add(event: Event): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(event);
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !isBefore(event, parent)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = event;
  }

  /** Return the first event that is wanted, without taking it; undefined when there is none. */
  first(): Event | undefined {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      if (top.isWanted) return top;
      this.#removeTop();
    }
    return undefined;
  }

  /** Take the first event that is wanted. */
  take(): Event | undefined {
    const top = this.first();
    if (top !== undefined) this.#removeTop();
    return top;
  }

  #removeTop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const child = 2 * index + 1;
      const [first, second] = [heap[child], heap[child + 1]];
      if (first === undefined) break;
      const isSecond = second !== undefined && isBefore(second, first);
      const earliest = isSecond ? second : first;
      if (!isBefore(earliest, last)) break;
      heap[index] = earliest;
      index = isSecond ? child + 1 : child;
    }
    heap[index] = last;
  }
}

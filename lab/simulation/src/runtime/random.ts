/**
 * Generator of one stream of random numbers (mulberry32). Each name of a stream begins at another place of the cycle:
 * one more fault changes no latency.
 */
export class Random {
  #state: number;

  constructor(seed: number, stream: string) {
    this.#state = hashOf(`${seed} ${stream}`);
  }

  /** Draw a number from 0 up to, but without, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Draw a whole number from `low` up to, but without, `end`. */
  between(low: number, end: number): number {
    return low + Math.floor(this.next() * (end - low));
  }

  /** Return true in a share of the draws, from 0 to 1. */
  happens(share: number): boolean {
    return this.next() < share;
  }

  /**
   * Draw one of the items.
   * @throws Error when there is none.
   */
  oneOf<Item>(items: readonly Item[]): Item {
    const item = items[this.between(0, items.length)];
    if (item === undefined) throw new Error('nothing to draw from');
    return item;
  }

  /** Fill a view, or a part of it, with random bytes. */
  fillView<View extends ArrayBufferView>(view: View, offset = 0, byteLength = view.byteLength - offset): View {
    const bytes = new Uint8Array(view.buffer, view.byteOffset + offset, byteLength);
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = this.between(0, 256);
    return view;
  }
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}

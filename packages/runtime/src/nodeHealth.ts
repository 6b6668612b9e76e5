/** Time for which a node that failed, or was behind, is tried last. It doubles with each such answer in a row. */
const restMs = 2_000;
const longestRestMs = 64_000;
/** Time without a new head after which the other nodes are asked too: below the limit for the age of a head. */
const stillMs = 10_000;

/** Record of one node. */
interface NodeRecord {
  restsUntilMs: number;
  /** Failures and heads behind that of another node, since its last current answer. */
  setbackCount: number;
  /** True while its last head was behind that of another node: its answers may be about an old block. */
  isBehind: boolean;
  /** True while its last request failed. */
  isFailing: boolean;
}

/** Head that a node gave. */
export interface NodeHead {
  readonly record: NodeRecord;
  readonly head: bigint;
}

/** Nodes of a chain as their last answers show them. */
export interface NodesState {
  readonly count: number;
  /** Nodes that neither failed nor were behind when last asked. One that was not needed yet is among them. */
  readonly answeringCount: number;
  /** Place of the one that serves, from 1 in the operator's order; 0 while none does. */
  readonly serving: number;
}

/**
 * Order in which the nodes of one chain are tried, from their failures and heads. Clients of the same nodes share it:
 * one that reads no heads does not read from a node that another one has seen to be behind.
 */
export class NodeHealth {
  readonly #records: readonly NodeRecord[];
  #highest = -1n;
  #roseAtMs = Number.NEGATIVE_INFINITY;

  /** @param count Number of nodes. */
  constructor(count: number) {
    this.#records = Array.from({ length: count }, newRecord);
  }

  get state(): NodesState {
    const answering = this.#records.map(({ isFailing, isBehind }) => !isFailing && !isBehind);
    const answeringCount = answering.filter(Boolean).length;
    return { count: answering.length, answeringCount, serving: answering.indexOf(true) + 1 };
  }

  /**
   * Return nodes, given in the operator's order, in the order in which to try them. A node that is behind comes last,
   * except for its head.
   */
  ordered<T>(nodes: readonly T[], isForHead: boolean): readonly { readonly node: T; readonly record: NodeRecord }[] {
    const nowMs = performance.now();
    // Zero for nodes that do not rest, so that those keep their order.
    const rankOf = ({ restsUntilMs, isBehind }: NodeRecord): number =>
      Math.max(isBehind && !isForHead ? longestRestMs : 0, restsUntilMs - nowMs);
    return this.#records
      .flatMap((record, index) => {
        const node = nodes[index];
        return node === undefined ? [] : [{ node, record }];
      })
      .toSorted((left, right) => rankOf(left.record) - rankOf(right.record));
  }

  /** Try a node last for a while: for longer with each setback in a row. */
  rest(record: NodeRecord): void {
    const durationMs = Math.min(longestRestMs, restMs * 2 ** Math.max(0, record.setbackCount - 1));
    record.restsUntilMs = performance.now() + durationMs;
  }

  /** Return true for a node that failed a short while ago. One that answers is not delayed by it. */
  isResting({ isFailing, restsUntilMs }: NodeRecord): boolean {
    return isFailing && performance.now() < restsUntilMs;
  }

  /** Record a failure. @param setbackCount Setbacks when the request began: failures of one moment count once. */
  recordFailure(record: NodeRecord, setbackCount: number): void {
    record.isFailing = true;
    record.setbackCount = Math.max(record.setbackCount, setbackCount + 1);
    this.rest(record);
  }

  /** Record an answer. One of a node that is behind proves only that the node answers. */
  recordAnswer(record: NodeRecord): void {
    record.isFailing = false;
    if (!record.isBehind) recover(record);
  }

  /** Return true for a head to trust at once: it rose, or another node had it a short while ago. */
  isCurrent(head: bigint): boolean {
    return head > this.#highest || (head === this.#highest && performance.now() - this.#roseAtMs < stillMs);
  }

  /** Return true for a head that no node has exceeded. */
  isHighest(head: bigint): boolean {
    return head >= this.#highest;
  }

  /** Record the heads of one request: nodes below the furthest one are behind. */
  recordHeads(heads: readonly NodeHead[]): void {
    const furthest = heads.reduce((highest, { head }) => (head > highest ? head : highest), -1n);
    if (furthest > this.#highest) this.#roseAtMs = performance.now();
    // A chain that went back is followed once no node is further.
    this.#highest = furthest;
    for (const { record, head } of heads) {
      if (head === furthest) recover(record);
      else {
        record.isFailing = false;
        record.isBehind = true;
        record.setbackCount += 1;
        this.rest(record);
      }
    }
  }
}

const newRecord = (): NodeRecord => ({
  restsUntilMs: Number.NEGATIVE_INFINITY,
  setbackCount: 0,
  isBehind: false,
  isFailing: false,
});

function recover(record: NodeRecord): void {
  record.isBehind = false;
  record.isFailing = false;
  record.setbackCount = 0;
  record.restsUntilMs = Number.NEGATIVE_INFINITY;
}

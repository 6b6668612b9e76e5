/** Outcome of a part of a batch. */
export type PartOutcome =
  /** Every call has its answer. */
  | { readonly kind: 'answered'; readonly callCount: number }
  /** Some calls have no answer. `isNamed` is true when the node says that size is the reason. */
  | { readonly kind: 'cut'; readonly callCount: number; readonly answerCount: number; readonly isNamed: boolean }
  /** No call has an answer. */
  | { readonly kind: 'refused'; readonly callCount: number; readonly isNamed: boolean }
  /** A call that was sent by itself failed. `isAnswer` is true for a revert and the like. */
  | { readonly kind: 'single'; readonly isAnswer: boolean };

/** State of a batch that is sent in parts. */
export interface BatchSplit {
  /** Size with which the batch began. */
  readonly limit: number;
  /** Size of the next part. */
  readonly size: number;
  /** 0 before a part was answered. */
  readonly largestAnswered: number;
  /** Infinity before a part was refused. */
  readonly smallestRefused: number;
  /** True when the node named size as the reason of a refusal. */
  readonly isNamed: boolean;
  /** True when a call failed by itself, which may have been the reason of each refusal. */
  readonly hasFailure: boolean;
  /** Calls that failed by themselves, one after the other, each without an answer. */
  readonly failuresInRow: number;
}

/** Calls that fail by themselves before the rest of a batch is given up: the node fails, not the size. */
const maxFailuresInRow = 4;

export const splitOf = (limit: number): BatchSplit => ({
  limit,
  size: limit,
  largestAnswered: 0,
  smallestRefused: Number.POSITIVE_INFINITY,
  isNamed: false,
  hasFailure: false,
  failuresInRow: 0,
});

/** Decide the next part after the outcome of one: a refused part is halved, calls behind a bad one are joined again. */
export function decideSplit(split: BatchSplit, outcome: PartOutcome): BatchSplit {
  switch (outcome.kind) {
    case 'answered': {
      const largestAnswered = Math.max(split.largestAnswered, outcome.callCount);
      const next = { ...split, largestAnswered, failuresInRow: 0 };
      return { ...next, size: isOneCall(next) ? doubled(split) : split.size };
    }
    case 'cut': {
      const { callCount, answerCount } = outcome;
      // A single call that is lost says nothing of the size.
      if (!outcome.isNamed && answerCount === callCount - 1) return { ...split, failuresInRow: 0 };
      const answered = decideSplit(split, { kind: 'answered', callCount: answerCount });
      return { ...withRefusal(answered, outcome), size: Math.min(split.size, answerCount) };
    }
    case 'refused':
      return { ...withRefusal(split, outcome), size: Math.ceil(outcome.callCount / 2) };
    case 'single': {
      const failuresInRow = outcome.isAnswer ? 0 : split.failuresInRow + 1;
      const size = outcome.isAnswer && !split.isNamed ? doubled(split) : split.size;
      return { ...split, size, failuresInRow, hasFailure: true };
    }
  }
}

/** True when the node fails by all that the batch shows: its other calls are not sent. */
export const isGivenUp = ({ failuresInRow }: BatchSplit): boolean => failuresInRow >= maxFailuresInRow;

/**
 * Return the size that the node takes; null when the batch does not show it. One bad call also makes a node refuse
 * whole batches, of which some are smaller than others that it takes.
 */
export function observedLimitOf(split: BatchSplit): number | null {
  const { largestAnswered, smallestRefused, isNamed } = split;
  if (largestAnswered === 0 || smallestRefused === Number.POSITIVE_INFINITY || isOneCall(split)) return null;
  return isNamed ? Math.min(largestAnswered, Math.ceil(smallestRefused / 2)) : largestAnswered;
}

/** True when one bad call, not the size, explains the refusals. */
function isOneCall({ largestAnswered, smallestRefused, isNamed, hasFailure }: BatchSplit): boolean {
  if (isNamed) return false;
  return hasFailure || (smallestRefused !== Number.POSITIVE_INFINITY && smallestRefused <= largestAnswered);
}

function withRefusal(
  split: BatchSplit,
  { callCount, isNamed }: { readonly callCount: number; readonly isNamed: boolean },
): BatchSplit {
  const smallestRefused = Math.min(split.smallestRefused, callCount);
  return { ...split, smallestRefused, isNamed: split.isNamed || isNamed };
}

const doubled = ({ limit, size }: BatchSplit): number => Math.min(limit, size * 2);

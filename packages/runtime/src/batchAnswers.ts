import { type Call, errorInBatchOf, isSizeText, type RpcError } from './nodeAnswers.ts';

/** Answer to one call. */
export interface RpcAnswer {
  readonly result?: unknown;
  /** Some nodes write null beside a result. */
  readonly error?: RpcError | null;
}

/** Answers of a node to a batch. */
export interface BatchAnswers {
  /** One for each call, in the order of the calls; null where it has none. */
  readonly answers: readonly (RpcAnswer | null)[];
  /** Error with which the node refused the batch as a whole. */
  readonly refusal: RpcError | null;
  /** True when the node says of calls without an answer that the size is the reason. */
  readonly isNamed: boolean;
}

/**
 * Match the answers of a batch to its calls, which were numbered from 0, in whatever order they come. Nodes refuse a
 * batch by one object, by a list with one error, or by one error for each call.
 */
export function batchAnswersOf(calls: readonly Call[], value: unknown): BatchAnswers {
  const none = { answers: calls.map(() => null), isNamed: false };
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const [only] = Array.isArray(value) ? items : [value];
  if (isRefusal(only) && items.length <= 1) return { ...none, refusal: only.error };
  const byId = new Map(items.filter(isRpcAnswer).map((item) => [idOf(item), item]));
  const answers = calls.map((_, index) => byId.get(String(index)) ?? null);
  const common = commonErrorOf(answers);
  if (common !== null && isSizeText(common.message)) return { ...none, refusal: common };
  const reasons = answers.map((answer, index) => {
    const call = calls[index];
    return call !== undefined && isRefusal(answer) ? errorInBatchOf(call, answer.error) : 'other';
  });
  return {
    answers: answers.map((answer, index) => (reasons[index] === 'other' ? answer : null)),
    refusal: null,
    isNamed: reasons.includes('size'),
  };
}

/** Number of an answer as a text: some nodes write numbers as texts. */
function idOf(answer: object): string | null {
  const id: unknown = Reflect.get(answer, 'id');
  return typeof id === 'number' || typeof id === 'string' ? String(id) : null;
}

/** Return the error that all calls have; null when one has another answer, or none. */
function commonErrorOf(answers: readonly (RpcAnswer | null)[]): RpcError | null {
  const [first] = answers;
  if (!isRefusal(first)) return null;
  const { code, message } = first.error;
  return answers.every((answer) => answer?.error?.code === code && answer.error.message === message)
    ? first.error
    : null;
}

/** True for a JSON-RPC answer: it has a result, or an error in the form of the protocol. */
export function isRpcAnswer(value: unknown): value is RpcAnswer {
  return typeof value === 'object' && value !== null && ('result' in value || isRefusal(value));
}

export function isRefusal(value: unknown): value is { readonly error: RpcError } {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false;
  const { error } = value;
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error)) return false;
  return typeof error.code === 'number' && typeof error.message === 'string';
}

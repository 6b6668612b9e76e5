import { HttpRequestError, RpcRequestError } from 'viem';
import { batchAnswersOf, type RpcAnswer } from './batchAnswers.ts';
import { decideSplit, isGivenUp, observedLimitOf, type PartOutcome, splitOf } from './batchSplit.ts';
import { batchRefusalOf, type Call, isAnswer } from './nodeAnswers.ts';
import { askOne, askTogether, type RpcEndpoint } from './rpcEndpoint.ts';

/** Size of batches, and the receiver of a smaller one. */
export interface BatchLimit {
  readonly size: number;
  lower(size: number): void;
}

interface Waiting {
  readonly call: Call;
  readonly resolve: (answer: RpcAnswer) => void;
  readonly reject: (error: unknown) => void;
}

interface SentPart {
  readonly outcome: PartOutcome;
  /** Calls without an answer, which are sent again. */
  readonly unanswered: readonly Waiting[];
  /** Failure of the calls that are given up. */
  readonly error: unknown;
  /** True when the node does not answer now, whatever the size: the rest of the batch fails. */
  readonly isOver: boolean;
}

/** Parts of one batch that are sent at the same time. */
const maxPartsAtOnce = 8;

/**
 * Return a caller that sends all calls of one cycle of the event loop together, in parts that the node takes. A refused
 * part is halved, so a call that is lost or bad ends up alone and fails alone. Transactions are never part of a batch:
 * nothing sends them twice but the caller.
 */
export function batchedBy(endpoint: RpcEndpoint, limit: BatchLimit): (call: Call) => Promise<RpcAnswer> {
  let waiting: Waiting[] = [];
  const send = (): void => {
    const batch = waiting;
    waiting = [];
    void sendBatch(endpoint, limit, batch);
  };
  return (call) => {
    if (call.method === 'eth_sendRawTransaction') return askOne(endpoint, call);
    return new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject });
      if (waiting.length === 1) setImmediate(send);
    });
  };
}

async function sendBatch(endpoint: RpcEndpoint, limit: BatchLimit, batch: readonly Waiting[]): Promise<void> {
  const [only, ...others] = batch;
  if (only !== undefined && others.length === 0) {
    return askOne(endpoint, only.call).then(only.resolve, only.reject);
  }
  const rest = [...batch];
  let split = splitOf(limit.size);
  const sendParts = async (): Promise<void> => {
    for (let part = rest.splice(0, split.size); part.length > 0; part = rest.splice(0, split.size)) {
      const { outcome, unanswered, error, isOver } = await sendPart(endpoint, part);
      split = decideSplit(split, outcome);
      rest.unshift(...unanswered);
      if (isOver || isGivenUp(split)) for (const { reject } of rest.splice(0)) reject(error);
    }
  };
  const senderCount = Math.min(maxPartsAtOnce, Math.ceil(batch.length / split.size));
  await Promise.all(Array.from({ length: senderCount }, sendParts));
  const size = observedLimitOf(split);
  if (size !== null) limit.lower(size);
}

async function sendPart(endpoint: RpcEndpoint, part: readonly Waiting[]): Promise<SentPart> {
  const [only, ...others] = part;
  if (only !== undefined && others.length === 0) return sendSingle(endpoint, only);
  const callCount = part.length;
  const calls = part.map(({ call }) => call);
  try {
    const { answers, refusal, isNamed } = batchAnswersOf(calls, await askTogether(endpoint, calls));
    const error = refusal === null ? lostIn(endpoint) : refusedBy(endpoint, refusal);
    if (refusal !== null) return refusedPart(part, error);
    for (const [index, { resolve }] of part.entries()) {
      const answer = answers[index] ?? null;
      if (answer !== null) resolve(answer);
    }
    const unanswered = part.filter((_, index) => answers[index] === null);
    const answerCount = callCount - unanswered.length;
    if (answerCount === 0)
      return { outcome: { kind: 'refused', callCount, isNamed }, unanswered, error, isOver: false };
    const isCut = unanswered.length > 0;
    const outcome: PartOutcome = isCut
      ? { kind: 'cut', callCount, answerCount, isNamed }
      : { kind: 'answered', callCount };
    return { outcome, unanswered, error, isOver: false };
  } catch (error) {
    return refusedPart(part, error);
  }
}

/** Send a refused part again in smaller ones, unless its size cannot be the reason. */
function refusedPart(part: readonly Waiting[], error: unknown): SentPart {
  const refusal = batchRefusalOf(error);
  // A node may answer a bad call by refusing all.
  const reason = refusal === 'other' && isAnswer({ method: '' }, error) ? 'unclear' : refusal;
  const outcome: PartOutcome = { kind: 'refused', callCount: part.length, isNamed: reason === 'size' };
  return { outcome, unanswered: part, error, isOver: reason === 'other' };
}

async function sendSingle(endpoint: RpcEndpoint, { call, resolve, reject }: Waiting): Promise<SentPart> {
  try {
    const answer = await askOne(endpoint, call);
    resolve(answer);
    const { error } = answer;
    if (error === undefined || error === null) {
      return { outcome: { kind: 'answered', callCount: 1 }, unanswered: [], error: null, isOver: false };
    }
    const failure = refusedBy(endpoint, error);
    return { ...failedSingle(isAnswer(call, failure)), error: failure };
  } catch (error) {
    reject(error);
    return { ...failedSingle(false), error, isOver: batchRefusalOf(error) === 'other' };
  }
}

const failedSingle = (isOwn: boolean): Omit<SentPart, 'error'> => ({
  outcome: { kind: 'single', isAnswer: isOwn },
  unanswered: [],
  isOver: false,
});

const refusedBy = ({ url }: RpcEndpoint, error: { readonly code: number; readonly message: string }): Error =>
  new RpcRequestError({ body: {}, error, url });

const lostIn = ({ url }: RpcEndpoint): Error =>
  new HttpRequestError({ body: {}, details: 'no answer to the call', url });

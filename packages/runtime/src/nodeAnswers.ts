import { HttpRequestError, RpcRequestError } from 'viem';

/** A JSON-RPC call. */
export interface Call {
  readonly method: string;
  readonly params?: unknown;
}

/** Error of a JSON-RPC answer. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
}

/** JSON-RPC codes of a call that reverted, and of one whose parameters no node takes. */
const executionReverted = 3;
const invalidParams = -32_602;

/** Texts of a node that has a transaction, or another one of its nonce, already: in its pool or in a block. */
const heldTexts: readonly RegExp[] = [
  /nonce (?:is )?too low|OldNonce|OwnNonceAlreadyUsed/i,
  /already known|known transaction|already imported|AlreadyKnown/i,
  /replacement (?:transaction|fee).*(?:underpriced|too low)|ReplacementNotAllowed/i,
];

/**
 * Texts with which nodes refuse a call or a transaction for its own sake, in the words of geth, Bor, Erigon,
 * Nethermind, Besu, anvil and Hardhat: every other node of the chain would say the same.
 */
const answerTexts: readonly RegExp[] = [
  /^(?:execution )?revert|vm exception.*revert/i,
  /out of gas|invalid opcode|invalid jump|stack (?:under|over)flow/i,
  ...heldTexts,
  /nonce (?:is )?too high/i,
  /underpriced|gas price too low|FeeTooLow/i,
  /insufficient (?:funds for|balance)|doesn't have enough funds|exceeds account balance/i,
  /intrinsic gas too low|gas required exceeds|exceeds block gas limit/i,
  /(?:max fee per gas|fee cap) less than|below (?:current )?base fee|priority fee per gas higher than/i,
  /invalid (?:sender|signature|chain id|transaction)/i,
];

/** Texts of a provider that refuses more calls for now, and of one that refuses the caller. */
const rateTexts = /\brate|quota|capacity|per second|per minute|credits|daily/i;
const unknownCallerTexts = /unauthori[sz]ed|api.?key/i;

/** Texts that name the number of calls in a request, and texts that name the size of a request or of its answer. */
const batchTexts =
  /batch|(?:calls|requests|items) (?:in|per) (?:(?:a|an|one|each|single|the|http) )*(?:request|call|array|body)/i;
const sizeTexts = [
  /too many (?:rpc )?(?:calls|items|methods)|too (?:large|big|long)\b|size (?:limit|exceed)/i,
  /(?:body|payload|entity|request|response|content) size/i,
];

/** Statuses and codes of a caller that is refused, or of a node that is away: a smaller batch helps neither. */
const otherStatuses: ReadonlySet<number> = new Set([401, 402, 404, 407, 408, 429, 501, 502, 503, 504]);
const otherCodes: ReadonlySet<number> = new Set([429, -32_005]);
const invalidRequest = -32_600;

/** Failures of a connection that a node ends because a request, or an answer, is too large for it or for us. */
const endedConnections: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_EXCEEDED_MAX_SIZE',
]);

interface Refusal {
  readonly code: number;
  readonly text: string;
  readonly data: unknown;
}

/** The refusal with which a node answered, from any depth of causes; null when the node gave no JSON-RPC answer. */
function refusalOf(error: unknown): Refusal | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 10; cause = cause.cause, depth += 1) {
    if (cause instanceof RpcRequestError) return { code: cause.code, text: cause.details, data: cause.data };
  }
  return null;
}

/**
 * Distinguish a node's answer from a failure of the node. A revert, and a refusal that every node of the chain gives
 * alike, is an answer. Everything else may be a problem of this node, and another one is tried. Ranges of logs are
 * limited by each provider for itself, so none of their refusals is an answer.
 */
export function isAnswer({ method }: Call, error: unknown): boolean {
  const refusal = refusalOf(error);
  if (refusal === null || method === 'eth_getLogs') return false;
  const { code, text, data } = refusal;
  if (code === executionReverted || code === invalidParams || hasRevertData(data)) return true;
  return answerTexts.some((pattern) => pattern.test(text));
}

/** True for an answer of a node that has the transaction, or another one of its nonce, already. */
export const isHeldAnswer = (text: string): boolean => heldTexts.some((pattern) => pattern.test(text));

/** Data of a contract's error: four bytes or more, which nodes put at different depths. */
function hasRevertData(data: unknown): boolean {
  if (typeof data === 'string') return /^(?:reverted )?0x[0-9a-f]{8,}$/i.test(data);
  return typeof data === 'object' && data !== null && 'data' in data && hasRevertData(data.data);
}

/** Reason of a refused batch: its size, by the node's own words; perhaps its size; another one. */
export type BatchRefusal = 'size' | 'unclear' | 'other';

/**
 * Classify why a node refused a whole batch. Providers limit batches each in its own form and words, so everything
 * that is no throttle and no absence of the node may be a limit: smaller batches show it.
 */
export function batchRefusalOf(error: unknown): BatchRefusal {
  const refusal = refusalOf(error);
  if (refusal !== null) return reasonOf(refusal.text, otherCodes.has(refusal.code));
  if (!(error instanceof HttpRequestError)) return 'other';
  const { status, details, cause } = error;
  if (status !== undefined) return reasonOf(details, otherStatuses.has(status));
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined;
  return endedConnections.has(code) ? 'unclear' : 'other';
}

function reasonOf(text: string, isOther: boolean): BatchRefusal {
  if (isBatchText(text)) return 'size';
  if (isOther || rateTexts.test(text) || unknownCallerTexts.test(text)) return 'other';
  return sizeTexts.some((pattern) => pattern.test(text)) ? 'size' : 'unclear';
}

/** True for words about the calls in one request, and not about a rate. */
export const isBatchText = (text: string): boolean => batchTexts.test(text) && !rateTexts.test(text);

/** True for words about the size of a request or of its answer. */
export const isSizeText = (text: string): boolean => reasonOf(text, false) === 'size';

/** Classify why a call of a batch failed: a node may cut a batch short and refuse the calls behind the cut. */
export function errorInBatchOf({ method }: Call, { code, message }: RpcError): BatchRefusal {
  if (isBatchText(message)) return 'size';
  // A range of logs has limits of its own.
  if (method === 'eth_getLogs') return 'other';
  if (/response (?:is )?too (?:large|big)/i.test(message)) return 'size';
  return code === invalidRequest ? 'unclear' : 'other';
}

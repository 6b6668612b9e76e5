import { HttpRequestError, RpcRequestError } from 'viem';

/** A JSON-RPC call. */
export interface Call {
  readonly method: string;
  readonly params?: unknown;
}

/** JSON-RPC codes of a call that reverted, and of one whose parameters no node takes. */
const executionReverted = 3;
const invalidParams = -32_602;

/**
 * Texts with which nodes refuse a call or a transaction for its own sake, in the words of geth, Bor, Erigon,
 * Nethermind, Besu, anvil and Hardhat: every other node of the chain would say the same.
 */
const answerTexts: readonly RegExp[] = [
  /^(?:execution )?revert|vm exception.*revert/i,
  /out of gas|invalid opcode|invalid jump|stack (?:under|over)flow/i,
  /nonce (?:is )?too (?:low|high)|OldNonce|OwnNonceAlreadyUsed/i,
  /already known|known transaction|already imported|AlreadyKnown/i,
  /underpriced|gas price too low|FeeTooLow/i,
  /insufficient (?:funds for|balance)|doesn't have enough funds|exceeds account balance/i,
  /intrinsic gas too low|gas required exceeds|exceeds block gas limit/i,
  /(?:max fee per gas|fee cap) less than|below (?:current )?base fee|priority fee per gas higher than/i,
  /invalid (?:sender|signature|chain id|transaction)/i,
];

/** Texts of a provider that refuses the caller, for which a smaller question would be refused as well. */
const throttleTexts = /rate|quota|capacity|per second|credits|daily|unauthori[sz]ed|api.?key|forbidden/i;

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

/** Data of a contract's error: four bytes or more, which nodes put at different depths. */
function hasRevertData(data: unknown): boolean {
  if (typeof data === 'string') return /^(?:reverted )?0x[0-9a-f]{8,}$/i.test(data);
  return typeof data === 'object' && data !== null && 'data' in data && hasRevertData(data.data);
}

/** True when a node refused a range of blocks and might answer a part of it. */
export function isRangeRefusal(error: unknown): boolean {
  const refusal = refusalOf(error);
  if (refusal !== null) return !throttleTexts.test(refusal.text);
  for (let cause = error, depth = 0; cause instanceof Error && depth < 10; cause = cause.cause, depth += 1) {
    if (cause instanceof HttpRequestError) return cause.status === 400 || cause.status === 413;
  }
  return false;
}

import type { RpcFault } from './settings.ts';

/** JSON-RPC code of a call that reverted. */
const reverted = 3;
const internalError = -32_603;

/** A refusal of a node itself. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  readonly fault: RpcFault;

  constructor(fault: RpcFault) {
    super(fault.message);
    this.fault = fault;
  }
}

/**
 * Return the error of an answer in the form of the local chain's server: the data of a revert as hex, and for all other
 * errors an object that repeats the message.
 */
export function rpcFaultOf(error: unknown): RpcFault {
  if (!(error instanceof Error)) return { code: internalError, message: String(error) };
  if (error instanceof RpcRefusal) return error.fault;
  const code = numberIn(error, 'code');
  const data = objectIn(error, 'data');
  const returned = textIn(error, 'data') ?? textIn(data, 'data');
  if (code === reverted) return { code, message: error.message, data: returned };
  const message = code === undefined ? 'Internal error' : error.message;
  const txHash = textIn(error, 'transactionHash') ?? textIn(data, 'transactionHash');
  return {
    code: code ?? internalError,
    message,
    data: { message, txHash, data: returned, reason: textIn(data, 'reason') },
  };
}

const memberOf = (value: object | undefined, name: string): unknown =>
  value === undefined ? undefined : Reflect.get(value, name);

function textIn(value: object | undefined, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}

function numberIn(value: object, name: string): number | undefined {
  const member = memberOf(value, name);
  return typeof member === 'number' ? member : undefined;
}

function objectIn(value: object, name: string): object | undefined {
  const member = memberOf(value, name);
  return typeof member === 'object' && member !== null ? member : undefined;
}

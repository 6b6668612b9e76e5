import { causesOf } from '../errors/causesOf.ts';
import { LevError } from '../errors/levError.ts';
import type { Surroundings } from '../http/surroundings.ts';
import { TransactionNotSentError, TransactionRevertedError } from './chainErrors.ts';
import { quantityOf, type RpcRequest } from './rpc.ts';

/** Last transaction of a client that is in a block. */
export interface OwnWrites {
  /** Time until which a node may answer with the state before it. */
  unsettledUntilMs: number;
  /** Block of the transaction, 0 before the first. */
  block: number;
  /** Nonce after that of the transaction; null when it is unknown. */
  nextNonce: bigint | null;
}

/** Time in which a node may lack a block that another node has; about half of the 15 seconds of a quote. */
const settlingMs = 8_000;
const pollMs = 500;

type Time = Pick<Surroundings, 'monotonicMs' | 'sleep'>;

/** Record a transaction whose receipt was just read. */
export async function recordWrite(
  writes: OwnWrites,
  { request, hash, block }: { readonly request: RpcRequest; readonly hash: string; readonly block: number | null },
  { monotonicMs }: Time,
): Promise<void> {
  writes.unsettledUntilMs = monotonicMs() + settlingMs;
  writes.block = Math.max(writes.block, block ?? 0);
  writes.nextNonce = await nonceAfter(request, hash);
}

/** Return the nonce after that of a transaction; null when the node does not know it. */
async function nonceAfter(request: RpcRequest, hash: string): Promise<bigint | null> {
  try {
    const { nonce } = Object(await request('eth_getTransactionByHash', [hash]));
    return nonce === undefined ? null : quantityOf(nonce, 'eth_getTransactionByHash') + 1n;
  } catch (cause) {
    if (cause instanceof LevError) return null;
    throw cause;
  }
}

/** Names of reverts that time does not heal. */
const finalReverts: ReadonlySet<string | null> = new Set(['SignatureExpired', 'InvalidQuoteSignature']);

/**
 * Run a simulation. A revert shortly after an own transaction may be of the state before it, because several nodes
 * answer behind one address: it is repeated until the time of the transaction is over.
 *
 * @throws The error of the last attempt.
 */
export function simulateSettled<T>(simulation: () => Promise<T>, writes: OwnWrites, time: Time): Promise<T> {
  const isStale = async (cause: unknown): Promise<boolean> =>
    cause instanceof TransactionRevertedError && !finalReverts.has(cause.revert);
  return repeated(simulation, { writes, isStale, time });
}

const nonceIsLow = /nonce too low|lower than the current nonce/i;

/**
 * Hand a transaction over. Its nonce may be read from a node that lacks an own transaction before it. The refused
 * transaction is handed over again while the account has sent nothing else.
 *
 * @throws The error of the last attempt.
 */
export function sendSettled(
  send: () => Promise<string>,
  { writes, request, account }: { readonly writes: OwnWrites; readonly request: RpcRequest; readonly account: string },
  time: Time,
): Promise<string> {
  const isStale = async (cause: unknown): Promise<boolean> => {
    if (!(cause instanceof TransactionNotSentError) || writes.nextNonce === null) return false;
    if (!causesOf(cause).some((one) => nonceIsLow.test(String(Reflect.get(one, 'message'))))) return false;
    const count = await request('eth_getTransactionCount', [account, 'latest']);
    return quantityOf(count, 'eth_getTransactionCount') <= writes.nextNonce;
  };
  return repeated(send, { writes, isStale, time });
}

async function repeated<T>(
  attempt: () => Promise<T>,
  terms: { readonly writes: OwnWrites; readonly isStale: (cause: unknown) => Promise<boolean>; readonly time: Time },
): Promise<T> {
  const { writes, isStale, time } = terms;
  for (;;) {
    try {
      return await attempt();
    } catch (cause) {
      if (time.monotonicMs() >= writes.unsettledUntilMs || !(await isStale(cause))) throw cause;
    }
    await time.sleep(pollMs);
  }
}

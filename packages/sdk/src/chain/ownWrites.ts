import { LevError } from '../errors/levError.ts';
import type { Surroundings } from '../http/surroundings.ts';
import { TransactionNotSentError, TransactionRevertedError } from './chainErrors.ts';
import { isNonceLow } from './refusalOf.ts';
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
const nonceAfter = (request: RpcRequest, hash: string): Promise<bigint | null> =>
  readable(async () => {
    const { nonce } = Object(await request('eth_getTransactionByHash', [hash]));
    return nonce === undefined ? null : quantityOf(nonce, 'eth_getTransactionByHash') + 1n;
  });

/** Return the next nonce of an account, after those of waiting transactions; null when it cannot be read. */
export const nonceOf = (request: RpcRequest, account: string): Promise<bigint | null> =>
  readable(async () => {
    const count = await request('eth_getTransactionCount', [account, 'pending']);
    return quantityOf(count, 'eth_getTransactionCount');
  });

async function readable<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read();
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

/**
 * Hand a transaction over. Its nonce may be read from a node that lacks an own transaction before it. The refused
 * transaction is handed over again while the account has sent nothing else.
 *
 * @throws The error of the last attempt.
 */
export function sendSettled<T>(
  send: () => Promise<T>,
  { writes, nonce }: { readonly writes: OwnWrites; readonly nonce: bigint | null },
  time: Time,
): Promise<T> {
  const isStale = async (cause: unknown): Promise<boolean> =>
    cause instanceof TransactionNotSentError && nonce !== null && nonce === writes.nextNonce && isNonceLow(cause);
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

import { NetworkError, OutcomeUnknownError } from '../errors/levError.ts';
import type { Surroundings } from '../http/surroundings.ts';
import type { ActionPlan, MinedCall, PlannedTransaction, Step } from './actionPlan.ts';
import { awaitTransaction } from './awaitTransaction.ts';
import { RpcError, TransactionRevertedError } from './chainErrors.ts';
import { handOver } from './handOver.ts';
import { nonceOf, recordWrite, sendSettled, simulateSettled } from './ownWrites.ts';
import { gasMissing } from './refusalOf.ts';
import { revertOf } from './revertSentences.ts';
import { quantityOf, type RpcRequest, rpcOf } from './rpc.ts';
import { accountOf, type Transaction, type Wallet } from './wallet.ts';
import { checkChain } from './walletChain.ts';

// Everything that needs a wallet; loaded when the first action starts.

/** Execute a plan, one transaction after the other. Nothing is signed on another chain than the plan's. */
export async function* carryOut<Result>(
  plan: ActionPlan<Result>,
  wallet: Wallet,
  surroundings: Surroundings,
): AsyncGenerator<Step<Result>, void, undefined> {
  const request = rpcOf(wallet, surroundings);
  const account = accountOf(wallet);
  const chainId = await plan.chainId();
  await checkChain(wallet, request, chainId);
  const { writes } = plan;
  let call: MinedCall = { hash: '', block: null };
  // The first transaction is planned again with each attempt: allowance and debt are read from the same nodes.
  const first = async (): Promise<{ readonly planned: readonly PlannedTransaction[]; readonly gas: bigint | null }> => {
    const planned = await plan.transactions(request, account);
    const [transaction] = planned;
    return { planned, gas: transaction === undefined ? null : await simulate(request, account, transaction) };
  };
  const { planned, gas: firstGas } = await simulateSettled(first, writes, surroundings);
  for (const [index, { purpose, isEffective, ...transaction }] of planned.entries()) {
    const again = (): Promise<bigint> => simulate(request, account, transaction);
    const gas = index === 0 && firstGas !== null ? firstGas : await simulateSettled(again, writes, surroundings);
    yield { step: purpose === 'approve' ? 'approve' : 'sign', transaction };
    const count = await nonceOf(request, account);
    const nonce = count === null || count >= (writes.nextNonce ?? 0n) ? count : writes.nextNonce;
    const send = (): Promise<string | OutcomeUnknownError> =>
      handOver(wallet, transaction, { gas, chainId, request, nonce });
    const answer = await sendSettled(send, { writes, nonce }, surroundings);
    if (typeof answer === 'string') yield { step: 'send', hash: answer };
    const handedOver = { answer, nonce, from: account, call: transaction, isEffective };
    call = await awaitTransaction(request, handedOver, surroundings);
    if (typeof answer !== 'string') yield { step: 'send', hash: call.hash };
    await recordWrite(writes, { request, ...call }, surroundings);
  }
  yield { step: 'wait', hash: call.hash };
  yield { step: 'done', ...(await plan.result(call)) };
}

/** Wait for a call that was sent before, and for its result; for the result alone when the hash is lost. */
export async function settle<Result>(
  plan: ActionPlan<Result>,
  { wallet, hash }: { readonly wallet: Wallet; readonly hash: string | null },
  surroundings: Surroundings,
): Promise<Result> {
  const request = rpcOf(wallet, surroundings);
  await checkChain(wallet, request, await plan.chainId());
  const unknownCall: MinedCall = { hash: '', block: null };
  const earlier = { answer: hash ?? '', nonce: null, from: '', call: null };
  if (earlier.answer === '' && plan.needsHash === true) {
    throw new OutcomeUnknownError('', 'Only its hash shows this call. Look at the account before sending again.');
  }
  const call = earlier.answer === '' ? unknownCall : await awaitTransaction(request, earlier, surroundings);
  return (await plan.result(call)).result;
}

/** Gas of a cancellation that finds its order ended and refunds, with room. */
const endOfOrderGas = 200_000n;

/**
 * Simulate a call, so that a revert is reported with its error and costs nothing.
 *
 * @returns Gas limit: a third more than the estimate, because more interest may be due in the next block. The gas for
 *   the end of an order is added: an estimate beside a live one leaves it out.
 */
async function simulate(request: RpcRequest, from: string, { to, data }: Transaction): Promise<bigint> {
  try {
    const estimated = quantityOf(await request('eth_estimateGas', [{ from, to, data }]), 'eth_estimateGas');
    return (estimated * 4n) / 3n + endOfOrderGas;
  } catch (cause) {
    if (!(cause instanceof RpcError)) throw cause;
    if (/insufficient funds/i.test(cause.message)) throw gasMissing(cause);
    if (cause.data === null && !/revert/i.test(cause.message)) {
      throw new NetworkError(`the chain could not try the call: ${cause.message}`, { cause });
    }
    const { name, sentence } = revertOf(cause.data);
    throw new TransactionRevertedError(name, sentence, null);
  }
}

import { toFunctionSelector } from 'viem';
import type { Wallet } from '../src/index.ts';
import { offlineUser, openPosition, recordingWallet, type SentCall } from './offlineService.ts';

const approve = toFunctionSelector('approve(address,uint256)');
const allowance = toFunctionSelector('allowance(address,address)');
const claim = toFunctionSelector('claim(bytes32)');
const largest = `0x${'f'.repeat(64)}`;
const ended = { ...openPosition, current: undefined };

/** Outcome of a hand-over: the answer or error of the wallet, and its transaction's way into a block. */
export interface HandOver {
  readonly isSent: boolean;
  /** Return or throw in place of the hash. */
  readonly answer?: () => unknown;
  /** Number of reads of the latest nonce before the transaction is in a block. */
  readonly delayReads?: number;
  readonly status?: '0x1' | '0x0';
}

/** Build the hash of the n-th transaction. */
export const hashAt = (index: number): string => `0x${(index + 1).toString(16).padStart(64, '0')}`;

/** Nonce of a new account. */
const firstNonce = 0;
const firstBlock = 1_001;

/**
 * Build a wallet on a chain with a block for each transaction, and the client of a service that follows that chain. The
 * n-th hand-over ends as scripted, further ones as usual.
 */
export function unreliable(script: readonly HandOver[], positions: readonly unknown[]) {
  const listed = [...positions];
  const calls: (SentCall & { readonly status: string })[] = [];
  const handedOver: SentCall[] = [];
  let minedCount = 0;
  let waitingReads = 0;
  const mine = (): void => {
    for (; minedCount < calls.length; minedCount += 1) {
      const data = calls[minedCount]?.data ?? '0x';
      if (data.startsWith(approve)) continue;
      const isEnd = positions.length > 0 && !data.startsWith(claim);
      listed.splice(0, listed.length, isEnd ? ended : openPosition);
    }
  };
  const transactionAt = (index: number) => ({
    ...calls[index],
    input: calls[index]?.data,
    hash: hashAt(index),
    from: usual.account?.address,
    nonce: `0x${(firstNonce + index).toString(16)}`,
  });
  const indexOf = (hash: unknown): number => calls.findIndex((_call, index) => hashAt(index) === hash);
  const usual = recordingWallet();
  const wallet: Wallet = recordingWallet({
    eth_sendTransaction: ([given]) => {
      const call: SentCall = Object(given);
      const { isSent, answer, delayReads = 0, status = '0x1' } = script[handedOver.length] ?? { isSent: true };
      handedOver.push(call);
      if (isSent) {
        calls.push({ ...call, status });
        waitingReads = delayReads;
        if (delayReads === 0) mine();
      }
      return answer === undefined ? hashAt(calls.length - 1) : answer();
    },
    eth_call: (params) => {
      const { data }: SentCall = Object(params[0]);
      const isAllowed = calls.slice(0, minedCount).some((call) => call.data.startsWith(approve));
      return isAllowed && data.startsWith(allowance) ? largest : usual.request({ method: 'eth_call', params });
    },
    eth_getTransactionCount: ([, block]) => {
      if (block === 'pending') return firstNonce + calls.length;
      if (block !== 'latest') return firstNonce + Math.min(minedCount, Number(block) - firstBlock + 1);
      if (minedCount < calls.length && waitingReads > 0) waitingReads -= 1;
      else mine();
      return firstNonce + minedCount;
    },
    eth_blockNumber: () => firstBlock + minedCount,
    eth_getBlockByNumber: ([block]) => {
      const index = Number(block) - firstBlock;
      return { transactions: index < minedCount ? [transactionAt(index)] : [] };
    },
    eth_getTransactionByHash: ([hash]) => (indexOf(hash) === -1 ? null : transactionAt(indexOf(hash))),
    eth_getTransactionReceipt: ([hash]) => {
      const index = indexOf(hash);
      if (index === -1) return null;
      mine();
      return { status: calls[index]?.status, transactionHash: hash, blockNumber: firstBlock + index, logs: [] };
    },
  });
  return { wallet, calls, handedOver, user: offlineUser({ positions: listed }) };
}

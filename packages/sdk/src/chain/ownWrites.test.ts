import { encodeErrorResult, type Hex, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import {
  offlineUser,
  openPosition,
  recordedQuote,
  recordingWallet,
  type SentCall,
} from '../../testing/offlineService.ts';

const reverts = parseAbi(['error ERC20InsufficientAllowance(address, uint256, uint256)', 'error WrongState(uint8)']);
const lacksAllowance = encodeErrorResult({
  abi: reverts,
  errorName: 'ERC20InsufficientAllowance',
  args: [recordedQuote.authority_public_key, 0n, 1n],
});
const wrongState = encodeErrorResult({ abi: reverts, errorName: 'WrongState', args: [1] });
const isApproval = (data: Hex): boolean => data.startsWith('0x095ea7b3');

const refuse = (data: Hex): never => {
  throw Object.assign(new Error('execution reverted'), { code: 3, data });
};

/** Build a wallet whose node refuses the first `count` simulations of a vault call after each own transaction. */
function laggingWallet(count: number, data: Hex = lacksAllowance) {
  let sentCount = 0;
  let remaining = 0;
  const wallet = recordingWallet({
    eth_estimateGas: ([call]) => {
      if (wallet.sent.length > sentCount) [sentCount, remaining] = [wallet.sent.length, count];
      if (isApproval((call as SentCall).data) || remaining === 0) return '0x5a3c';
      remaining -= 1;
      return refuse(data);
    },
  });
  return wallet;
}

test.each([1, 4, 14])('a node behind an own allowance: %d stale simulations → asked again, opened', async (count) => {
  const wallet = laggingWallet(count);
  const steps = await Array.fromAsync(offlineUser().positions.open(recordedQuote, wallet));
  expect(steps.map(({ step }) => step)).toEqual(['approve', 'send', 'sign', 'send', 'wait', 'done']);
  expect(wallet.sent).toHaveLength(2);
});

test('a revert that stays after an own allowance → transaction_reverted, the call is not sent', async () => {
  const wallet = laggingWallet(Number.POSITIVE_INFINITY);
  const action = offlineUser().positions.addMargin(openPosition, { wallet, amountUsd: '1' });
  await expect(action).rejects.toMatchObject({ code: 'transaction_reverted', revert: 'ERC20InsufficientAllowance' });
  expect(wallet.sent).toHaveLength(1);
});

test('an action right after another one: the node is behind the first → asked again, sent once', async () => {
  const me = offlineUser();
  const wallet = laggingWallet(3, wrongState);
  await me.positions.claim(openPosition, { wallet });
  await me.positions.claim(openPosition, { wallet });
  expect(wallet.sent).toHaveLength(2);
});

test('a revert without an own transaction before it → believed at once', async () => {
  const wallet = recordingWallet({ eth_estimateGas: () => refuse(wrongState) });
  await expect(offlineUser().positions.claim(openPosition, { wallet })).rejects.toMatchObject({ revert: 'WrongState' });
  expect(wallet.methods.filter((method) => method === 'eth_estimateGas')).toHaveLength(1);
});

/** Build a wallet whose first `count` calls after the allowance have a nonce that the node knows to be used. */
function staleNonceWallet(count: number, latest: () => bigint) {
  let remaining = count;
  const wallet = recordingWallet({
    eth_getTransactionByHash: () => ({ nonce: '0x7' }),
    eth_getTransactionCount: () => latest(),
    eth_sendTransaction: ([call]) => {
      const transaction = call as SentCall;
      if (isApproval(transaction.data) || remaining === 0) {
        sentCalls.push(transaction);
        return `0x${sentCalls.length.toString(16).padStart(64, '0')}`;
      }
      remaining -= 1;
      throw Object.assign(new Error('nonce too low'), { code: -32_000 });
    },
  });
  const sentCalls: SentCall[] = [];
  return { wallet, sentCalls };
}

test('a nonce from a node behind the own allowance: refused → handed over again, sent once', async () => {
  const { wallet, sentCalls } = staleNonceWallet(3, () => 8n);
  await offlineUser().positions.addMargin(openPosition, { wallet, amountUsd: '1' });
  expect(sentCalls).toHaveLength(2);
});

test('a low nonce while the account has sent more → refused_by_node, not handed over again', async () => {
  const { wallet, sentCalls } = staleNonceWallet(3, () => 9n);
  const action = offlineUser().positions.addMargin(openPosition, { wallet, amountUsd: '1' });
  await expect(action).rejects.toMatchObject({ code: 'transaction_not_sent', reason: 'refused_by_node' });
  expect(sentCalls).toHaveLength(1);
  expect(wallet.methods.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2);
});

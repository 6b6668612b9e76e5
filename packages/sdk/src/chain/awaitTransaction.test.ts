import { expect, test } from 'vitest';
import {
  offlineUser,
  openPosition,
  recordedPins,
  recordedQuote,
  recordingWallet,
  type WalletAnswers,
} from '../../testing/offlineService.ts';

const hash = `0x${'0'.repeat(63)}1`;
const faster = `0x${'f'.repeat(64)}`;
const from = recordedQuote.authority_public_key;

/** Build a claim, which is one transaction, by a wallet whose chain gives the listed answers. */
function claimWith(answers: WalletAnswers) {
  const wallet = recordingWallet(answers);
  return { wallet, claim: offlineUser().positions.claim(openPosition, { wallet }) };
}

const failures: readonly (readonly [string, () => never])[] = [
  ['a refusal with a code', () => raise(Object.assign(new Error('header not found'), { code: -32_000 }))],
  ['an internal error', () => raise(Object.assign(new Error('internal'), { code: -32_603 }))],
  ['a failure of the network', () => raise(new TypeError('fetch failed'))],
];

function raise(error: Error): never {
  throw error;
}

test.each(failures)('a receipt: %s at the first reading → read again, the action succeeds', async (_name, fail) => {
  let readCount = 0;
  const { claim } = claimWith({
    eth_getTransactionReceipt: () => {
      readCount += 1;
      return readCount === 1 ? fail() : { status: '0x1', logs: [] };
    },
  });
  expect((await claim).id).toBe(openPosition.id);
  expect(readCount).toBe(2);
});

test.each(failures)('a receipt: %s at every reading → outcome unknown, with hash and cause', async (_name, fail) => {
  const { claim } = claimWith({ eth_getTransactionReceipt: fail });
  const failure: unknown = await claim.then(null, (cause: unknown) => cause);
  expect(failure).toMatchObject({ code: 'outcome_unknown', hash });
  expect((failure as Error).cause).toBeInstanceOf(Error);
});

test('a receipt: of a call that reverted → transaction_reverted with the hash', async () => {
  const { claim } = claimWith({ eth_getTransactionReceipt: () => ({ status: '0x0', logs: [] }) });
  await expect(claim).rejects.toMatchObject({ code: 'transaction_reverted', hash });
});

const strangeReceipts: readonly unknown[] = [
  {},
  [],
  7,
  'rubbish',
  { status: null },
  { status: 'rubbish' },
  { status: '0x2' },
  { status: {} },
  { status: '0x1', transactionHash: faster },
  { status: '0x0', transactionHash: faster },
];

test.each(strangeReceipts)('a receipt: %j at the first reading → read again, the action succeeds', async (strange) => {
  let readCount = 0;
  const { claim } = claimWith({
    eth_getTransactionReceipt: () => {
      readCount += 1;
      return readCount === 1 ? strange : { status: '0x1', transactionHash: hash, logs: [] };
    },
  });
  expect((await claim).id).toBe(openPosition.id);
  expect(readCount).toBe(2);
});

test.each(strangeReceipts)('a receipt: %j at every reading → outcome unknown, with hash and cause', async (strange) => {
  const { claim } = claimWith({ eth_getTransactionReceipt: () => strange });
  const failure: unknown = await claim.then(null, (cause: unknown) => cause);
  expect(failure).toMatchObject({ code: 'outcome_unknown', hash });
  expect((failure as Error).cause).toBeInstanceOf(Error);
});

test.each([1, 1n, true, '0x01', 'success'])(
  'a receipt: status %s of a library → the action succeeds',
  async (status) => {
    const { claim } = claimWith({ eth_getTransactionReceipt: () => ({ status, logs: [] }) });
    expect((await claim).id).toBe(openPosition.id);
  },
);

test.each([0, 0n, false, '0x00', 'reverted'])('a receipt: status %s of a library → reverted', async (status) => {
  const { claim } = claimWith({ eth_getTransactionReceipt: () => ({ status, logs: [] }) });
  await expect(claim).rejects.toMatchObject({ code: 'transaction_reverted', hash });
});

test('an opening under another hash: no receipt, the service shows the position → the position', async () => {
  const wallet = recordingWallet({
    eth_getTransactionReceipt: ([asked]) => (asked === hash ? { status: '0x1', logs: [] } : null),
  });
  expect((await offlineUser().positions.open(recordedQuote, wallet)).id).toBe(openPosition.id);
  expect(wallet.sent).toHaveLength(2);
});

test('an allowance under another hash: no receipt, the allowance exists → the action continues', async () => {
  const wallet = recordingWallet({
    eth_getTransactionReceipt: ([asked]) => (asked === hash ? null : { status: '0x1', logs: [] }),
    eth_call: () => (wallet.sent.length === 0 ? `0x${'0'.repeat(64)}` : `0x${'f'.repeat(64)}`),
  });
  const added = offlineUser().positions.addMargin(openPosition, { wallet, amountUsd: '1' });
  expect((await added).id).toBe(openPosition.id);
  expect(wallet.sent).toHaveLength(2);
});

/** Build a chain on which block 1005 uses nonce 7 for a call. */
const replacedBy = (call: { readonly to: string; readonly input: string }): WalletAnswers => ({
  eth_getTransactionReceipt: ([asked]) => (asked === faster ? { status: '0x1', logs: [] } : null),
  eth_getTransactionByHash: () => ({ nonce: '0x7' }),
  eth_blockNumber: () => '0x3f0',
  eth_getTransactionCount: ([, block]) => (block === 'latest' || Number(block) >= 1_005 ? '0x8' : '0x7'),
  eth_getBlockByNumber: ([block]) => ({
    transactions: Number(block) === 1_005 ? [{ hash: faster, from: from.toLowerCase(), nonce: '0x7', ...call }] : [],
  }),
});

test('a call under another hash: its nonce is used by the same call → the action succeeds', async () => {
  const [call] = await offlineUser().positions.claim(openPosition).transactions();
  const { claim, wallet } = claimWith(replacedBy({ to: recordedPins.vault.toLowerCase(), input: call?.data ?? '' }));
  expect((await claim).id).toBe(openPosition.id);
  expect(wallet.methods.filter((method) => method === 'eth_getBlockByNumber')).toHaveLength(1);
});

test('a call whose nonce another call has used → transaction_replaced with both hashes', async () => {
  const { claim } = claimWith(replacedBy({ to: from, input: '0x' }));
  await expect(claim).rejects.toMatchObject({ code: 'transaction_replaced', hash, replacement: faster });
});

test.each([null, 7, 'rubbish', {}])('a block with %j among its transactions → the others are read', async (strange) => {
  const [call] = await offlineUser().positions.claim(openPosition).transactions();
  const chain = replacedBy({ to: recordedPins.vault.toLowerCase(), input: call?.data ?? '' });
  const { claim } = claimWith({
    ...chain,
    eth_getBlockByNumber: (params) => {
      const { transactions } = Object(chain['eth_getBlockByNumber']?.(params));
      return { transactions: [strange, ...transactions] };
    },
  });
  expect((await claim).id).toBe(openPosition.id);
});

test.each([null, undefined, '', '0x', 7, {}])('sending: the wallet answers %j → outcome_unknown', async (answer) => {
  const { claim, wallet } = claimWith({ eth_sendTransaction: () => answer });
  await expect(claim).rejects.toMatchObject({ code: 'outcome_unknown', hash: '' });
  expect(wallet.methods).not.toContain('eth_getTransactionReceipt');
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type LocalChain, localRoles, startLocalChain } from '@core/contracts/local';
import { Fault } from '@core/errors';
import { FullDisk } from '@core/runtime/testing';
import {
  createPublicClient,
  custom,
  type EIP1193RequestFn,
  type Hex,
  http,
  isHex,
  parseGwei,
  parseTransaction,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Journal } from '../journal/journal.ts';
import { TransactionSender } from './transactionSender.ts';

let chain: LocalChain;
const folder = mkdtempSync(path.join(tmpdir(), 'nonces-'));
beforeAll(async () => {
  chain = await startLocalChain({ blockIntervalMs: 0 });
});
afterAll(async () => {
  await chain.close();
  rmSync(folder, { recursive: true });
});

let count = 0;
/** Sender of the account with this number, with a journal of its own, on a disk that is full from a point on. */
function senderOf(number: number, fullFrom: string | null = null, file = path.join(folder, `${(count += 1)}.ndjson`)) {
  const role = localRoles().fillers[number];
  if (role === undefined) throw new Error('there is no such filler');
  const node = createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0 });
  const bounds = { minimumTipWei: 0n };
  const request: EIP1193RequestFn = async ({ method, params }) => {
    const [raw] = method === 'eth_sendRawTransaction' && Array.isArray(params) ? params : [];
    const { maxPriorityFeePerGas = 0n } = isHex(raw) ? parseTransaction(raw) : {};
    if (!isHex(raw) || maxPriorityFeePerGas >= bounds.minimumTipWei) return node.request({ method, params } as never);
    const message = `transaction underpriced: gas tip cap ${maxPriorityFeePerGas}, minimum needed ${bounds.minimumTipWei}`;
    throw Object.assign(new Error(message), { code: -32_000 });
  };
  const client = createPublicClient({ transport: custom({ request }), cacheTime: 0, pollingInterval: 10 });
  const rpc = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
    client.request({ method: method as never, params: params as never });
  const account = privateKeyToAccount(role.privateKey);
  const disk = new FullDisk();
  const journal = new Journal(file, { warn: () => undefined }, disk);
  const sender = new TransactionSender({
    client,
    account,
    chainId: chain.chainId,
    journal,
    failpoint: (_purpose, at) => {
      if (at === fullFrom) disk.roomBytes = 0;
    },
    maxFeePerGasWei: 2_000_000_000_000n,
  });
  const to: Hex = `0x${'77'.repeat(20)}`;
  const send = (id: string) => sender.send({ id, purpose: 'fill', to, data: '0x01' });
  const nonce = () => client.getTransactionCount({ address: account.address });
  return { sender, send, nonce, rpc, disk, journal, file, bounds };
}

test.each([1, 3])(
  '%d calls that ended are undone by a reorganisation → their nonces are filled, the next is mined',
  async (count) => {
    const { send, nonce, rpc } = senderOf(count === 1 ? 0 : 1);
    expect((await send('before')).kind).toBe('included');
    const snapshot = await rpc('evm_snapshot');
    for (let index = 0; index < count; index += 1) expect((await send(`undone ${index}`)).kind).toBe('included');
    await rpc('evm_revert', [snapshot]);
    expect(await nonce()).toBe(1);
    const outcomes = await Promise.all([send('next'), send('after it')]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['included', 'included']);
    expect(await nonce()).toBe(1 + count + 2);
  },
);

test('a node with a minimum tip of its own → the call is signed again with the tip that it names', async () => {
  const { send, nonce, bounds } = senderOf(0);
  const before = await nonce();
  bounds.minimumTipWei = parseGwei('25');
  expect((await send('a')).kind).toBe('included');
  expect((await send('b')).kind).toBe('included');
  expect(await nonce()).toBe(before + 2);
});

test('a node with a minimum tip above the ceiling → the call is signed at the ceiling, once', {
  timeout: 30_000,
}, async () => {
  const { send, bounds, journal } = senderOf(0);
  bounds.minimumTipWei = parseGwei('2500');
  const sending = send('a');
  const signedCount = () => journal.state.calls.get('a')?.length ?? 0;
  await expect.poll(signedCount, { timeout: 10_000 }).toBe(2);
  await delay(7_000);
  expect(signedCount()).toBe(2);
  bounds.minimumTipWei = 0n;
  expect((await sending).kind).toBe('included');
});

test('the disk does not take a call → it is not sent, and the next one has its nonce', async () => {
  const { send, nonce, disk, journal } = senderOf(0);
  const before = await nonce();
  disk.roomBytes = 100;
  const results = await Promise.allSettled([send('a'), send('b')]);
  expect(results.map((result) => result.status === 'rejected' && result.reason instanceof Fault)).toEqual([true, true]);
  expect([await nonce(), journal.state.calls.size]).toEqual([before, 0]);
  disk.roomBytes = Number.POSITIVE_INFINITY;
  expect((await Promise.all([send('c'), send('d')])).map(({ kind }) => kind)).toEqual(['included', 'included']);
  expect([await nonce(), journal.problem]).toEqual([before + 2, null]);
});

test('the disk does not take the end of a call → the call has its outcome, and a start resolves it again', async () => {
  const { send, nonce, journal, file } = senderOf(1, 'before_end');
  const before = await nonce();
  expect((await send('a')).kind).toBe('included');
  expect([journal.problem, journal.state.calls.size]).toEqual([expect.stringContaining('ENOSPC'), 1]);
  journal.close();
  const { sender, journal: again } = senderOf(1, null, file);
  expect(again.state.calls.size).toBe(1);
  await sender.resume();
  expect([await nonce(), again.state.calls.size]).toEqual([before + 1, 0]);
});

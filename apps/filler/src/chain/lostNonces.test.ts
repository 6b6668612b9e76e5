import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type LocalChain, localRoles, startLocalChain } from '@core/contracts/local';
import { createPublicClient, type Hex, http } from 'viem';
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

/** Sender of the account with this number, with a journal of its own. */
function senderOf(number: number) {
  const role = localRoles().fillers[number];
  if (role === undefined) throw new Error('there is no such filler');
  const client = createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0, pollingInterval: 10 });
  const rpc = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
    client.request({ method: method as never, params: params as never });
  const account = privateKeyToAccount(role.privateKey);
  const sender = new TransactionSender({
    client,
    account,
    chainId: chain.chainId,
    journal: new Journal(path.join(folder, `${number}.ndjson`)),
    failpoint: () => undefined,
    maxFeePerGasWei: 2_000_000_000_000n,
  });
  const to: Hex = `0x${'77'.repeat(20)}`;
  const send = (id: string) => sender.send({ id, purpose: 'fill', to, data: '0x01' });
  const nonce = () => client.getTransactionCount({ address: account.address });
  return { send, nonce, rpc };
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

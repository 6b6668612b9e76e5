import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalRpc, startLocalChain } from '../../local/index.ts';

describe('the local chain', () => {
  it('listens on the loopback address only, starts at the given date and mines every second', async () => {
    const initialDate = new Date('2026-07-24T10:00:00Z');
    const chain = await startLocalChain({ chainId: 4242, initialDate });
    assert.match(chain.rpcUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.match(chain.wsUrl, /^ws:\/\/127\.0\.0\.1:\d+$/);
    const { client } = new LocalRpc(chain.rpcUrl);
    assert.equal(await client.getChainId(), 4242);
    const first = await client.getBlock();
    const startSeconds = BigInt(initialDate.getTime() / 1000);
    assert.ok(first.timestamp >= startSeconds && first.timestamp < startSeconds + 60n);
    const deadlineMs = Date.now() + 60_000;
    while ((await client.getBlockNumber()) < first.number + 2n && Date.now() < deadlineMs) await sleep(100);
    const later = await client.getBlock();
    assert.ok(later.number >= first.number + 2n && later.timestamp > first.timestamp);
    await chain.close();
    await assert.rejects(client.getBlockNumber());
  });

  it('moves its clock and returns to a snapshot', async () => {
    const chain = await startLocalChain({ blockIntervalMs: 0 });
    const rpc = new LocalRpc(chain.rpcUrl);
    const snapshot = await rpc.snapshot();
    const before = await rpc.nowSeconds();
    await rpc.advance(3_600);
    assert.ok((await rpc.nowSeconds()) >= before + 3_600n);
    await rpc.revertTo(snapshot);
    assert.ok((await rpc.nowSeconds()) < before + 3_600n);
    await chain.close();
  });
});

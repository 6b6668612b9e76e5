import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LocalProvider, localRoles, openProvider } from '../../local/index.ts';

const initialDate = new Date('2026-07-24T10:00:00Z');
const byHand = { initialDate, mining: { isInstant: false, intervalMs: 0 } };
const { alice, bob } = localRoles();
const transfer = { from: alice.address, to: bob.address, value: '0x1' };

const blockNumberOf = async (evm: LocalProvider): Promise<number> =>
  Number(await evm.request({ method: 'eth_blockNumber' }));

/** Mine a block a minute after the first, with a transfer. */
async function mineTransfer(evm: LocalProvider): Promise<unknown> {
  const hash = await evm.request({ method: 'eth_sendTransaction', params: [transfer] });
  assert.equal(await evm.request({ method: 'eth_getTransactionReceipt', params: [hash] }), null);
  await evm.request({ method: 'evm_mine', params: [initialDate.getTime() / 1_000 + 60] });
  assert.notEqual(await evm.request({ method: 'eth_getTransactionReceipt', params: [hash] }), null);
  const block = await evm.request({ method: 'eth_getBlockByNumber', params: ['latest', false] });
  return Reflect.get(Object(block), 'hash');
}

describe('the EVM without a server', () => {
  it('mines by hand, and several of one process share nothing and repeat each other', async () => {
    const [first, second] = await Promise.all([openProvider(byHand), openProvider(byHand)]);
    const hash = await mineTransfer(first);
    assert.deepEqual([await blockNumberOf(first), await blockNumberOf(second)], [1, 0]);
    await first.close();
    assert.equal(await mineTransfer(second), hash);
    await second.close();
  });

  it('mines a transaction at once on the chain that is asked for', async () => {
    const evm = await openProvider({ chainId: 4242, mining: { isInstant: true, intervalMs: 0 } });
    assert.equal(Number(await evm.request({ method: 'eth_chainId' })), 4242);
    await evm.request({ method: 'eth_sendTransaction', params: [transfer] });
    assert.equal(await blockNumberOf(evm), 1);
    await evm.close();
  });
});

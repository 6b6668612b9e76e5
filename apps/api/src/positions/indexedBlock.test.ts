import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi, wallets } from '../../testing/startTestApi.ts';

let api: TestApi;
let alice: string;

beforeAll(async () => {
  api = await startTestApi();
  alice = await api.userOf(wallets.alice);
});
afterAll(async () => {
  await api?.close();
});

const blockOf = async (path: string): Promise<string | null> =>
  (await api.call(path, { authorization: alice })).headers.get('indexed-block');

/** Move the index of the vault to a block. */
async function indexUpTo(blockNumber: bigint): Promise<void> {
  const info = (await api.call('/contract-info')).body as Record<string, string>;
  const vault = (info['polygon_vault_contract_address'] ?? '').toLowerCase();
  const block = { blockNumber, blockHash: `0x${'1'.repeat(64)}`, blockTimeMs: api.clock.nowMs() } as const;
  const cursor = { ...block, chainKey: `${info['evm_chain_id']}:${vault}`, finalizedNumber: 0n };
  await api.store.chain.advance({ cursor, blocks: [], events: [] });
}

test('positions: every answer has the indexed block, none before the first', async () => {
  expect(await blockOf('/positions')).toBeNull();
  await indexUpTo(7n);
  expect(await Promise.all(['/positions', '/markets/btc-up/positions'].map(blockOf))).toEqual(['7', '7']);
  await indexUpTo(9n);
  expect(await blockOf('/positions')).toBe('9');
  expect(await blockOf('/positions/pos_unknown')).toBe('9');
  expect(await blockOf('/markets')).toBeNull();
});

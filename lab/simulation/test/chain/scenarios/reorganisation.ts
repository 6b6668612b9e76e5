import type { Hash } from 'viem';
import { addressOf, orNull, refusalOf, type Setting, TestChain } from './testChain.ts';

/** One block is replaced, and one of its two transactions is lost. */
export async function oneBlock(setting: Setting) {
  const test = await TestChain.open(setting);
  const to = await test.deployLogging();
  await test.chain.begin();
  const hash = await test.send('alice', { nonce: 0, tip: 2, to });
  const returned = await test.send('bob', { nonce: 0, tip: 1, to });
  await test.nextBlock();
  const height = await test.height();
  const [old] = await test.blocks(height, height);
  const before = await test.minedAt(returned);
  const logsBefore = await logsOf(test);
  const alice = addressOf('alice').toLowerCase();
  const outcome = await test.chain.reorganise(1, { drop: ({ from }) => from.toLowerCase() === alice });
  const blocks = await test.blocks(height, height + 1);
  const after = {
    lost: [await test.stateOf(hash), await test.minedAt(hash)],
    returned: await test.minedAt(returned),
    logs: await logsOf(test),
    oldBlock: await orNull(test.reader().getBlock({ blockHash: old?.hash ?? '0x' })),
    oldLogs: await refusalOf(test.reader().getLogs({ blockHash: old?.hash ?? '0x' })),
    alice: await test.noncesOf('alice'),
    bob: await test.noncesOf('bob'),
    height: await test.height(),
  };
  const again = await test.send('alice', { nonce: 0, tip: 2, to });
  const isSame = again === hash;
  await test.nextBlock();
  return {
    height,
    old,
    lost: hash,
    returned,
    before,
    logsBefore,
    outcome,
    blocks,
    after,
    isSame,
    again: await test.stateOf(again),
  };
}

async function logsOf(test: TestChain): Promise<Hash[]> {
  const logs = await test.reader().getLogs({ fromBlock: 0n, toBlock: 'latest' });
  return logs.map(({ transactionHash }) => transactionHash);
}

const count = 34;
const lostNonce = 20;

/** As many blocks as possible are replaced; later transactions of a lost one wait. */
export async function manyBlocks(setting: Setting) {
  const test = await TestChain.open(setting);
  await test.chain.begin();
  const [alice, bob]: [Hash[], Hash[]] = [[], []];
  for (let nonce = 0; nonce < count; nonce += 1) {
    alice.push(await test.send('alice', { nonce, tip: 1 }));
    bob.push(await test.send('bob', { nonce, tip: 2 }));
    await test.nextBlock();
  }
  const height = await test.height();
  const waiting = await test.send('carol', { nonce: 0, tip: 1 });
  const heights = async (hashes: readonly Hash[]) =>
    Promise.all(hashes.map(async (hash) => (await test.minedAt(hash))?.block ?? null));
  const before = { alice: await heights(alice), bob: await heights(bob) };
  const tooDeep = await refusalOf(test.chain.reorganise(33));
  const old = await test.blocks(1, height);
  const { commonBlock, orphaned, dropped } = await test.chain.reorganise(32, {
    drop: ({ hash }) => hash === bob[lostNonce],
  });
  const after = { alice: await heights(alice), bob: await heights(bob), height: await test.height() };
  const now = await test.blocks(1, after.height);
  const states = { waiting: await test.stateOf(waiting), behindLost: await test.stateOf(bob[lostNonce + 1] ?? '0x') };
  const nonces = { alice: await test.noncesOf('alice'), bob: await test.noncesOf('bob') };
  await test.send('bob', { nonce: lostNonce, tip: 3 });
  await test.nextBlock();
  const end = { bob: await test.noncesOf('bob'), waiting: await test.stateOf(waiting) };
  return { height, before, tooDeep, old, commonBlock, orphaned, dropped, after, now, states, nonces, end };
}

/** A reorganisation after a client of the node has gone back to a snapshot of its own. */
export async function afterClientRevert(setting: Setting) {
  const test = await TestChain.open(setting);
  await test.chain.begin();
  await test.nextBlock(3);
  const snapshot = await test.call<string>('evm_snapshot', []);
  const hash = await test.send('alice', { nonce: 0, tip: 1 });
  await test.nextBlock(2);
  await test.call('evm_revert', [snapshot]);
  const reverted = { height: await test.height(), state: await test.stateOf(hash) };
  const old = await test.blocks(2, 3);
  const { commonBlock } = await test.chain.reorganise(2);
  return { reverted, commonBlock, height: await test.height(), old, now: await test.blocks(2, 3) };
}

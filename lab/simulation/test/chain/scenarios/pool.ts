import { parseGwei } from 'viem';
import { addressOf, paceMs, refusalOf, type Setting, TestChain } from './testChain.ts';

/** Transactions of one block, by tip. */
export async function order(setting: Setting) {
  const test = await TestChain.open(setting);
  await test.chain.begin();
  const alice = await test.send('alice', { nonce: 0, tip: 1 });
  const bob = await test.send('bob', { nonce: 0, tip: 3 });
  const carol = await test.send('carol', { nonce: 0, tip: 2 });
  const before = {
    height: await test.height(),
    state: await test.stateOf(alice),
    receipt: await test.minedAt(alice),
    nonces: await test.noncesOf('alice'),
  };
  await test.nextBlock();
  const [block] = await test.blocks(1, 1);
  const positions = [alice, bob, carol].map((hash) => block?.hashes.indexOf(hash));
  return { before, positions, nonces: await test.noncesOf('alice') };
}

/** A transaction whose predecessor is missing. */
export async function gap(setting: Setting) {
  const test = await TestChain.open(setting);
  await test.chain.begin();
  const second = await test.send('alice', { nonce: 1, tip: 5 });
  await test.nextBlock(2);
  const alone = { state: await test.stateOf(second), nonces: await test.noncesOf('alice') };
  const first = await test.send('alice', { nonce: 0, tip: 1 });
  const after = await test.noncesOf('alice');
  await test.nextBlock();
  return { alone, closed: after, first: await test.minedAt(first), second: await test.minedAt(second) };
}

/** Replacements of a waiting transaction, 5% and 10% dearer. */
export async function replacement(setting: Setting) {
  const test = await TestChain.open(setting);
  await test.chain.begin();
  const first = await test.send('alice', { nonce: 0, tip: 10, max: 100 });
  const cheap = await refusalOf(test.send('alice', { nonce: 0, tip: 10.5, max: 105 }));
  const repeated = await refusalOf(test.send('alice', { nonce: 0, tip: 10, max: 100 }));
  const dear = await test.send('alice', { nonce: 0, tip: 11, max: 110 });
  await test.nextBlock();
  const late = await refusalOf(test.send('alice', { nonce: 0, tip: 20, max: 200 }));
  return { cheap, repeated, late, first: await test.stateOf(first), dear: await test.stateOf(dear) };
}

/** Times of blocks, and calls that compute the next block. */
export async function times(setting: Setting) {
  const test = await TestChain.open(setting, { pace: 12_000 });
  const { scheduler } = setting.edge;
  await test.chain.begin();
  const beganSeconds = Math.floor(scheduler.nowMs / 1_000) - Math.floor(scheduler.startMs / 1_000);
  await test.nextBlock(3);
  // Without a wait between them: the second block cannot have the time of the first.
  await test.call('evm_mine', []);
  await test.call('evm_mine', []);
  const blocks = await test.blocks(1, 5);
  const pending = await test.reader().getBlock({ blockTag: 'pending' });
  const pendingSeconds = Number(pending.timestamp) - Math.floor(scheduler.startMs / 1_000);
  const gas = await test.reader().estimateGas({ account: addressOf('alice'), to: addressOf('bob') });
  const clock = await refusalOf(test.call('evm_increaseTime', [10]));
  return { beganSeconds, seconds: blocks.map(({ seconds }) => seconds), pendingSeconds, gas: Number(gas), clock };
}

/** A floor of tips above what some transactions pay. */
export async function tipFloor(setting: Setting) {
  const test = await TestChain.open(setting, { fees: { tipFloorWei: parseGwei('30'), suggestedTipWei: 7n } });
  await test.chain.begin();
  const low = await test.send('alice', { nonce: 0, tip: 1 });
  const behindIt = await test.send('alice', { nonce: 1, tip: 40 });
  const paying = await test.send('bob', { nonce: 0, tip: 40 });
  const other = await test.send('carol', { nonce: 0, tip: 1 });
  await test.nextBlock(3);
  const states = async (): Promise<string[]> =>
    Promise.all([low, behindIt, paying, other].map((hash) => test.stateOf(hash)));
  const stuck = { states: await states(), nonces: await test.noncesOf('alice') };
  const raised = await test.send('alice', { nonce: 0, tip: 40, max: 110 });
  await test.nextBlock();
  const replaced = [await test.stateOf(raised), ...(await states())];
  test.chain.fees.tipFloorWei = 0n;
  test.chain.fees.baseFeeWei = parseGwei('90');
  await test.nextBlock();
  const { baseFeePerGas } = await test.reader().getBlock();
  const suggested = await test.reader().request({ method: 'eth_maxPriorityFeePerGas' });
  return { stuck, replaced, fallen: await states(), baseFeeWei: String(baseFeePerGas), suggested };
}

/** A chain that mines each transaction at once, and stops. */
export async function instant(setting: Setting) {
  const test = await TestChain.open(setting, { pace: 'instant' });
  await test.chain.begin();
  const first = await test.send('alice', { nonce: 0, tip: 1 });
  const atOnce = await test.stateOf(first);
  const height = await test.height();
  await test.chain.reorganise(1);
  const reorganised = { state: await test.stateOf(first), height: await test.height() };
  const second = await test.send('alice', { nonce: 1, tip: 1 });
  test.chain.halt();
  const halted = await test.height();
  await new Promise((resolve) => setTimeout(resolve, 5 * paceMs));
  return { atOnce, height, reorganised, second: await test.stateOf(second), halted, later: await test.height() };
}

import type { CallOutcome } from '../../../src/outside/chain/settings.ts';
import { Program } from '../../../src/runtime/program.ts';
import { comparedBodies, revertingCode } from './comparedBodies.ts';
import { addressOf, orNull, refusalOf, type Setting, TestChain } from './testChain.ts';

/** Nodes behind the chain and at a fixed height. */
export async function lagging(setting: Setting) {
  const test = await TestChain.open(setting);
  const to = await test.deployLogging();
  const late = await new Program('late').run(() => test.chain.openNode({ view: { behindBlocks: 3 } }));
  const idle = await new Program('stopped').run(() => test.chain.openNode({ view: { stoppedAt: 2 } }));
  await test.chain.begin();
  const hash = await test.send('alice', { nonce: 0, tip: 1, to });
  await test.nextBlock(2);
  const { hash: topHash } = await test.reader().getBlock({ blockNumber: 3n });
  const viewOf = async (node: typeof late) => {
    const reader = test.reader(node);
    const { number, hash: blockHash } = await reader.getBlock();
    const logs = await reader.getLogs({ fromBlock: 0n, toBlock: 'latest' });
    return {
      height: Number(await reader.getBlockNumber()),
      latest: Number(number),
      blockHash,
      nonces: await test.noncesOf('alice', node),
      isPaid: (await reader.getBalance({ address: addressOf('alice') })) < 10_000n * 10n ** 18n,
      transaction: await test.stateOf(hash, node),
      receipt: (await test.minedAt(hash, node))?.block ?? null,
      logs: logs.length,
      newer: (await orNull(reader.getBlock({ blockNumber: 3n }))) === null,
      newerHash: (await orNull(reader.getBlock({ blockHash: topHash }))) === null,
      newerCall: await refusalOf(reader.getBalance({ address: addressOf('alice'), blockNumber: 3n })),
      newerLogs: (await reader.getLogs({ fromBlock: 3n, toBlock: 9n })).length,
      oldLogs: (await reader.getLogs({ fromBlock: 0n, toBlock: 9n })).length,
    };
  };
  const early = { full: await viewOf(test.chain.node), late: await viewOf(late), stopped: await viewOf(idle) };
  await test.nextBlock(3);
  return { early, later: { late: await viewOf(late), stopped: await viewOf(idle) }, height: await test.height() };
}

/** Limits of batches and logs, and the tags of final blocks. */
export async function limits(setting: Setting) {
  const test = await TestChain.open(setting);
  const to = await test.deployLogging();
  await test.chain.begin();
  for (let nonce = 0; nonce < 4; nonce += 1) await test.send('alice', { nonce, tip: 1, to });
  await test.nextBlock(9);
  const { node } = test.chain;
  const height = await test.height();
  const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'eth_blockNumber', params: [] });
  node.view = { ...node.view, maxBatchCalls: 2, maxLogBlocks: 5, maxLogs: 3 };
  const batches = [
    await test.post(JSON.stringify([call(1), call(2)])),
    await test.post(JSON.stringify([call(1), call(2), call(3)])),
  ];
  const logs = (fromBlock: bigint, toBlock: bigint | 'latest') =>
    refusalOf(test.reader().getLogs({ fromBlock, toBlock }));
  const ranges = [await logs(5n, 9n), await logs(4n, 9n), await logs(0n, 'latest'), await logs(2n, 3n)];
  const tagged = async () => {
    const numberOf = async (blockTag: 'safe' | 'finalized') =>
      Number((await test.reader().getBlock({ blockTag })).number);
    return { safe: await numberOf('safe'), finalized: await numberOf('finalized') };
  };
  node.view = { ...node.view, maxLogs: null, maxLogBlocks: null };
  const here = await tagged();
  node.view = { ...node.view, finality: { safeBlocks: 2, finalizedBlocks: 6 } };
  const deep = await tagged();
  const finalLogs = await test.reader().getLogs({ fromBlock: 0n, toBlock: 'finalized' });
  node.view = { ...node.view, finality: { safeBlocks: 2, finalizedBlocks: 600 } };
  const late = await tagged();
  node.view = { ...node.view, finality: 'absent' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['finalized', false] });
  const absent = (await test.post(body)).body;
  return { height, batches, ranges, here, deep, finalLogs: finalLogs.length, late, absent };
}

/** Answers that are lost, late, refused, and a node that is killed and starts again. */
export async function faults(setting: Setting) {
  const test = await TestChain.open(setting);
  const { scheduler, network } = setting.edge;
  const program = new Program('second');
  const node = await program.run(() => test.chain.openNode());
  const port = Number(new URL(node.rpcUrl).port);
  await test.chain.begin();
  const requests: string[] = [];
  const ask = async (outcome: CallOutcome, body: object) => {
    node.onCalls = (calls, from) => {
      requests.push(`${from}: ${calls.map(({ method }) => method).join()}`);
      return outcome;
    };
    const beginMs = scheduler.nowMs;
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, ...body });
    const answer = await new Program('caller').run(() => test.post(text, node)).catch(() => null);
    return { answer, ms: Math.floor(scheduler.nowMs - beginMs) };
  };
  const raw = await test.sign('alice', { nonce: 0, tip: 1 });
  const number = { method: 'eth_blockNumber', params: [] };
  const loss = await ask('lose', { method: 'eth_sendRawTransaction', params: [raw] });
  const outcomes = {
    lost: loss.answer,
    error: (await ask({ error: { code: -32_005, message: 'daily request count exceeded' } }, number)).answer,
    status: (await ask({ status: 429 }, number)).answer,
    late: await ask({ delayMs: 5_000 }, number),
  };
  await test.nextBlock();
  const nonces = await test.noncesOf('alice');
  program.die();
  network.end(program);
  const dead = await ask('answer', number);
  const height = await test.height();
  await test.nextBlock();
  const again = await new Program('second').run(() => test.chain.openNode({ port }));
  const isSameUrl = again.rpcUrl === node.rpcUrl;
  const restarted = await test.reader(again).getBlockNumber();
  return { outcomes, asked: requests, nonces, dead: dead.answer, isSameUrl, grown: Number(restarted) - height };
}

/** Answers of a chain that mines each transaction at once. */
export async function answers(setting: Setting) {
  const test = await TestChain.open(setting, { pace: 'instant' });
  const reverting = await test.deploy(revertingCode);
  const bodies: string[] = [];
  for (const body of comparedBodies(reverting, addressOf('bob'))) bodies.push((await test.post(body)).body);
  const malformed = await test.post('{');
  return { bodies, malformed };
}

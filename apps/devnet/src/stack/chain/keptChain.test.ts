import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LocalRpc, localAccountCount, localMnemonic, localRoles } from '@core/contracts/local';
import { createLogger } from '@core/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { choosePorts } from '../ports.ts';
import { endLeftoverNode } from './anvilNode.ts';
import { ChainFolder } from './chainFolder.ts';
import { KeptChain } from './keptChain.ts';

let folder = '';
let port = 0;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'chain-'));
  port = (await choosePorts(40_000 + (process.pid % 20_000))).ports.chain;
});
afterEach(async () => {
  // A failed test has closed nothing.
  await endLeftoverNode(`${root()}.node.json`);
  rmSync(folder, { recursive: true, force: true });
});

const root = () => path.join(folder, 'chain');
const logger = createLogger({ name: 'chain', level: 'silent' });
const open = () =>
  KeptChain.open({
    folder: new ChainFolder(root(), logger),
    port,
    mnemonic: localMnemonic,
    accountCount: localAccountCount,
    firstSeconds: Math.floor(Date.now() / 1_000),
    logger,
  });

/** End the node as a power cut would, and wait until its chain has noticed. */
async function kill(chain: KeptChain): Promise<void> {
  const { pid } = JSON.parse(readFileSync(`${root()}.node.json`, 'utf8')) as { readonly pid: number };
  process.kill(pid, 'SIGKILL');
  await expect(chain.failed).rejects.toThrow(/the node (has )?ended|fetch failed/);
}

const { alice, bob } = localRoles();

/** Send a transaction whose data is stored in the block. Resolves with its receipt. */
const sendTo = ({ rpcUrl }: KeptChain, data: `0x${string}`) =>
  new LocalRpc(rpcUrl).send(alice, { to: bob.address, data });

const blockOf = ({ rpcUrl }: KeptChain, blockNumber: bigint) => new LocalRpc(rpcUrl).client.getBlock({ blockNumber });

test('restores every block to the hash, with time and receipts, after kill -9 of the node', async () => {
  const first = await open();
  const receipts = [await sendTo(first, '0x01'), await sendTo(first, '0x0202')];
  await new LocalRpc(first.rpcUrl).advance(5_000);
  receipts.push(await sendTo(first, '0x030303'));
  await first.settled();
  await kill(first);
  const [journal = ''] = readdirSync(root());
  appendFileSync(path.join(root(), journal), '{"number":7,"sec');

  const second = await open();
  const { client } = new LocalRpc(second.rpcUrl);
  for (const { transactionHash, blockHash, blockNumber } of receipts) {
    expect(await client.getTransactionReceipt({ hash: transactionHash })).toMatchObject({ blockHash, blockNumber });
  }
  const [latest, before] = [await client.getBlock(), await blockOf(second, receipts.at(-1)?.blockNumber ?? 0n)];
  const leadSeconds = Number(latest.timestamp) - Date.now() / 1_000;
  expect(leadSeconds).toBeGreaterThan(4_900);
  expect(latest.timestamp).toBeGreaterThanOrEqual(before.timestamp);

  // After a clean stop the checkpoint alone holds everything.
  await second.close();
  expect(readdirSync(root()).filter((name) => name.endsWith('.json.gz'))).toEqual(['state-1.json.gz']);
  const third = await open();
  const last = await sendTo(third, '0x04');
  await third.settled();
  expect((await blockOf(third, receipts[0]?.blockNumber ?? 0n)).hash).toBe(receipts[0]?.blockHash);
  await kill(third);
  const fourth = await open();
  expect((await blockOf(fourth, last.blockNumber)).hash).toBe(last.blockHash);
  await fourth.close();
  expect(existsSync(`${root()}.node.json`)).toBe(true);
});

test('restores a transaction that was mined in the moment of a kill -9', async () => {
  const hashes: `0x${string}`[] = [];
  for (const data of ['0x0a', '0x0b', '0x0c'] as const) {
    const chain = await open();
    const { client } = new LocalRpc(chain.rpcUrl);
    for (const hash of hashes) expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success');
    // Between two rounds: a transaction within one may be mined before it is journalled.
    await chain.settled();
    hashes.push((await sendTo(chain, data)).transactionHash);
    await kill(chain);
  }
});

test('mines an accepted transaction at the next start when everything ended before its block', async () => {
  const first = await open();
  const { client } = new LocalRpc(first.rpcUrl);
  // Between two rounds: a transaction within one may be mined before it is journalled.
  await first.settled();
  const { transactionHash } = await sendTo(first, '0x05');
  await first.settled();
  const raw = await client.request({
    method: 'eth_getRawTransactionByHash' as never,
    params: [transactionHash] as never,
  });
  await kill(first);
  // As if the node had ended between the two lines of that transaction.
  const file = path.join(root(), readdirSync(root())[0] ?? '');
  const lines = readFileSync(file, 'utf8').split('\n');
  const isMined = (line: string) => line.includes('"number"') && line.includes(String(raw));
  const cut = lines.findIndex(isMined);
  rmSync(file);
  appendFileSync(file, `${lines.slice(0, cut).join('\n')}\n`);
  expect(readFileSync(file, 'utf8')).toContain(`{"accepted":["${raw}"]}`);

  const second = await open();
  const receipt = await new LocalRpc(second.rpcUrl).client.waitForTransactionReceipt({ hash: transactionHash });
  expect(receipt.status).toBe('success');
  await second.close();
});

test('follows a developer who returns to a snapshot', async () => {
  const first = await open();
  const rpc = new LocalRpc(first.rpcUrl);
  const snapshot = await rpc.snapshot();
  const dropped = await sendTo(first, '0x06');
  await rpc.revertTo(snapshot);
  const receipt = await sendTo(first, '0x0707');
  await first.settled();
  await kill(first);
  const second = await open();
  const { client } = new LocalRpc(second.rpcUrl);
  await expect(client.getTransactionReceipt({ hash: dropped.transactionHash })).rejects.toThrow('could not be found');
  expect((await client.waitForTransactionReceipt({ hash: receipt.transactionHash })).status).toBe('success');
  await second.close();
});

test('at a pace, blocks are as far apart as it says, whatever is sent between them', async () => {
  const chain = await open();
  chain.setPace(2);
  const { blockNumber } = await sendTo(chain, '0x08');
  const next = await sendTo(chain, '0x0909');
  const [first, second] = [await blockOf(chain, blockNumber), await blockOf(chain, next.blockNumber)];
  expect([second.number - first.number, second.timestamp - first.timestamp]).toEqual([1n, 2n]);
  await chain.close();
});

import { FullDisk } from '@core/runtime/testing';
import { PositionState } from '@core/vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FillerStack, type GrantMarket, startFillerStack } from '../testing/fillerStack.ts';

let stack: FillerStack;
let market: GrantMarket;
beforeAll(async () => {
  stack = await startFillerStack();
  market = await stack.market();
});
afterAll(() => stack?.close());

test('the disk of the journal is full: nothing is sent, /readyz says why, and fills go on once there is room', async () => {
  const [account] = stack.fillers;
  const disk = new FullDisk();
  const filler = await stack.startFiller(account, { files: disk });
  const read = async (path: string): Promise<{ readonly status: number; readonly text: string }> => {
    const response = await fetch(`${filler.metricsUrl}${path}`);
    return { status: response.status, text: await response.text() };
  };
  const nonce = () => stack.driver.rpc.client.getTransactionCount({ address: account.address });
  const before = await nonce();
  disk.roomBytes = 10;
  const first = await stack.grantOpening(market);
  await stack.grantEnds(first);
  expect(await stack.stateOf(first)).toBe(PositionState.Pending);
  expect(await nonce()).toBe(before);
  const file = stack.journalOf(account);
  const { status, text } = await read('/readyz');
  expect([status, JSON.parse(text)]).toEqual([
    503,
    expect.objectContaining({ journal: `${file} cannot be written: ENOSPC: no space left on device` }),
  ]);
  expect((await read('/metrics')).text).toContain('filler_journal_unwritable 1');
  disk.roomBytes = Number.POSITIVE_INFINITY;
  await stack.until('readiness', async () => ((await read('/readyz')).status === 200 ? true : undefined));
  const second = await stack.grantOpening(market);
  await stack.opens(second);
  const { fillCount } = await stack.reconciled(account, market);
  await filler.close();
  expect(fillCount).toBe(1);
});

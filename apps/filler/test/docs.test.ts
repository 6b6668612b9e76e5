import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deployLocal, LocalDriver, startLocalChain } from '@core/contracts/local';
import { keyFileOf } from '@core/runtime/testing';
import { conditionalTokensAbi, PositionState, Purpose } from '@core/vault';
import { encodeFunctionData } from 'viem';
import { expect, test } from 'vitest';
import { authorizeGrant, createAlicePosition } from '../testing/grants.ts';

const guide = fileURLToPath(new URL('../../../docs/fillers.md', import.meta.url));
/** Beside the packages that the example imports. */
const exampleFile = fileURLToPath(new URL('./exampleOfTheGuide.ts', import.meta.url));

test('the program of the guide fills an opening with tokens of its account at its own price', async () => {
  const code = /```ts\n([\s\S]*?)```/.exec(readFileSync(guide, 'utf8'))?.[1] ?? '';
  expect(code.split('\n').length).toBeLessThanOrEqual(61);
  const chain = await startLocalChain();
  const deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
  const driver = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment });
  const { vault, conditionalTokens } = deployment.contracts;
  const [maker] = deployment.roles.makers;
  if (maker === undefined) throw new Error('no maker');
  const market = await driver.openMarket('the program of the guide');
  await driver.mintTokens(maker, market, 1_000_000_000n);
  const data = encodeFunctionData({
    abi: conditionalTokensAbi,
    functionName: 'setApprovalForAll',
    args: [vault, true],
  });
  await driver.rpc.send(maker, { to: conditionalTokens, data });
  const before = await driver.usdcOf(maker.address);
  writeFileSync(exampleFile, code);
  const child = spawn(process.execPath, [exampleFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      RPC_URL: chain.rpcUrl,
      VAULT_ADDRESS: vault,
      KEY_FILE: keyFileOf(maker.privateKey),
      ASK_PIPS: '5050',
    },
  });
  try {
    await once(child.stdout, 'data');
    const position = await createAlicePosition(driver, { token: market.yes, seed: 1n });
    await authorizeGrant(driver, position, {
      purpose: Purpose.Open,
      maximumUnits: 100_000_000n,
      markPips: 5_000n,
      limitPips: 5_200n,
    });
    await expect
      .poll(async () => (await driver.positionOf(position)).state, { interval: 200 })
      .toBe(PositionState.Open);
    const { tokenUnits } = await driver.positionOf(position);
    const paidUsdcUnits = (await driver.usdcOf(maker.address)) - before;
    expect(paidUsdcUnits * 10_000n).toBeGreaterThanOrEqual(tokenUnits * 5_050n);
  } finally {
    child.kill('SIGKILL');
    rmSync(exampleFile, { force: true });
    await chain.close();
  }
});

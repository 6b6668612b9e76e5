import { deployLocal, type LocalChain, type LocalDeployment, startLocalChain } from '@core/contracts/local';
import { createPublicClient, http } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readContractTerms } from './contract.ts';

let chain: LocalChain;
let deployment: LocalDeployment;

beforeAll(async () => {
  chain = await startLocalChain({});
  deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
});
afterAll(() => chain.close());

function read(changes: { readonly rpcUrl?: string; readonly vault?: `0x${string}` }) {
  const client = createPublicClient({ transport: http(changes.rpcUrl ?? chain.rpcUrl, { retryCount: 0 }) });
  return readContractTerms({ client, vault: changes.vault ?? deployment.contracts.vault });
}

test('the cap on the origination fee is what the deployed vault says', async () => {
  expect(await read({})).toEqual({ maxOriginationFeeBps: 500n });
});

test.each([
  ['a chain that does not answer', () => ({ rpcUrl: 'http://127.0.0.1:9' }), 'chain'],
  ['an address without a vault', () => ({ vault: deployment.roles.oracle.address }), 'chain'],
  ['a contract that is no vault', () => ({ vault: deployment.contracts.usdc }), 'chain'],
] as const)('%s is a fault', async (_name, changes, origin) => {
  await expect(read(changes())).rejects.toMatchObject({ name: 'Fault', origin });
});

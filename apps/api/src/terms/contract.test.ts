import { deployLocal, type LocalChain, type LocalDeployment, startLocalChain } from '@core/contracts/local';
import { partnerTermsOf, policyDefaults } from '@core/policy';
import { rateBps } from '@core/pricing';
import type { ListedPartner } from '@core/store';
import { createPublicClient, http } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPartnerFees, readContractTerms } from './contract.ts';

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

test.each([null, {} as never])(
  'terms of one partner are %j: it alone is reported, and the fees of others are checked',
  async (bad) => {
    const fees = { ...policyDefaults.fees, partnerOriginationFeeBps: rateBps(400n) };
    const terms = { ...partnerTermsOf(), fees };
    const partners = [terms, bad, terms].map((one, index): ListedPartner => {
      return { id: `ptn_${index}`, name: `partner ${index}`, environment: 'sandbox', terms: one, createdAtMs: 0 };
    });
    const check = async (capBps: bigint) => {
      const reported: string[] = [];
      const contract = { maxOriginationFeeBps: rateBps(capBps) };
      const source = { list: () => Promise.resolve(partners) };
      const checked = checkPartnerFees(source, { contract, environment: 'sandbox' }, ({ id }) => reported.push(id));
      return [
        await checked.then(
          () => null,
          (error: Error) => error.message,
        ),
        reported,
      ];
    };
    expect(await check(500n)).toEqual([null, ['ptn_1']]);
    expect(await check(0n)).toEqual([expect.stringContaining('of partner 0, partner 2'), ['ptn_1']]);
  },
);

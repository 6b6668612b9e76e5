import { SigningKey } from '@core/vault';
import { hashTypedData, keccak256 } from 'viem';
import { afterEach, expect, test } from 'vitest';
import { type Reply, startLocalServer } from '../../testing/localServers.ts';
import { isVenueFault } from '../port/venueFault.ts';
import { realVenueProfile } from '../profile/venueProfile.ts';
import { walletBatchMessageOf } from './walletBatch.ts';
import { WalletRelayer } from './walletRelayer.ts';

const { chainId, contracts, walletDomain } = realVenueProfile;
if (contracts === null) throw new Error('the real venue has contracts');
const owner = new SigningKey(`0x${'00'.repeat(31)}01`);
const wallet = '0x6F908B3B67b9F9C40413775fFf48b286aeF9a081';
const transactionHash = `0x${'ab'.repeat(32)}`;
const call = { target: contracts.collateral, value: 0n, data: '0x1234' } as const;

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** Start a relayer that answers each path with its replies, the last one for ever. */
async function start(replies: Readonly<Record<string, readonly Reply[]>>) {
  const counts = new Map<string, number>();
  const server = await startLocalServer({
    reply: ({ path: key }) => {
      const list = replies[key] ?? [{ status: 404, json: { error: 'not found' } }];
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      return list[Math.min(count, list.length - 1)] as Reply;
    },
  });
  endings.push(() => server.close());
  const relayer = new WalletRelayer({
    url: server.url,
    owner,
    relayerKey: 'key-1',
    contracts: contracts as NonNullable<typeof contracts>,
    walletDomain,
    chainId,
    nowMs: () => 1_700_000_000_999,
    pollMs: 1,
    settleMs: 5,
    retry: { maxAttempts: 1 },
  });
  return { server, relayer };
}

const parameters = { '/v1/account/transactions/params': [{ json: { address: owner.address, nonce: '3' } }] };
const submitted = { '/submit': [{ json: { transactionID: 'id-1', state: 'STATE_NEW', transactionHash: null } }] };
const states = (...list: readonly object[]) => ({
  '/v1/account/transactions/id-1': list.map((body) => ({ json: { transaction_id: 'id-1', ...body } })),
});
const pending = { state: 'STATE_NEW', transaction_hash: '', error_msg: '' };
const confirmed = { state: 'STATE_CONFIRMED', transaction_hash: transactionHash, error_msg: '' };

test('the message of a batch has the digest of its typed data', () => {
  const batch = { wallet, nonce: 3n, deadline: 1_700_000_600n, calls: [call, { ...call, value: 7n }] } as const;
  const digest = hashTypedData({
    domain: { ...walletDomain, chainId, verifyingContract: wallet },
    types: {
      Batch: [
        { name: 'wallet', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
        { name: 'calls', type: 'Call[]' },
      ],
      Call: [
        { name: 'target', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'data', type: 'bytes' },
      ],
    },
    primaryType: 'Batch',
    message: batch,
  });
  expect(keccak256(walletBatchMessageOf(batch, { ...walletDomain, chainId }))).toBe(digest);
});

test('a batch is sent as the venue’s client sends it, with the owner’s key, and polled until it is confirmed', async () => {
  const { server, relayer } = await start({ ...parameters, ...submitted, ...states(pending, confirmed) });
  expect(relayer.wallet).toBe(wallet);
  expect(await relayer.execute([call])).toBe(transactionHash);
  const submission = server.requests.find(({ path }) => path === '/submit');
  expect(submission?.headers).toMatchObject({ relayer_api_key: 'key-1', relayer_api_key_address: owner.address });
  const batch = { wallet, nonce: 3n, deadline: 1_700_000_600n, calls: [call] } as const;
  expect(submission?.body).toEqual({
    type: 'WALLET',
    from: owner.address,
    to: contracts.walletFactory,
    nonce: '3',
    signature: await owner.signMessage(walletBatchMessageOf(batch, { ...walletDomain, chainId })),
    depositWalletParams: {
      depositWallet: wallet,
      deadline: '1700000600',
      calls: [{ target: call.target, value: '0', data: '0x1234' }],
    },
  });
});

const refusal = { code: 'request_invalid', effect: 'no' };
const silence = { code: 'venue_timeout', effect: 'maybe' };

test.each([
  ['refused', { '/submit': [{ status: 400, json: { error: 'call blocked: x' } }] }, refusal],
  ['failed', { ...submitted, ...states({ ...pending, state: 'STATE_FAILED' }) }, refusal],
  ['without an end', { ...submitted, ...states(pending) }, silence],
  ['unreadable', { ...submitted, ...states({ state: 'STATE_OTHER' }) }, silence],
  ['forgotten', submitted, silence],
] as const)('a batch that is %s ends in a fault', async (_case, replies, { code, effect }) => {
  const { relayer } = await start({ ...parameters, ...replies });
  const fault = await relayer.execute([call]).catch((error: unknown) => error);
  expect(isVenueFault(fault) && { code: fault.code, effect: fault.effect }).toEqual({ code, effect });
});

test('a wallet is made once: not where it exists, and not again where another program made it', async () => {
  const deployed = (...list: readonly boolean[]) => ({ '/deployed': list.map((is) => ({ json: { deployed: is } })) });
  const existing = await start(deployed(true));
  await existing.relayer.make();
  expect(existing.server.requests.map(({ path }) => path)).toEqual(['/deployed']);
  const madeAlready = { '/submit': [{ status: 400, json: { error: 'wallet is already deployed' } }] };
  const race = await start({ ...deployed(false, true), ...madeAlready });
  await race.relayer.make();
  const refusing = await start({ ...deployed(false), ...madeAlready });
  await expect(refusing.relayer.make()).rejects.toMatchObject({ code: 'request_invalid' });
});

import { SigningKey } from '@core/vault';
import { concat, hexToBytes, recoverAddress, size, slice, zeroHash } from 'viem';
import { expect, test } from 'vitest';
import { realVenueProfile } from '../profile/venueProfile.ts';
import { depositWalletOf, walletOrderDigestOf, walletSignatureEndOf } from './walletSignature.ts';

const { chainId, contracts, orderDomains, walletDomain } = realVenueProfile;
if (contracts === null) throw new Error('the real venue has contracts');

const wallet = '0x1111111111111111111111111111111111111111';
const order = {
  salt: 1n,
  maker: wallet,
  signer: wallet,
  tokenId: 2n,
  makerAmount: 1_000_000n,
  takerAmount: 2_000_000n,
  side: 0,
  signatureType: 3,
  timestamp: 1_700_000_000_000n,
  metadata: zeroHash,
  builder: zeroHash,
} as const;

const termsOf = (version: 'v1' | 'v2') => ({
  order,
  domain: { ...orderDomains[version], chainId, exchange: contracts.exchanges[version] },
  walletDomain,
});

// Digests of the venue's own client for this order.
test.each([
  ['v1', '0xf887be65e6a633d75c75c6e252ed8e6a1bfa8a63ffa9ef448f0a2883465f14df'],
  ['v2', '0x3726c4bca3ca47250f0a8a2042235db08a0b44d3e207d447445c4281215d3871'],
] as const)('the nested digest of a %s order is that of the venue’s client', (version, digest) => {
  expect(walletOrderDigestOf(termsOf(version))).toBe(digest);
});

test('a wallet signature begins with the owner’s and ends with the type text and its length', async () => {
  const owner = new SigningKey(`0x${'42'.repeat(32)}`);
  const terms = termsOf('v1');
  const signature = concat([owner.signHash(hexToBytes(walletOrderDigestOf(terms))), walletSignatureEndOf(terms)]);
  const inner = slice(signature, 0, 65);
  expect(await recoverAddress({ hash: walletOrderDigestOf(terms), signature: inner })).toBe(owner.address);
  expect(size(signature)).toBe(65 + 32 + 32 + 186 + 2);
  expect(slice(signature, -2)).toBe('0x00ba');
});

test('the wallet of an owner has the address that the factory gives it', () => {
  expect(depositWalletOf('0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf', contracts)).toBe(
    '0x6F908B3B67b9F9C40413775fFf48b286aeF9a081',
  );
});

import { hashVenueOrder, OrderSide, SignatureType, type VenueOrder } from '@core/vault';
import { realVenueProfile } from '@core/venue';
import { type Address, recoverAddress, zeroHash } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { domainOf, OwnAccount } from './orderMaker.ts';

const { chainId, orderDomains, contracts } = realVenueProfile;
const exchanges = contracts?.exchanges ?? { v1: '0x', v2: '0x' };
const conditional = { ...orderDomains.v1, chainId, exchange: exchanges.v1 };
const managed = { ...orderDomains.v2, chainId, exchange: exchanges.v2 };
const account = privateKeyToAccount(`0x${'4'.repeat(64)}`);
const managedTokenId = (1n << 248n) | (5n << 120n);

const orderOf = (tokenId: bigint): VenueOrder => ({
  salt: 1n,
  maker: account.address,
  signer: account.address,
  tokenId,
  makerAmount: 1_000_000n,
  takerAmount: 2_000_000n,
  side: OrderSide.Buy,
  signatureType: SignatureType.Eoa,
  timestamp: 1_700_000_000_000n,
  metadata: zeroHash,
  builder: zeroHash,
});

test.each([
  ['ConditionalTokens', 2n, conditional],
  ['the PositionManager', managedTokenId, managed],
])('an order for a token of %s is signed for its own exchange', async (_name, tokenId, domain) => {
  const order = orderOf(tokenId);
  const signature = await new OwnAccount(account, { conditional, managed }).sign(order);
  const signerOf = (exchange: Address): Promise<Address> =>
    recoverAddress({ hash: hashVenueOrder(order, { ...domain, exchange }), signature });
  expect(await signerOf(domain.exchange)).toBe(account.address);
  const other = domain === managed ? conditional : managed;
  expect(await signerOf(other.exchange)).not.toBe(account.address);
});

test('domainOf: throws for a token of the PositionManager where no exchange is named', () => {
  expect(() => domainOf(managedTokenId, { conditional, managed: null })).toThrow('no exchange is named');
});

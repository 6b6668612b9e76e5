import { type VenueDomain, type VenueOrder, venueOrderTypedData } from '@core/vault';
import {
  type Address,
  concat,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  hashDomain,
  hashStruct,
  hashTypedData,
  keccak256,
  pad,
  stringToHex,
  toHex,
  zeroHash,
} from 'viem';
import type { OrderDomain } from '../profile/venueProfile.ts';

/** Order of a deposit wallet, on the exchange that it is signed for. */
export interface WalletOrder {
  readonly order: VenueOrder;
  /** Exchange of the order. */
  readonly domain: VenueDomain;
  readonly walletDomain: OrderDomain;
}

const nestedTypes = [
  { name: 'contents', type: 'Order' },
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const;

const domainTypes = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const;

/**
 * Return the 32 bytes that the owner of a deposit wallet signs for an order: ERC-7739's nested struct under the domain
 * of the exchange. Maker and signer of the order are the wallet.
 */
export function walletOrderDigestOf({ order, domain, walletDomain }: WalletOrder): Hex {
  const { domain: exchangeDomain, types, message } = venueOrderTypedData(order, domain);
  return hashTypedData({
    domain: exchangeDomain,
    types: { ...types, TypedDataSign: nestedTypes },
    primaryType: 'TypedDataSign',
    message: {
      contents: message,
      name: walletDomain.name,
      version: walletDomain.version,
      chainId: BigInt(domain.chainId),
      verifyingContract: order.maker,
      salt: zeroHash,
    },
  });
}

/**
 * Return the bytes that follow the owner's signature of the digest in a wallet's: domain separator, hash of the order,
 * its type, length of the type.
 */
export function walletSignatureEndOf({ order, domain }: Omit<WalletOrder, 'walletDomain'>): Hex {
  const { domain: exchangeDomain, types, message, primaryType } = venueOrderTypedData(order, domain);
  const typeText = `Order(${types.Order.map(({ type, name }) => `${type} ${name}`).join(',')})`;
  return concat([
    hashDomain({
      domain: { ...exchangeDomain, chainId: BigInt(domain.chainId) },
      types: { EIP712Domain: domainTypes },
    }),
    hashStruct({ data: message, primaryType, types }),
    stringToHex(typeText),
    toHex(typeText.length, { size: 2 }),
  ]);
}

/** Creation code of a beacon proxy with 64 bytes of immutable arguments, around the beacon's address. */
const beaconProxyHead = '0x6100923d8160233d3973';
const beaconProxyTail = concat([
  '0x60195155f3363d3d373d3d363d602036600436635c60da',
  '0x1b60e01b36527fa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6c',
  '0xb3582b35133d50545afa5036515af43d6000803e604d573d6000fd5b3d6000f3',
]);

/** Return the address of an owner's deposit wallet, deployed or not: each owner has one. */
export function depositWalletOf(
  owner: Address,
  { walletFactory, walletBeacon }: { readonly walletFactory: Address; readonly walletBeacon: Address },
): Address {
  const wallet = encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [walletFactory, pad(owner)]);
  return getContractAddress({
    opcode: 'CREATE2',
    from: walletFactory,
    salt: keccak256(wallet),
    bytecodeHash: keccak256(concat([beaconProxyHead, walletBeacon, beaconProxyTail, wallet])),
  });
}

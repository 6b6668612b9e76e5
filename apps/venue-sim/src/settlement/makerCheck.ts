import { hashVenueOrder, SignatureType, type VenueDomain } from '@core/vault';
import { type VenueProfile, walletOrderDigestOf, walletSignatureEndOf } from '@core/venue';
import { type Address, type Hex, isAddressEqual, recoverAddress, slice } from 'viem';
import type { WalletRegistry } from '../credentials/walletRegistry.ts';
import type { SignedOrder } from './settlement.ts';

export interface MakerRules {
  readonly profile: VenueProfile;
  /** Exchange that orders are signed for. */
  readonly domain: VenueDomain;
  /** Deposit wallets that exist. */
  readonly wallets: Pick<WalletRegistry, 'walletOf' | 'isMade'>;
  /** True when any account may be a maker; false for the deposit wallet of the key's owner only. */
  readonly acceptsForeignMakers: boolean;
}

/** Result of the maker check: signed, refused with the venue's text, or to be checked on chain. */
export type MakerStatus =
  | { readonly kind: 'signed' | 'unchecked' }
  | { readonly kind: 'refused'; readonly text: string };

const signedStatus: MakerStatus = { kind: 'signed' };
const refusal = (text: string): MakerStatus => ({ kind: 'refused', text });

/** Bytes of an ECDSA signature. */
const ecdsaBytes = 65;

/**
 * Check maker and signature of an order without the chain.
 * @param keyOwner Account behind the request's key; null where the venue asks for none.
 */
export async function makerStatusOf(
  rules: MakerRules,
  order: SignedOrder,
  keyOwner: Address | null,
): Promise<MakerStatus> {
  if (order.signatureType === SignatureType.Erc1271) {
    const wallet = keyOwner === null ? null : rules.wallets.walletOf(keyOwner);
    const isOwn = wallet !== null && isAddressEqual(wallet, order.maker) && (await rules.wallets.isMade(wallet));
    if (keyOwner !== null && isOwn) {
      return signatureStatusOf(rules, order, (domain) => isSignedByOwner({ rules, domain, order, owner: keyOwner }));
    }
    if (rules.acceptsForeignMakers) return { kind: 'unchecked' };
    return refusal('the order signer address has to be the address of the API KEY');
  }
  if (!rules.acceptsForeignMakers) return refusal('maker address not allowed, please use the deposit wallet flow');
  if (order.signatureType !== SignatureType.Eoa) return { kind: 'unchecked' };
  if (!isAddressEqual(order.maker, order.signer)) return refusal('invalid signature');
  return signatureStatusOf(rules, order, (domain) =>
    isSignature(hashVenueOrder(order, domain), order.signature, order.maker),
  );
}

/** Return the status of a signature. One for another contract version has its own error, so that clients sign again. */
async function signatureStatusOf(
  { profile, domain }: MakerRules,
  order: SignedOrder,
  isSignedFor: (domain: VenueDomain) => Promise<boolean>,
): Promise<MakerStatus> {
  if (await isSignedFor(domain)) return signedStatus;
  const { chainId } = domain;
  for (const version of ['v1', 'v2'] as const) {
    const exchange = profile.contracts?.exchanges[version] ?? domain.exchange;
    if (await isSignedFor({ ...profile.orderDomains[version], chainId, exchange })) {
      return refusal('order_version_mismatch');
    }
  }
  return refusal(order.signature === '0x' ? 'Invalid order payload' : 'invalid signature');
}

interface WalletSignature {
  readonly rules: MakerRules;
  readonly domain: VenueDomain;
  readonly order: SignedOrder;
  readonly owner: Address;
}

async function isSignedByOwner({ rules, domain, order, owner }: WalletSignature): Promise<boolean> {
  const { walletDomain } = rules.profile;
  const end = walletSignatureEndOf({ order, domain });
  if (!order.signature.toLowerCase().endsWith(end.slice(2))) return false;
  const inner = slice(order.signature, 0, ecdsaBytes);
  return isSignature(walletOrderDigestOf({ order, domain, walletDomain }), inner, owner);
}

async function isSignature(hash: Hex, signature: Hex, signer: Address): Promise<boolean> {
  try {
    return isAddressEqual(await recoverAddress({ hash, signature }), signer);
  } catch (error) {
    // A malformed signature counts as unsigned.
    if (error instanceof Error) return false;
    throw error;
  }
}

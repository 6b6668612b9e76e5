import { OrderSide, SignatureType, type VenueDomain, venueOrderTypedData } from '@core/vault';
import { type LocalAccount, parseUnits, zeroHash } from 'viem';
import type { Bid } from './prices.ts';

/** Venue at which a filler hedges. This one is the simulator, which takes orders without a login. */
export interface Venue {
  readonly url: string;
  readonly domain: VenueDomain;
}

interface WireBook {
  readonly bids: readonly { readonly price: string; readonly size: string }[];
}

/** Read the bids for a token, best first. @throws Error when the venue does not answer. */
export async function readBids({ url }: Venue, tokenId: bigint): Promise<readonly Bid[]> {
  const response = await fetch(`${url}/book?token_id=${tokenId}`);
  if (!response.ok) throw new Error(`no book of ${tokenId}: ${response.status}`);
  const { bids }: WireBook = await response.json();
  return bids
    .map(({ price, size }) => ({ pricePips: parseUnits(price, 4), tokenUnits: parseUnits(size, 6) }))
    .toSorted((left, right) => Number(right.pricePips - left.pricePips));
}

/** Sell tokens, in steps of 0.01, to the bids at a price or better. @throws Error when the venue refuses. */
export async function sellAtBids(
  { url, domain }: Venue,
  account: LocalAccount,
  { tokenId, tokenUnits, pricePips }: { tokenId: bigint; tokenUnits: bigint; pricePips: bigint },
): Promise<void> {
  const order = {
    salt: BigInt(Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)),
    maker: account.address,
    signer: account.address,
    tokenId,
    makerAmount: tokenUnits,
    takerAmount: (tokenUnits * pricePips) / 10_000n,
    side: OrderSide.Sell,
    signatureType: SignatureType.Eoa,
    timestamp: BigInt(Date.now()),
    metadata: zeroHash,
    builder: zeroHash,
  };
  const signature = await account.signTypedData(venueOrderTypedData(order, domain));
  const { salt, side: _side, signatureType, ...amounts } = order;
  const texts = Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, String(value)]));
  const wire = { ...texts, salt: Number(salt), side: 'SELL', signatureType, expiration: '0', signature };
  const body = JSON.stringify({ order: wire, owner: account.address, orderType: 'FAK', deferExec: false });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/order`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`the venue refuses the order: ${response.status} ${await response.text()}`);
}

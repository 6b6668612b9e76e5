import { OrderSide, SignatureType, SigningKey, type VenueOrder } from '@core/vault';
import {
  DerivedCredentials,
  depositWalletOf,
  placeOrderBodyOf,
  type SelectedVenue,
  walletOrderDigestOf,
  walletSignatureEndOf,
} from '@core/venue';
import { type Address, concat, type Hex, hexToBytes, zeroHash } from 'viem';
import { type Probe, probe } from '../probe.ts';

/** Order of an experiment. */
export interface ExperimentOrder {
  readonly tokenId: bigint;
  /** Money paid and tokens bought, millionths. */
  readonly moneyUnits: bigint;
  readonly tokenUnits: bigint;
  readonly orderType: 'GTC' | 'FOK';
  /** Wallet of the order; the account's own when absent. */
  readonly maker?: Address;
}

/** Account at the venue: a key, its deposit wallet, and private requests with its credentials. */
export class VenueAccount {
  readonly wallet: Address;
  readonly owner: Address;
  readonly #venue: SelectedVenue;
  readonly #key: SigningKey;
  readonly #credentials: DerivedCredentials;
  #salt = BigInt(Date.now());

  /** @throws TypeError when the profile names no contracts: only the real venue has deposit wallets. */
  constructor(venue: SelectedVenue, privateKey: Hex) {
    const { profile, hosts } = venue;
    if (profile.contracts === null) throw new TypeError('the profile names no contracts');
    this.#venue = venue;
    this.#key = new SigningKey(privateKey);
    this.owner = this.#key.address;
    this.wallet = depositWalletOf(this.owner, profile.contracts);
    this.#credentials = new DerivedCredentials({
      url: hosts.url,
      account: this.#key,
      terms: { ...profile.login, chainId: profile.chainId },
      nowMs: Date.now,
    });
  }

  /** Send a private request. @throws VenueFault when the venue gives no credentials. */
  async request(method: 'GET' | 'POST' | 'DELETE', target: string, content?: object): Promise<Probe> {
    const [path = ''] = target.split('?');
    const body = content === undefined ? '' : JSON.stringify(content);
    const headers = await this.#credentials.headersOf({ method, path, body });
    const payload = body === '' ? {} : { body };
    const type = body === '' ? {} : { 'content-type': 'application/json' };
    return probe(`${this.#venue.hosts.url}${target}`, { method, headers: { ...headers, ...type }, ...payload });
  }

  /** Sign a purchase as its deposit wallet does, and post it. Resting orders are post-only. */
  async post({ tokenId, moneyUnits, tokenUnits, orderType, maker = this.wallet }: ExperimentOrder): Promise<Probe> {
    const { profile } = this.#venue;
    const { contracts, chainId, orderDomains, walletDomain } = profile;
    this.#salt += 1n;
    const order: VenueOrder = {
      salt: this.#salt,
      maker,
      signer: maker,
      tokenId,
      makerAmount: moneyUnits,
      takerAmount: tokenUnits,
      side: OrderSide.Buy,
      signatureType: SignatureType.Erc1271,
      timestamp: BigInt(Date.now()),
      metadata: zeroHash,
      builder: zeroHash,
    };
    const domain = { ...orderDomains.v1, chainId, exchange: contracts?.exchanges.v1 ?? '0x' };
    const inner = this.#key.signHash(hexToBytes(walletOrderDigestOf({ order, domain, walletDomain })));
    const signature = concat([inner, walletSignatureEndOf({ order, domain })]);
    const { apiKey } = await this.#credentials.credentials();
    const body = placeOrderBodyOf({ order: { ...order, signature }, orderType, owner: apiKey });
    return this.request('POST', '/order', orderType === 'GTC' ? { ...body, postOnly: true } : body);
  }
}

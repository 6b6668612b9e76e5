import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type CredentialTerms,
  credentialRequestMessageOf,
  privateSignatureOf,
  type VenueCredentials,
} from '@core/venue';
import { type Address, type Hex, isAddress, isAddressEqual, isHex, keccak256, recoverAddress } from 'viem';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Private request as received. */
export interface ArrivedRequest {
  readonly method: string;
  /** Path without origin and query. */
  readonly path: string;
  readonly body: string;
  readonly headers: Headers;
}

/** Credentials of a subscription. */
type SubscriptionAuth = { readonly [Name in keyof VenueCredentials]?: string | undefined };

/** Account and nonce of a request for credentials. */
export interface KeyRequest {
  readonly address: Address;
  readonly nonce: string;
}

/** Account behind the key of a private request. */
export interface KeyOwner {
  readonly apiKey: string;
  readonly address: Address;
}

interface IssuedKey {
  readonly address: Address;
  readonly credentials: VenueCredentials;
}

const areEqual = (left: string, right: string): boolean => {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)];
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
};

/** API keys of the private endpoints. Accounts obtain them with a signature; every private request is checked. */
export class ApiKeys {
  readonly #seed: string;
  readonly #terms: CredentialTerms;
  readonly #byApiKey = new Map<string, IssuedKey>();
  readonly #readonlyKeys = new Map<Address, string[]>();
  readonly #builderKeys = new Map<Address, string[]>();

  /** @param parameters.seed Seed of the secrets: an account gets the same credentials for the same seed. */
  constructor(parameters: { readonly seed: string; readonly terms: CredentialTerms }) {
    this.#seed = parameters.seed;
    this.#terms = parameters.terms;
  }

  /** Return the account and nonce that signed a request for credentials; null for a signature of another account. */
  async signerOf(headers: Headers): Promise<KeyRequest | null> {
    const address = this.#headerOf(headers, 'ADDRESS');
    const signature = this.#headerOf(headers, 'SIGNATURE');
    const timestampSeconds = this.#headerOf(headers, 'TIMESTAMP');
    const nonce = this.#headerOf(headers, 'NONCE');
    const isReadable = isAddress(address) && isHex(signature) && /^\d{1,20}$/.test(nonce);
    if (!isReadable) return null;
    const hash = keccak256(
      credentialRequestMessageOf(this.#terms, { address, timestampSeconds, nonce: BigInt(nonce) }),
    );
    try {
      return isAddressEqual(await recoverAddress({ hash, signature }), address) ? { address, nonce } : null;
    } catch (error) {
      // A malformed signature belongs to no account.
      if (error instanceof Error) return null;
      throw error;
    }
  }

  /** Create the key of an account; null when it has one already. */
  create({ address, nonce }: KeyRequest): VenueCredentials | null {
    const credentials = this.#credentialsOf(address, nonce);
    if (this.#byApiKey.has(credentials.apiKey)) return null;
    this.#byApiKey.set(credentials.apiKey, { address, credentials });
    return credentials;
  }

  /** Return the existing key of an account; null without one. */
  derive({ address, nonce }: KeyRequest): VenueCredentials | null {
    return this.#byApiKey.get(this.#credentialsOf(address, nonce).apiKey)?.credentials ?? null;
  }

  /** List the keys of an account, oldest first. */
  keysOf(address: Address): readonly string[] {
    return [...this.#byApiKey].filter(([, key]) => isAddressEqual(key.address, address)).map(([apiKey]) => apiKey);
  }

  revoke(apiKey: string): void {
    this.#byApiKey.delete(apiKey);
  }

  /** Read-only keys of an account. */
  readonlyKeysOf(address: Address): string[] {
    return listIn(this.#readonlyKeys, address);
  }

  /** Keys of an account's builder profile. */
  builderKeysOf(address: Address): string[] {
    return listIn(this.#builderKeys, address);
  }

  /** Create further credentials of an account, named by purpose and number. */
  further(address: Address, purpose: string, number: number): VenueCredentials {
    return this.#credentialsOf(address, `${purpose}/${number}`);
  }

  /** Return the owner of a private request that carries valid credentials and their signature; null otherwise. */
  ownerOf(request: ArrivedRequest): KeyOwner | null {
    const header = (name: string): string => this.#headerOf(request.headers, name);
    const issued = this.#byApiKey.get(header('API_KEY'));
    if (issued === undefined || issued.address.toLowerCase() !== header('ADDRESS').toLowerCase()) return null;
    const { apiKey, secret, passphrase } = issued.credentials;
    const { method, path, body } = request;
    const timestampSeconds = header('TIMESTAMP');
    if (!isPrivateMethod(method) || !/^\d{10}$/.test(timestampSeconds)) return null;
    const signature = privateSignatureOf(secret, timestampSeconds, { method, path, body });
    const isValid = areEqual(passphrase, header('PASSPHRASE')) && areEqual(signature, header('SIGNATURE'));
    return isValid ? { apiKey, address: issued.address } : null;
  }

  /** Return true for a subscription with the three values of an account. */
  areValid(auth: SubscriptionAuth | undefined): boolean {
    const issued = this.#byApiKey.get(auth?.apiKey ?? '')?.credentials;
    return (
      issued !== undefined &&
      areEqual(issued.secret, auth?.secret ?? '') &&
      areEqual(issued.passphrase, auth?.passphrase ?? '')
    );
  }

  #headerOf(headers: Headers, name: string): string {
    const value = headers[`${this.#terms.headerPrefix}${name}`.toLowerCase()];
    return typeof value === 'string' ? value : '';
  }

  #credentialsOf(address: Hex, nonce: string): VenueCredentials {
    const part = (name: string): Buffer =>
      createHmac('sha256', this.#seed).update(`${name}/${address.toLowerCase()}/${nonce}`).digest();
    return {
      apiKey: uuidOf(part('key')),
      // Url-safe with its padding, as the real venue writes it.
      secret: part('secret').toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
      passphrase: part('passphrase').toString('hex'),
    };
  }
}

/** Write 16 bytes as a UUID of version 8. */
function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return `${parts.join('-')}-${hex.slice(20, 32)}`;
}

function listIn(lists: Map<Address, string[]>, address: Address): string[] {
  const list = lists.get(address) ?? [];
  lists.set(address, list);
  return list;
}

const isPrivateMethod = (method: string): method is 'GET' | 'POST' | 'DELETE' =>
  method === 'GET' || method === 'POST' || method === 'DELETE';

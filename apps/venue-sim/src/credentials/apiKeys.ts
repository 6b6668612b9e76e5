import { createHmac, timingSafeEqual } from 'node:crypto';
import { type CredentialTerms, credentialRequestHashOf, privateSignatureOf, type VenueCredentials } from '@core/venue';
import { type Hex, isAddress, isAddressEqual, isHex, recoverAddress } from 'viem';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One private request as it arrived. */
export interface ArrivedRequest {
  readonly method: string;
  /** Without origin and query. */
  readonly path: string;
  readonly body: string;
  readonly headers: Headers;
}

/** What a subscription says of its account. */
type SubscriptionAuth = { readonly [Name in keyof VenueCredentials]?: string | undefined };

interface KnownKey {
  readonly address: Hex;
  readonly credentials: VenueCredentials;
}

const areEqual = (left: string, right: string): boolean => {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)];
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
};

/**
 * The keys of the venue's private endpoints: given to accounts that sign for them, checked with every private request.
 */
export class ApiKeys {
  readonly #seed: string;
  readonly #terms: CredentialTerms;
  readonly #byApiKey = new Map<string, KnownKey>();

  /** @param parameters.seed Names the secrets: the same seed gives an account the same credentials. */
  constructor(parameters: { readonly seed: string; readonly terms: CredentialTerms }) {
    this.#seed = parameters.seed;
    this.#terms = parameters.terms;
  }

  /** The account and nonce that signed a request for credentials; null when the signature is not the account's. */
  async signerOf(headers: Headers): Promise<{ readonly address: Hex; readonly nonce: string } | null> {
    const [address, signature, timestampSeconds, nonce] = ['ADDRESS', 'SIGNATURE', 'TIMESTAMP', 'NONCE'].map((name) =>
      this.#headerOf(headers, name),
    ) as [string, string, string, string];
    const isReadable = isAddress(address) && isHex(signature) && /^\d{1,20}$/.test(nonce);
    if (!isReadable) return null;
    const hash = credentialRequestHashOf(this.#terms, { address, timestampSeconds, nonce: BigInt(nonce) });
    try {
      return isAddressEqual(await recoverAddress({ hash, signature }), address) ? { address, nonce } : null;
    } catch (error) {
      // A malformed signature is not the account's.
      if (error instanceof Error) return null;
      throw error;
    }
  }

  /** Makes the key of an account, or finds the one it has. */
  create({ address, nonce }: { readonly address: Hex; readonly nonce: string }): VenueCredentials {
    const credentials = this.#credentialsOf(address, nonce);
    this.#byApiKey.set(credentials.apiKey, { address, credentials });
    return credentials;
  }

  /** The key of an account that was made before; null otherwise. */
  derive({ address, nonce }: { readonly address: Hex; readonly nonce: string }): VenueCredentials | null {
    return this.#byApiKey.get(this.#credentialsOf(address, nonce).apiKey)?.credentials ?? null;
  }

  /** The API key of a private request that carries valid credentials and their signature; null otherwise. */
  apiKeyOf(request: ArrivedRequest): string | null {
    const header = (name: string): string => this.#headerOf(request.headers, name);
    const known = this.#byApiKey.get(header('API_KEY'));
    if (known === undefined || known.address.toLowerCase() !== header('ADDRESS').toLowerCase()) return null;
    const { apiKey, secret, passphrase } = known.credentials;
    const { method, path, body } = request;
    const timestampSeconds = header('TIMESTAMP');
    if (!isPrivateMethod(method) || !/^\d{10}$/.test(timestampSeconds)) return null;
    const signature = privateSignatureOf(secret, timestampSeconds, { method, path, body });
    return areEqual(passphrase, header('PASSPHRASE')) && areEqual(signature, header('SIGNATURE')) ? apiKey : null;
  }

  /** Whether a subscription carries an account's three values. */
  areValid(auth: SubscriptionAuth | undefined): boolean {
    const known = this.#byApiKey.get(auth?.apiKey ?? '')?.credentials;
    return (
      known !== undefined &&
      areEqual(known.secret, auth?.secret ?? '') &&
      areEqual(known.passphrase, auth?.passphrase ?? '')
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
      apiKey: part('key').toString('hex').slice(0, 32),
      // Url-safe with its padding, as the real venue writes it.
      secret: part('secret').toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
      passphrase: part('passphrase').toString('hex'),
    };
  }
}

const isPrivateMethod = (method: string): method is 'GET' | 'POST' | 'DELETE' =>
  method === 'GET' || method === 'POST' || method === 'DELETE';

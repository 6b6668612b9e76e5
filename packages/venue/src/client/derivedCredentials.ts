import { z } from 'zod';
import type { CredentialsPort, PrivateRequest, VenueAccount, VenueCredentials } from '../port/credentials.ts';
import { isVenueFault, VenueFault } from '../port/venueFault.ts';
import { type CredentialTerms, credentialRequestMessageOf, privateSignatureOf } from './credentialSigning.ts';
import { type HttpTransport, requestJson, type TransportOptions, transportOf } from './httpRequest.ts';
import { read } from './readAnswer.ts';

export interface DerivedCredentialsOptions extends TransportOptions {
  /** Origin of the private endpoints. */
  readonly url: string;
  readonly account: VenueAccount;
  readonly terms: CredentialTerms;
  /** Epoch milliseconds: requests carry the instant they are made at. */
  readonly nowMs: () => number;
  /** Number of the account's key; 0 unless one was revoked. */
  readonly nonce?: bigint;
}

const credentialsSchema = z.looseObject({
  apiKey: z.string().min(1),
  secret: z.string().regex(/^[A-Za-z0-9+/_-]+={0,2}$/),
  passphrase: z.string().min(1),
});

/**
 * Credentials that the venue derives from a signature of the account's key: requested with the first private request
 * and stored in memory alone. An account without a key gets its first. No message of a fault contains any of them.
 */
export class DerivedCredentials implements CredentialsPort {
  readonly #options: DerivedCredentialsOptions;
  readonly #transport: HttpTransport;
  #known: Promise<VenueCredentials> | null = null;

  constructor(options: DerivedCredentialsOptions) {
    this.#options = options;
    this.#transport = transportOf(options);
  }

  credentials(): Promise<VenueCredentials> {
    if (this.#known === null) {
      const request = this.#ask();
      this.#known = request;
      request.catch(() => {
        if (this.#known === request) {
          this.#known = null;
        }
      });
    }
    return this.#known;
  }

  async headersOf(request: PrivateRequest): Promise<Readonly<Record<string, string>>> {
    const { apiKey, secret, passphrase } = await this.credentials();
    const timestampSeconds = this.#nowSeconds();
    return this.#named({
      ADDRESS: this.#options.account.address,
      SIGNATURE: privateSignatureOf(secret, timestampSeconds, request),
      TIMESTAMP: timestampSeconds,
      API_KEY: apiKey,
      PASSPHRASE: passphrase,
    });
  }

  forget(): void {
    this.#known = null;
  }

  async #ask(): Promise<VenueCredentials> {
    try {
      return await this.#request('GET', '/auth/derive-api-key');
    } catch (error) {
      // The venue derives a key only for an account that it has made one for.
      if (!isVenueFault(error) || !['not_found', 'request_invalid'].includes(error.code)) {
        throw error;
      }
      return this.#request('POST', '/auth/api-key');
    }
  }

  async #request(method: 'GET' | 'POST', path: string): Promise<VenueCredentials> {
    const { url, account, terms, nonce = 0n } = this.#options;
    const request = { address: account.address, timestampSeconds: this.#nowSeconds(), nonce };
    const headers = this.#named({
      ADDRESS: account.address,
      SIGNATURE: await account.signMessage(credentialRequestMessageOf(terms, request)),
      TIMESTAMP: request.timestampSeconds,
      NONCE: String(nonce),
    });
    try {
      return await requestJson(
        { url: `${url}${path}`, path, method, headers, group: 'credentials' },
        this.#transport,
        ({ body }) => read(credentialsSchema, body),
      );
    } catch (error) {
      throw isVenueFault(error) ? withoutAnswer(error) : error;
    }
  }

  #nowSeconds(): string {
    return String(Math.floor(this.#options.nowMs() / 1000));
  }

  #named(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const { headerPrefix } = this.#options.terms;
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${headerPrefix}${name}`, value]));
  }
}

/** The fault without text or cause: an answer about credentials may hold them. */
const withoutAnswer = ({ code, kind, effect, status, retryAfterMs }: VenueFault): VenueFault =>
  new VenueFault({ code, kind, effect, status, retryAfterMs, message: `venue gave no credentials (${code})` });

import type { Hex } from '@core/position';

/** The three values that the venue gives an account for its private endpoints. Never to be logged. */
export interface VenueCredentials {
  readonly apiKey: string;
  /** Base64, plain or url-safe. */
  readonly secret: string;
  readonly passphrase: string;
}

/** The account at the venue; its private key stays behind it. */
export interface VenueAccount {
  readonly address: Hex;
  /** Sign keccak-256 of a message, without any prefix. */
  signMessage(message: Uint8Array): Promise<Hex>;
}

/** One private request as its signature covers it. */
export interface PrivateRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Without origin and query. */
  readonly path: string;
  /** Exactly the text that is sent; empty without a body. */
  readonly body: string;
}

/**
 * Source of credentials for private requests.
 * @throws VenueFault when the venue gives none.
 */
export interface CredentialsPort {
  credentials(): Promise<VenueCredentials>;
  /** The headers of one request, made for this instant. */
  headersOf(request: PrivateRequest): Promise<Readonly<Record<string, string>>>;
  /** Forget credentials that the venue refused: the next request asks for new ones. */
  forget(): void;
}

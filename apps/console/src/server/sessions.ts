import { randomBytes } from 'node:crypto';
import type { Address, Hex } from 'viem';
import type { IsSignedBy } from './signatures.ts';

interface SessionClock {
  readonly nowMs: () => number;
}

interface Challenge {
  readonly address: Address;
  readonly message: string;
  readonly expiresAtMs: number;
}

const challengeLifeMs = 5 * 60_000;
const sessionLifeMs = 12 * 3_600_000;
/** Maximum number of entries; the oldest are evicted, so that requests cannot exhaust memory. */
const maxEntries = 10_000;

const newSecret = (): string => randomBytes(32).toString('hex');

/**
 * Sessions of wallets that signed a challenge. Each challenge is accepted once, from the wallet it names, within five
 * minutes. Sessions are stored in memory for twelve hours; after a restart wallets sign again.
 */
export class Sessions {
  readonly #clock: SessionClock;
  readonly #isSignedBy: IsSignedBy;
  readonly #challenges = new Map<string, Challenge>();
  readonly #sessions = new Map<string, { readonly address: Address; readonly expiresAtMs: number }>();

  constructor(clock: SessionClock, isSignedBy: IsSignedBy) {
    this.#clock = clock;
    this.#isSignedBy = isSignedBy;
  }

  /** Return a message for the wallet to sign. It names the site, so that another site cannot relay it unnoticed. */
  challenge(address: Address, site: string): { readonly nonce: string; readonly message: string } {
    const nonce = newSecret();
    const message = [
      `${site} asks you to sign in with your wallet:`,
      address,
      '',
      'Signing costs nothing and moves nothing.',
      '',
      `Nonce: ${nonce}`,
    ].join('\n');
    keep(this.#challenges, nonce, { address, message, expiresAtMs: this.#clock.nowMs() + challengeLifeMs });
    return { nonce, message };
  }

  /**
   * Open a session and return its secret; null for an invalid signature or an unknown or expired challenge.
   * @throws ChainUnavailableError when the signature must be verified on chain and the chain does not respond.
   */
  async open(nonce: string, signature: Hex): Promise<{ readonly secret: string; readonly address: Address } | null> {
    const challenge = this.#challenges.get(nonce);
    this.#challenges.delete(nonce);
    if (challenge === undefined || challenge.expiresAtMs < this.#clock.nowMs()) return null;
    const { address, message } = challenge;
    if (!(await this.#isSignedBy({ address, message, signature }))) return null;
    const secret = newSecret();
    keep(this.#sessions, secret, { address, expiresAtMs: this.#clock.nowMs() + sessionLifeMs });
    return { secret, address };
  }

  /** Return the wallet of a session; null for an unknown one. */
  addressOf(secret: string | null): Address | null {
    const session = secret === null ? undefined : this.#sessions.get(secret);
    return session === undefined || session.expiresAtMs < this.#clock.nowMs() ? null : session.address;
  }

  close(secret: string | null): void {
    if (secret !== null) this.#sessions.delete(secret);
  }
}

function keep<Entry>(entries: Map<string, Entry>, name: string, entry: Entry): void {
  entries.set(name, entry);
  const [oldest] = entries.keys();
  if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
}

import { randomBytes } from 'node:crypto';
import { type Address, type Hex, verifyMessage } from 'viem';

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
/** Oldest entries go first beyond this many: asking cannot fill the memory. */
const maxEntries = 10_000;

const newSecret = (): string => randomBytes(32).toString('hex');

/**
 * Who has shown that a wallet is theirs. A challenge is a text that this program wrote; it is answered once, by the
 * wallet it names, within five minutes. Sessions live in memory for half a day: after a restart wallets sign again.
 */
export class Sessions {
  readonly #clock: SessionClock;
  readonly #challenges = new Map<string, Challenge>();
  readonly #sessions = new Map<string, { readonly address: Address; readonly expiresAtMs: number }>();

  constructor(clock: SessionClock) {
    this.#clock = clock;
  }

  /** A text for the wallet to sign; it names the site, so that another site cannot pass it on unseen. */
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

  /** The new session's secret, or null when the signature is not that wallet's or the challenge is not open. */
  async open(nonce: string, signature: Hex): Promise<{ readonly secret: string; readonly address: Address } | null> {
    const challenge = this.#challenges.get(nonce);
    this.#challenges.delete(nonce);
    if (challenge === undefined || challenge.expiresAtMs < this.#clock.nowMs()) return null;
    const { address, message } = challenge;
    if (!(await isSignedBy({ address, message, signature }))) return null;
    const secret = newSecret();
    keep(this.#sessions, secret, { address, expiresAtMs: this.#clock.nowMs() + sessionLifeMs });
    return { secret, address };
  }

  /** The wallet of a session; null when there is none. */
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

/** A malformed signature is of no wallet. */
async function isSignedBy(signed: Parameters<typeof verifyMessage>[0]): Promise<boolean> {
  try {
    return await verifyMessage(signed);
  } catch (cause) {
    if (cause instanceof Error) return false;
    throw cause;
  }
}

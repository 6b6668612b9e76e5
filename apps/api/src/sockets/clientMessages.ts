import { clientFrame, isoTimeOf, type ServerFrame, socketLimits } from '@core/wire';
import type { RawData } from 'ws';
import type { Caller, UserCaller } from '../auth/authenticate.ts';
import type { CallerDirectory } from '../auth/callerDirectory.ts';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import type { Connection } from './connection.ts';
import type { FollowedPrices } from './followedPrices.ts';
import { jsonOf } from './jsonText.ts';

const minuteMs = 60_000;

/** Reader of one client's frames, with a limit per minute. */
export class ClientMessages {
  readonly #connection: Connection;
  readonly #callers: CallerDirectory;
  readonly #prices: Pick<FollowedPrices, 'follow'>;
  #windowEndsAtMs = 0;
  #count = 0;

  constructor(
    connection: Connection,
    served: { readonly callers: CallerDirectory; readonly prices: Pick<FollowedPrices, 'follow'> },
  ) {
    this.#connection = connection;
    this.#callers = served.callers;
    this.#prices = served.prices;
  }

  /** A sign of life. */
  hear(): void {
    this.#connection.heardAtMs = performance.now();
  }

  /** A ping is answered by the library; too many of them are too many frames. */
  hearPing(): void {
    this.hear();
    if (this.#isTooOften()) this.#connection.close('tooMany');
  }

  async receive(data: RawData, isBinary: boolean): Promise<void> {
    const connection = this.#connection;
    this.hear();
    if (isBinary) return connection.close('unsupportedFrame');
    if (this.#isTooOften()) return connection.close('tooMany');
    const frame = clientFrame.safeParse(jsonOf(String(data)));
    if (!frame.success) return connection.sendFrame(malformed);
    if (frame.data.action === 'ping') return connection.sendFrame({ frame: 'pong' });
    if (frame.data.action === 'authenticate') return this.#authenticate(frame.data.token);
    if (connection.gateway !== 'markets') return connection.sendFrame(noPrices);
    return this.#prices.follow(connection, frame.data.tickers);
  }

  /** A new token for the same wallet, in time; any other ends the connection. */
  async #authenticate(token: string): Promise<void> {
    const connection = this.#connection;
    const identity = await this.#callers.identify(`Bearer ${token}`);
    if (identity.kind === 'none') {
      return connection.close(identity.fault === 'other_environment' ? 'wrongEnvironment' : 'badToken');
    }
    if (!isSame(identity, connection.caller)) return connection.close('badToken');
    connection.renew(identity.token);
    connection.sendFrame({ frame: 'authenticated', expires_at: isoTimeOf(identity.token.expiresAtMs) });
  }

  #isTooOften(): boolean {
    const nowMs = performance.now();
    if (nowMs >= this.#windowEndsAtMs) {
      this.#windowEndsAtMs = nowMs + minuteMs;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count > socketLimits.framesPerMinute;
  }
}

const malformed: ServerFrame = {
  frame: 'error',
  code: 'invalid_request',
  message: 'action: must be authenticate, with a token, ping, or follow_prices, with at most 500 tickers',
};

const noPrices: ServerFrame = {
  frame: 'error',
  code: 'invalid_request',
  message: 'action: prices are followed on the markets gateway',
};

function isSame(now: Caller, before: Caller): now is UserCaller {
  if (now.kind !== 'user' || before.kind !== 'user') return false;
  return (
    now.partner.id === before.partner.id && storedWalletAddressOf(now.wallet) === storedWalletAddressOf(before.wallet)
  );
}

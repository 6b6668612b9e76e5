import type { Token } from '@core/sdk';
import { isHex } from '../chain/isHex.ts';
import type { Hex, Wallet } from '../chain/wallet.ts';

async function post(path: string, body: object = {}): Promise<unknown> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(String(Object(answer).message ?? `the server answered ${response.status}`));
  return answer;
}

/** @throws Error for an answer without this text. */
function textIn(answer: unknown, name: string): string {
  const text: unknown = Reflect.get(Object(answer), name);
  if (typeof text !== 'string') throw new Error(`the server answered without ${name}`);
  return text;
}

/** Return the address in an answer; null for a visitor. */
function addressIn(answer: unknown): Hex | null {
  const address: unknown = Object(answer).address;
  return isHex(address) ? address : null;
}

/** Return the address of the signed-in wallet, or null. */
export async function signedInAddress(): Promise<Hex | null> {
  const response = await fetch('./session');
  return response.ok ? addressIn(await response.json()) : null;
}

/** Sign in: the wallet signs the server's challenge. */
export async function signIn(wallet: Wallet): Promise<Hex> {
  const address = await wallet.connect();
  const challenge = await post('./session/challenge', { address });
  const signature = await wallet.signMessage(address, textIn(challenge, 'message'));
  const signedIn = addressIn(await post('./session', { nonce: textIn(challenge, 'nonce'), signature }));
  if (signedIn === null) throw new Error('the server answered without address');
  return signedIn;
}

export async function signOut(): Promise<void> {
  await post('./session/end');
}

/** Return a token of the wallet, or of a visitor for null. @throws when the session has ended. */
export async function tokenOf(address: Hex | null): Promise<Token> {
  const answer = await post('./session/token');
  if (addressIn(answer) !== address) throw new Error('The session has ended: sign in again.');
  return { token: textIn(answer, 'token'), expires_at: textIn(answer, 'expires_at') };
}

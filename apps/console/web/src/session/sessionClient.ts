import type { Token } from '@core/sdk';
import type { Hex, Wallet } from '../chain/wallet.ts';

async function post<Answer>(path: string, body: object = {}): Promise<Answer> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer & { readonly message?: string };
  if (!response.ok) throw new Error(answer.message ?? `the server answered ${response.status}`);
  return answer;
}

/** The wallet that is signed in, or null. */
export async function signedInAddress(): Promise<Hex | null> {
  const response = await fetch('./session');
  return response.ok ? ((await response.json()) as { readonly address: Hex | null }).address : null;
}

/** Has the wallet sign the server's challenge. */
export async function signIn(wallet: Wallet): Promise<Hex> {
  const address = await wallet.connect();
  const { nonce, message } = await post<{ nonce: string; message: string }>('./session/challenge', { address });
  const signature = await wallet.signMessage(address, message);
  const opened = await post<{ readonly address: Hex }>('./session', { nonce, signature });
  return opened.address;
}

export async function signOut(): Promise<void> {
  await post('./session/end');
}

/** Tokens of the wallet, or of a visitor where it is null. @throws when the session has ended meanwhile. */
export async function tokenOf(address: Hex | null): Promise<Token> {
  const { address: actual, ...token } = await post<Token & { readonly address: Hex | null }>('./session/token');
  if (actual !== address) throw new Error('The session has ended: sign in again.');
  return token;
}
